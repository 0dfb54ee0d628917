package import Base
package import HTTPWire

/// A request about the bytes of an upload, for the replica that has the file.
package struct UploadPassing: Sendable {
    /// The path of the route at the replica, whose endpoint uses the own data directory only, so
    /// that no request is passed on twice.
    static let pattern = "/internal/uploads/{id}/{instance}/{operation}/{fields}"
    /// The header fields of the client that the replica gets; their digest is in the path.
    static let fields = [
        "Tus-Resumable", "Upload-Offset", "Upload-Checksum", "Content-Type", "Repr-Digest",
    ]

    /// The address of the replica, HOST:PORT.
    package let address: String
    /// Its data directory, because another replica may have its address now.
    package let instance: Identifier
    /// The upload.
    package let upload: Identifier
    /// `HEAD`, `PATCH` or `PUT`.
    package let method: String
    /// The header fields of the client that the replica gets, in the order of `fields`.
    package let headers: [(name: String, value: String)]
    /// The client's content; nil for none.
    package let body: IncomingBody?
    /// The number of bytes of the content; 0 without one.
    package let length: Int64

    /// Passes a request on.
    init(
        _ request: Request, length: Int64, of upload: Identifier, to instance: Identifier,
        at address: String
    ) {
        self.address = address
        self.instance = instance
        self.upload = upload
        method = request.method
        headers = UploadPassing.headers(of: request)
        body = request.incoming
        self.length = length
    }

    /// The path, which names the upload, the data directory, the method and the header fields.
    package var path: String {
        "/internal/uploads/\(upload.hexadecimal)/\(instance.hexadecimal)/\(method)/"
            + UploadProof.digest(of: headers, length: length)
    }

    /// The header fields of a request that are passed on.
    static func headers(of request: Request) -> [(name: String, value: String)] {
        fields.flatMap { name in request.headers.all(name).map { (name, $0) } }
    }
}
