package import Base
package import Downloads

/// An upload as the requests with its bytes see it.
package struct StagingRow: Sendable {
    /// The upload.
    package let id: Identifier
    /// Its state: `receiving` or `suspended` while bytes are taken.
    package let state: DownloadState
    /// The length of the file in bytes.
    package let length: Int64
    /// The digest that the file must have.
    package let expectedDigest: ExpectedDigest?
    /// The data directory that takes the bytes, or has them; nil while none does, and after the
    /// end.
    package let holder: Identifier?
    /// The address of the replica that works with that data directory, HOST:PORT; nil if none runs
    /// or it cannot be asked.
    package let address: String?
    /// Whether a replica works with that data directory.
    package let holderWorks: Bool
    /// The bytes that have come, as they were noted last.
    package let received: Int64
    /// SHA-256 of the whole file in hexadecimal digits; nil while it is not whole.
    package let sha256: String?
    /// The time at which bytes are given up that did not become whole; nil after the end.
    package let expiresAt: Timestamp?

    /// Whether its client may bring bytes now.
    package var takesBytes: Bool {
        sha256 == nil && (state == .receiving || state == .suspended)
    }
}
