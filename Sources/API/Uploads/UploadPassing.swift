package import Base
package import HTTPWire

/// A request about the bytes of an upload, for the replica that has the file.
package struct UploadPassing: Sendable {
    /// The path of the route at the replica; its endpoint uses the own data directory only, so that
    /// no request is passed on twice.
    static let pattern = "/internal/uploads/{id}/{instance}/content"

    /// The address of the replica, HOST:PORT.
    package let address: String
    /// Its data directory, because another replica may have its address now.
    package let instance: Identifier
    /// The upload.
    package let upload: Identifier
    /// The client's request: its method, its header fields and its content.
    package let request: Request

    /// The path that names upload and data directory.
    package var path: String {
        "/internal/uploads/\(upload.hexadecimal)/\(instance.hexadecimal)/content"
    }
}

/// The answer of the replica that has the file.
package enum UploadPassed: Sendable {
    /// Its answer, proved.
    case answer(Response)
    /// No answer, or one without proof; the text is for the log.
    case unavailable(String)
}
