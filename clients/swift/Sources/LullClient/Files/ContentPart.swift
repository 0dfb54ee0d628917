public import Foundation

/// Bytes of a content, and what the service says about the whole.
public struct ContentPart: Hashable, Sendable {
    /// The bytes.
    public let bytes: Data
    /// Where they begin in the whole.
    public let offset: Int
    /// How long the whole is; nil where the service does not say it.
    public let length: Int?
    /// The ETag of the whole.
    public let eTag: String?
    /// The SHA-256 of the whole, in lower-case hexadecimal digits; nil where it is not said.
    public let sha256: String?
    /// `Content-Type`.
    public let contentType: String?

    init(_ answer: Answer) {
        bytes = answer.body
        eTag = answer.fields["etag"]
        contentType = answer.fields["content-type"]
        let range = answer.fields["content-range"]?.dropFirst("bytes ".count)
        offset = range?.split(separator: "-").first.flatMap { Int($0) } ?? 0
        length =
            range.map { $0.split(separator: "/").last.flatMap { Int($0) } }
            ?? answer.fields["content-length"].flatMap { Int($0) }
        sha256 = answer.fields["repr-digest"].flatMap { field in
            guard field.hasPrefix("sha-256=:"), field.hasSuffix(":") else { return nil }
            return Data(base64Encoded: String(field.dropFirst(9).dropLast()))
                .map { SHA256.hexadecimal(Array($0)) }
        }
    }
}
