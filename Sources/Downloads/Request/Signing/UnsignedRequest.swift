package import Base

/// The parts of a request that its signature covers, at the moment when it is sent.
package struct UnsignedRequest: Sendable {
    /// Makes the fields that a request carries for its signature: `Authorization` and others.
    package typealias Signer = @Sendable (UnsignedRequest, SigningKeys) -> [HeaderField]

    /// The method.
    package let method: String
    /// The URL of the hop.
    package let url: SourceURL
    /// The client's fields that are signed: `Content-Type` and those that begin with `x-amz-`.
    package let headers: [HeaderField]
    /// The body; empty for none.
    package let body: [UInt8]

    /// Takes the parts of a request out of all its fields.
    package init(method: String, url: SourceURL, headers: [HeaderField], body: [UInt8]) {
        (self.method, self.url, self.body) = (method, url, body)
        self.headers = headers.filter {
            let name = $0.name.lowercased()
            return name == "content-type"
                || name.hasPrefix("x-amz-")
                    && !UnsignedRequest.replaced.contains(name)
        }
    }

    /// Fields of the signature, which take the place of the client's.
    private static let replaced: Set<String> = [
        "x-amz-content-sha256", "x-amz-date", "x-amz-security-token",
    ]
}
