package import Base
package import Downloads

/// The whole and proved file of an upload, synced in the data directory of its replica.
package struct StagedFile: Sendable {
    /// The upload.
    package var id: Identifier
    /// The data directory, in which the file is the part of the upload with the fence 0.
    package var instance: Identifier
    /// SHA-256 in hexadecimal digits.
    package var sha256: String
    /// The media type that the client gave with the bytes; nil for none.
    package var contentType: String?
    /// Facts of the file when its digest was computed; nil where they were not noted.
    package var mark: FileMark?

    /// Creates a file without a media type and without facts.
    package init(id: Identifier, instance: Identifier, sha256: String) {
        self.id = id
        self.instance = instance
        self.sha256 = sha256
    }
}
