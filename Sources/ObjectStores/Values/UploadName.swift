/// An upload in parts.
package struct UploadName: Sendable, Equatable {
    /// The key with its prefix.
    package var key: String
    /// The store's identifier of the upload.
    package var id: String

    /// Names an upload.
    package init(key: String, id: String) { (self.key, self.id) = (key, id) }
}
