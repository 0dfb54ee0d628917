package import Base

/// An upload whose bytes are held content of a data directory.
package struct SourcedUpload: Sendable {
    /// The upload.
    package let id: Identifier
    /// The download that has the content.
    package let source: Identifier
    /// The fence in the name of the content's file.
    package let sourceFence: Int64
    /// The length of the file in bytes.
    package let length: Int64
    /// SHA-256 of the content in hexadecimal digits.
    package let sha256: String
}
