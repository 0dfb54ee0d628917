// The text of a bucket in LULL_DESTINATIONS: `s3://bucket/prefix?endpoint=https://host&region=…`.
internal import Base

extension StoreLocation {
    /// The beginning of the text.
    package static let scheme = "s3://"

    /// An error in the text of a bucket, described in one sentence.
    package struct ParseError: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    /// Reads the text of a bucket; prefix and values are percent-decoded.
    ///
    /// - Throws: what is wrong, one sentence.
    package init(parsing text: some StringProtocol) throws(ParseError) {
        let rest = text.dropFirst(StoreLocation.scheme.count)
        let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = String(path[0])
        guard StoreLocation.isBucket(bucket) else {
            throw ParseError(
                description: "a bucket has 3 to 63 lower-case letters, digits, dots and dashes, "
                    + "and begins and ends with a letter or digit")
        }
        let prefix = try StoreLocation.prefix(path.count > 1 ? String(path[1]) : "")
        var values = try StoreLocation.parameters(halves.count > 1 ? String(halves[1]) : "")
        guard let endpoint = values.removeValue(forKey: "endpoint") else {
            throw ParseError(description: "endpoint is required, such as endpoint=https://host")
        }
        self.init(
            bucket: bucket, prefix: prefix,
            endpoint: try StoreLocation.root(endpoint, of: "endpoint"))
        try take(values)
    }

    /// Sets the members that have defaults.
    private mutating func take(_ values: [String: String]) throws(ParseError) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "public_endpoint": publicEndpoint = try StoreLocation.root(value, of: name)
            case "region":
                guard StoreLocation.isWord(value) else {
                    throw ParseError(
                        description: "region must have 1 to 64 letters, digits or dashes")
                }
                region = value
            case "addressing": addressing = try StoreLocation.word(value, of: name)
            case "checksum": checksum = try StoreLocation.word(value, of: name)
            case "profile":
                guard !value.isEmpty, !value.contains("]") else {
                    throw ParseError(description: "profile must have a name")
                }
                profile = value
            case "credentials_file":
                guard value.utf8.first == UInt8(ascii: "/") else {
                    throw ParseError(description: "credentials_file must be an absolute path")
                }
                credentialsFile = value
            default:
                throw ParseError(
                    description: "there is no parameter \(name): only endpoint, public_endpoint, "
                        + "region, addressing, checksum, profile and credentials_file")
            }
        }
        if addressing == .virtual, endpoint.isLiteralAddress {
            throw ParseError(
                description: "addressing=virtual needs an endpoint with a name, not an address")
        }
    }

    private static func parameters(_ text: String) throws(ParseError) -> [String: String] {
        var values: [String: String] = [:]
        for part in text.split(separator: "&", omittingEmptySubsequences: true) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0])
            guard sides.count == 2, let value = decoded(sides[1]) else {
                throw ParseError(description: "\(name) must have a value, percent-encoded")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw ParseError(description: "\(name) is given more than once")
            }
        }
        return values
    }

    /// A prefix without slashes at its ends; it obeys the rules for a path.
    private static func prefix(_ text: String) throws(ParseError) -> String {
        var trimmed = Substring(text)
        while trimmed.hasPrefix("/") { trimmed.removeFirst() }
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard !trimmed.isEmpty else { return "" }
        guard let prefix = decoded(trimmed) else {
            throw ParseError(description: "the prefix must be percent-encoded UTF-8")
        }
        if let refusal = FolderPath.refusal(of: prefix) {
            throw ParseError(description: "the prefix \(refusal)")
        }
        guard prefix.utf8.count <= keyBytesAtMost / 2 else {
            throw ParseError(
                description: "the prefix must have at most \(keyBytesAtMost / 2) bytes")
        }
        return prefix
    }

    /// The root of an API: a URL without path and query, and not of a link-local address.
    private static func root(_ text: String, of name: String) throws(ParseError) -> SourceURL {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: text)
        } catch {
            throw ParseError(description: "\(name): \(error)")
        }
        guard url.target == "/" else {
            throw ParseError(description: "\(name) must have no path and no query")
        }
        guard ![url.address, url.address?.embeddedV4].contains(where: isLinkLocal) else {
            throw ParseError(description: "\(name) must not be a link-local address")
        }
        return url
    }

    private static func isLinkLocal(_ address: IPAddress?) -> Bool {
        guard let kind = address.flatMap(ReservedRange.enclosing)?.kind else { return false }
        return kind == .linkLocal || kind == .metadata
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ text: String, of name: String
    ) throws(ParseError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw ParseError(description: "\(name) must be one of \(words)")
        }
        return word
    }

    /// Whether a text is the name of a bucket that every store takes.
    private static func isBucket(_ text: String) -> Bool {
        guard (3...63).contains(text.utf8.count), let first = text.utf8.first,
            let last = text.utf8.last
        else { return false }
        return isAlphanumeric(first) && isAlphanumeric(last)
            && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2d || $0 == 0x2e }
            && !text.contains("..")
    }

    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { isAlphanumeric($0 | 0x20) || $0 == 0x2d || $0 == 0x5f }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A text without percent-encoding; nil for a bad escape, and for bytes that are no text.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let digits = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-")
            else { return nil }
            bytes.append(digits)
            rest = rest.dropFirst(2)
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
