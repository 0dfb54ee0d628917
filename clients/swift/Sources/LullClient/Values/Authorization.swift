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
    /// A value of the type `BasicOrDigest`.
    case basicOrDigest(BasicOrDigest)
    /// A value of the type `Bearer`.
    case bearer(Bearer)
    /// A value of the type `AwsSigv4`.
    case awsSigv4(AwsSigv4)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["access_key_id", "region", "secret_access_key", "type"]), members.text("type", isOneOf: ["aws_sigv4"]) {
            self = .awsSigv4(try AwsSigv4(from: decoder))
            return
        }
        if members.hasAll(["password", "type", "username"]), members.text("type", isOneOf: ["basic", "digest"]) {
            self = .basicOrDigest(try BasicOrDigest(from: decoder))
            return
        }
        self = .bearer(try Bearer(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .awsSigv4(let value): try value.encode(to: encoder)
        case .basicOrDigest(let value): try value.encode(to: encoder)
        case .bearer(let value): try value.encode(to: encoder)
        }
    }

    /// `BasicOrDigest` of the API.
    public struct BasicOrDigest: Codable, Hashable, Sendable {
        /// `type` of the API.
        public var type: Kind
        /// `username` of the API.
        public var username: String
        /// `password` of the API.
        public var password: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            type: Kind,
            username: String,
            password: String
        ) {
            self.type = type
            self.username = username
            self.password = password
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case username
            case password
        }

        /// `Kind` of the API.
        public struct Kind: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `basic`.
            public static let basic = Kind(rawValue: "basic")

            /// `digest`.
            public static let digest = Kind(rawValue: "digest")
        }
    }

    /// `Bearer` of the API.
    public struct Bearer: Codable, Hashable, Sendable {
        /// `type` of the API.
        public var type: String
        /// `token` of the API.
        public var token: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            type: String,
            token: String
        ) {
            self.type = type
            self.token = token
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case token
        }
    }

    /// `AwsSigv4` of the API.
    public struct AwsSigv4: Codable, Hashable, Sendable {
        /// `type` of the API.
        public var type: String
        /// `access_key_id` of the API.
        public var accessKeyID: String
        /// `secret_access_key` of the API.
        public var secretAccessKey: String
        /// Of temporary keys.
        public var sessionToken: String?
        /// `region` of the API.
        public var region: String
        /// `service` of the API.
        public var service: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            type: String,
            accessKeyID: String,
            secretAccessKey: String,
            region: String,
            sessionToken: String? = nil,
            service: String? = nil
        ) {
            self.type = type
            self.accessKeyID = accessKeyID
            self.secretAccessKey = secretAccessKey
            self.sessionToken = sessionToken
            self.region = region
            self.service = service
        }

        private enum CodingKeys: String, CodingKey {
            case type
            case accessKeyID = "access_key_id"
            case secretAccessKey = "secret_access_key"
            case sessionToken = "session_token"
            case region
            case service
        }
    }
}
