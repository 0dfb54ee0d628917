// The fields of the request that sends a file to its receiver.
internal import Base

/// The fields that describe the file; those of the client override them.
package enum SentFields {
    /// The type of a file whose origin named none (RFC 9110 section 8.3).
    private static let unknownType = "application/octet-stream"

    /// The fields of a request.
    ///
    /// - Parameters:
    ///   - sha256: the bytes of the file's SHA-256.
    ///   - name: the file's name.
    ///   - response: the head of the origin's answer; nil for none.
    /// - Returns: the type and coding that the origin named, the name (RFC 6266) and the digest
    ///   (RFC 9530 section 3).
    package static func fields(
        sha256: [UInt8], name: String, response: OriginResponse?
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [
            ("Content-Type", response?.headers.contentType ?? unknownType),
            ("Content-Disposition", ContentDisposition.attachment(name: name)),
        ]
        if let coding = response?.headers.contentEncoding {
            fields.append(("Content-Encoding", coding))
        }
        fields.append(("Repr-Digest", "sha-256=:\(Base64.encode(sha256)):"))
        return fields
    }
}
