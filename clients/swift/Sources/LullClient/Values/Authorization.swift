// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Makes the `Authorization` field when a request is sent (RFC 7617, RFC 6750, RFC 7616); not
/// beside such a header.
///
/// A secret like header values. `digest` answers a 401 of the origin, with MD5 or SHA-256, `-sess`,
/// with and without `qop`; it needs the method GET or PUT, and the password is never sent.
/// `aws_sigv4` signs each request when it is sent, by AWS Signature Version 4, with `Content-Type`,
/// all `x-amz-*` of `headers` and the SHA-256 of the body: for private buckets of Amazon S3 and of
/// stores that speak its protocol.
public enum Authorization: Codable, Hashable, Sendable {
    /// A value of the type `PasswordAuthorization`.
    case passwordAuthorization(PasswordAuthorization)
    /// A value of the type `TokenAuthorization`.
    case tokenAuthorization(TokenAuthorization)
    /// A value of the type `SignedAuthorization`.
    case signedAuthorization(SignedAuthorization)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["access_key_id", "region", "secret_access_key", "type"]), members.text("type", isOneOf: ["aws_sigv4"]) {
            self = .signedAuthorization(try SignedAuthorization(from: decoder))
            return
        }
        if members.hasAll(["password", "type", "username"]), members.text("type", isOneOf: ["basic", "digest"]) {
            self = .passwordAuthorization(try PasswordAuthorization(from: decoder))
            return
        }
        self = .tokenAuthorization(try TokenAuthorization(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .signedAuthorization(let value): try value.encode(to: encoder)
        case .passwordAuthorization(let value): try value.encode(to: encoder)
        case .tokenAuthorization(let value): try value.encode(to: encoder)
        }
    }
}
