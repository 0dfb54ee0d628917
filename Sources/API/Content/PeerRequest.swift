package import Core
internal import HTTPWire
internal import Store

/// A question to the replica that has a file.
package struct PeerRequest: Sendable {
    /// The path as it is declared.
    ///
    /// What answers there reads the own data directory only, so that no request is passed on twice.
    static let pattern = "/internal/content/{id}/{fence}/{instance}"

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
    /// The bytes that are wanted; nil for no bytes, only whether the file is there.
    package let range: ClosedRange<Int64>?

    /// The path to ask for.
    package var path: String {
        "/internal/content/\(download.text(.download))/\(fence)/\(instance.hexadecimal)"
    }
}
