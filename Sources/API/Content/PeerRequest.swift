package import Core
internal import HTTPWire
internal import Store

/// A question to the replica that has a file.
package struct PeerRequest: Sendable {
    /// The path as it is declared.
    ///
    /// What answers there reads the own data directory only, so that no request is passed on twice.
    static let pattern = "/internal/content/{id}/{fence}/{instance}/{file}/{range}"
    /// In place of a range: whether the file is there, and no byte of it.
    static let noBytes = "none"
    /// In place of what a placed file was like: nobody else can write to the file.
    static let anyFile = "any"

    /// Where that replica is reached, HOST:PORT.
    package let address: String
    /// Its data directory; another replica may have its address by now.
    package let instance: Identifier
    /// The download.
    package let download: Identifier
    /// The attempt whose file it is.
    package let fence: Int64
    /// How long the file has to be, in bytes.
    package let length: Int64
    /// Facts of a placed file from when it was proved; nil for one that is not placed.
    package let file: String?
    /// The bytes that are wanted; nil for no bytes, only whether the file is there.
    package let range: ClosedRange<Int64>?

    /// Names all of it.
    package init(
        address: String, instance: Identifier, download: Identifier, fence: Int64, length: Int64,
        file: String? = nil, range: ClosedRange<Int64>?
    ) {
        self.address = address
        self.instance = instance
        self.download = download
        self.fence = fence
        self.length = length
        self.file = file
        self.range = range
    }

    /// The path to ask for a range of the file, or for no byte of it.
    package func path(_ range: ClosedRange<Int64>?) -> String {
        let bytes = range.map { "\($0.lowerBound)-\($0.upperBound)" } ?? PeerRequest.noBytes
        return "/internal/content/\(download.text(.download))/\(fence)/\(instance.hexadecimal)"
            + "/\(file ?? PeerRequest.anyFile)/\(bytes)"
    }

    /// Reads the last part of the path.
    ///
    /// - Returns: nil if it is neither a range nor `none`.
    static func range(of text: String) -> ClosedRange<Int64>?? {
        if text == noBytes { return .some(nil) }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]),
            first >= 0, first <= last
        else { return nil }
        return .some(first...last)
    }
}
