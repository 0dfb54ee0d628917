// Lists of downloads in files: one on a line, with name, digest, mirrors and size; pure.
package import Base
internal import Crypto
internal import Downloads

/// The downloads of a list.
///
/// A line has a URL and, behind tabs, further URLs (mirrors, as in lists of aria2), a digest
/// (`sha256:HEX` or a form of `--checksum`) and a name, in any order. Empty lines and those that
/// begin with `#` are skipped. A list whose first line is `TsvHttpData-1.0` has lines of URL, size
/// in bytes and MD5 in Base64, as Storage Transfer Service takes them.
package struct DownloadList {
    /// A download of a list.
    package struct Entry: Sendable, Equatable {
        /// The number of its line, from 1; 0 for one that is no line of a list.
        package let line: Int
        /// The URL.
        package let url: String
        /// Further addresses of the same bytes.
        package var mirrors: [String] = []
        /// The name of the file; nil for none.
        package var name: String?
        /// The digest, `algorithm:HEX`; nil for none.
        package var digest: String?
        /// The size in bytes; nil if it is not known.
        package var size: Int64?

        /// Creates an entry with a URL alone.
        package init(line: Int, url: String) { (self.line, self.url) = (line, url) }

        /// The members of the download, beside those of all.
        package var members: JSONObject {
            var members: JSONObject = ["url": .string(url)]
            if !mirrors.isEmpty { members["urls"] = .array(mirrors.map { .string($0) }) }
            members["filename"] = name.map { .string($0) }
            members["expected_digest"] = digest.map { .string($0) }
            members["count_of_bytes_client_expects_to_receive"] = size.map { .integer($0) }
            return members
        }
    }

    /// The most bytes of a list.
    private static let bytesAtMost = 64 << 20
    private static let transferHead = "TsvHttpData-1.0"

    /// The downloads in their order.
    package let entries: [Entry]

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - text: the list; a byte order mark and carriage returns are ignored.
    ///   - file: the name of the list, for errors.
    /// - Throws: `ClientFailure` with `FILE:LINE` and exit status 2.
    package init(_ text: String, file: String) throws(ClientFailure) {
        var entries: [Entry] = []
        var isTransferList = false
        let text = text.hasPrefix("\u{feff}") ? text.dropFirst() : text[...]
        for (place, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let trimmed = DownloadList.trimmed(line)
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            if entries.isEmpty, trimmed == DownloadList.transferHead {
                isTransferList = true
                continue
            }
            let fields = trimmed.split(separator: "\t", omittingEmptySubsequences: false)
                .map { DownloadList.trimmed($0) }
            do throws(ClientFailure) {
                entries.append(
                    isTransferList
                        ? try DownloadList.transferEntry(fields, line: place + 1)
                        : try DownloadList.entry(fields, line: place + 1))
            } catch {
                throw .usage("\(file):\(place + 1): \(error)")
            }
        }
        self.entries = entries
    }

    /// Reads the list in a file.
    ///
    /// - Parameter path: the file; `-` for standard input.
    /// - Throws: `ClientFailure` with exit status 2.
    init(file path: String) throws(ClientFailure) {
        guard let bytes = FileText.bytes(of: path, atMost: DownloadList.bytesAtMost) else {
            throw .usage("--input: \(path) cannot be read, or has more than 64 MiB")
        }
        try self.init(String(decoding: bytes, as: UTF8.self), file: DownloadList.name(of: path))
    }

    /// The name of a list in messages.
    static func name(of path: String) -> String { path == "-" ? "standard input" : path }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func trimmed(_ text: String) -> String { trimmed(text[...]) }

    private static func entry(_ fields: [String], line: Int) throws(ClientFailure) -> Entry {
        guard isURL(fields[0]) else { throw .usage("\"\(fields[0])\" is not a URL") }
        var entry = Entry(line: line, url: fields[0])
        for field in fields.dropFirst() where !field.isEmpty {
            if isURL(field) {
                entry.mirrors.append(field)
            } else if isDigest(field) {
                guard entry.digest == nil else { throw .usage("it has two digests") }
                entry.digest = try DownloadOptions.digest(field)
            } else {
                guard entry.name == nil else {
                    throw .usage("\"\(field)\" is neither a URL nor a digest, and it has a name")
                }
                entry.name = field
            }
        }
        if !entry.mirrors.isEmpty, entry.digest == nil {
            throw .usage("mirrors need a digest, which proves that all have the same bytes")
        }
        return entry
    }

    private static func transferEntry(
        _ fields: [String], line: Int
    ) throws(ClientFailure) -> Entry {
        guard isURL(fields[0]) else { throw .usage("\"\(fields[0])\" is not a URL") }
        guard fields.count <= 3 else { throw .usage("it has more than URL, size and MD5") }
        var entry = Entry(line: line, url: fields[0])
        if fields.count > 1, !fields[1].isEmpty {
            guard let size = Int64(fields[1]), size >= 0 else {
                throw .usage("\"\(fields[1])\" is not a size in bytes")
            }
            entry.size = size
        }
        if fields.count > 2, !fields[2].isEmpty {
            guard let bytes = Base64.decode(fields[2]), bytes.count == 16 else {
                throw .usage("\"\(fields[2])\" is not an MD5 in Base64")
            }
            entry.digest = "md5:" + Hex.encode(bytes)
        }
        return entry
    }

    private static func isURL(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return lower.hasPrefix("http://") || lower.hasPrefix("https://")
    }

    /// Whether a field begins like a digest: the name of an algorithm, and `:` or `=`.
    private static func isDigest(_ text: String) -> Bool {
        guard let sign = text.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return false }
        let name = text[..<sign].lowercased().filter { $0 != "-" }
        return DigestAlgorithm(rawValue: name) != nil
    }
}
