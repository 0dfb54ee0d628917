/// An object that is to be written.
package struct NewObject: Sendable {
    /// The key with its prefix.
    package var key: String
    /// The media type.
    package var contentType = "application/octet-stream"
    /// The field `Content-Disposition`; nil for none.
    package var disposition: String?
    /// The text of the download's identifier, for `x-amz-meta-lull-download`.
    package var download: String
    /// SHA-256 of the whole object, 32 bytes, for `x-amz-meta-lull-sha256`.
    package var sha256: [UInt8]

    /// Creates an object with a key for the bytes of a download.
    package init(key: String, download: String, sha256: [UInt8]) {
        self.key = key
        self.download = download
        self.sha256 = sha256
    }
}
