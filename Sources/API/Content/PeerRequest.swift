package import Base
internal import HTTPWire
internal import Store

/// A question to the replica that has a file.
package struct PeerRequest: Sendable {
    /// The path of the route.
    ///
    /// Its endpoint reads the own data directory only, so that no request is passed on twice.
    static let pattern = "/internal/content/{id}/{fence}/{instance}/{file}/{range}"
    /// In place of a range: asks only whether the file exists.
    static let noBytes = "none"
    /// In place of a placed file's facts: the file is not placed, so no other program can write to
    /// it.
    static let anyFile = "any"

    /// The address of the replica, HOST:PORT.
    package let address: String
    /// Its data directory, because another replica may have its address now.
    package let instance: Identifier
    /// The download.
    package let download: Identifier
    /// The fence of the attempt that wrote the file.
    package let fence: Int64
    /// The expected length of the file in bytes.
    package let length: Int64
    /// Facts of a placed file when it was proved; nil for a file that is not placed.
    package let file: String?
    /// The requested bytes; nil to ask only whether the file exists.
    package let range: ClosedRange<Int64>?

    /// Creates a value with all its members.
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

    /// The path that requests a range of the file, or no byte of it.
    package func path(_ range: ClosedRange<Int64>?) -> String {
        let bytes = range.map { "\($0.lowerBound)-\($0.upperBound)" } ?? PeerRequest.noBytes
        return "/internal/content/\(download.text)/\(fence)/\(instance.hexadecimal)"
            + "/\(file ?? PeerRequest.anyFile)/\(bytes)"
    }

    /// Reads the last component of the path.
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
