// The credentials that a download is requested with.
package import Base

/// Credentials from which the Authorization field is made when a request is sent.
package enum Authorization: Equatable, Sendable {
    /// HTTP Basic (RFC 7617).
    case basic(username: String, password: String)
    /// A bearer token (RFC 6750).
    case bearer(token: String)
    /// HTTP Digest (RFC 7616), which answers a challenge of the origin.
    case digest(DigestCredentials)
    /// A signature of each request (AWS Signature Version 4).
    case signature(SigningKeys)

    /// The scheme, as clients write it.
    package var type: String {
        switch self {
        case .basic: "basic"
        case .bearer: "bearer"
        case .digest: "digest"
        case .signature: Authorization.signatureType
        }
    }

    private static let signatureType = "aws_sigv4"

    /// Reads the `authorization` member; nil if it is absent or refused.
    package init?(reading reader: inout FieldReader) {
        guard let value = reader.value("authorization") else { return nil }
        guard let object = value.objectValue else {
            reader.refuse("authorization", "must be an object with a type")
            return nil
        }
        var part = FieldReader(object, at: reader.pointer("authorization"))
        let type = part.string("type", maximumLength: 16)
        var result: Authorization?
        switch type {
        case "basic", "digest":
            let username = Authorization.text("username", in: &part)
            let password = Authorization.text("password", in: &part)
            if username?.contains(":") == true { part.refuse("username", "must have no colon") }
            if let username, let password {
                result =
                    type == "basic"
                    ? .basic(username: username, password: password)
                    : .digest(DigestCredentials(username: username, password: password))
            }
        case "bearer":
            let token = Authorization.text("token", in: &part)
            if let token {
                if token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
                    part.refuse("token", "must be visible ASCII characters without a space")
                }
                result = .bearer(token: token)
            }
        case Authorization.signatureType: result = Authorization.signature(in: &part)
        default:
            part.refuse(
                "type", "must be \"basic\", \"bearer\", \"digest\" or \"aws_sigv4\"")
        }
        // Without a known type further errors would only repeat that one.
        let isKnown = ["basic", "bearer", "digest", Authorization.signatureType].contains(type)
        let errors = isKnown ? part.finish() : part.errors
        reader.adopt(errors)
        guard errors.isEmpty, let result else { return nil }
        self = result
    }

    /// Reads the members of keys for signatures.
    private static func signature(in part: inout FieldReader) -> Authorization? {
        let accessKey = visible("access_key_id", in: &part)
        let secretKey = text("secret_access_key", in: &part)
        if secretKey?.isEmpty == true { part.refuse("secret_access_key", "must not be empty") }
        let token = part.value("session_token").flatMap { _ in
            visible("session_token", in: &part)
        }
        let region = name("region", in: &part)
        let service =
            part.value("service") == nil ? "s3" : name("service", in: &part)
        guard let accessKey, let secretKey, let region, let service else { return nil }
        return .signature(
            SigningKeys(
                accessKey: accessKey, secretKey: secretKey, sessionToken: token, region: region,
                service: service))
    }

    /// A text that stands in a header field.
    private static func visible(_ key: String, in part: inout FieldReader) -> String? {
        guard let text = text(key, in: &part) else { return nil }
        let isVisible = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        // The slash and the comma end the name of the keys in `Authorization`.
        let isName = key != "access_key_id" || !text.contains { $0 == "/" || $0 == "," }
        if text.isEmpty || !isVisible || !isName {
            part.refuse(
                key,
                "must be visible ASCII characters without a space"
                    + (isName ? "" : ", a slash and a comma"))
        }
        return text
    }

    /// The name of a region or a service.
    private static func name(_ key: String, in part: inout FieldReader) -> String? {
        guard let text = text(key, in: &part) else { return nil }
        let isName = text.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d
        }
        if text.isEmpty || text.utf8.count > 64 || !isName {
            part.refuse(key, "must be 1 to 64 small letters, digits and hyphens")
        }
        return text
    }

    private static func text(_ key: String, in reader: inout FieldReader) -> String? {
        let isThere = reader.value(key) != nil
        guard let text = reader.string(key, maximumLength: 8192) else {
            if !isThere { reader.refuse(key, "is required") }
            return nil
        }
        if !HeaderFieldRules.allows(value: text) {
            reader.refuse(key, "must have no control characters")
        }
        return text
    }

    /// The form that is sealed.
    var json: JSON {
        switch self {
        case .basic(let username, let password):
            ["type": "basic", "username": .string(username), "password": .string(password)]
        case .bearer(let token): ["type": "bearer", "token": .string(token)]
        case .digest(let credentials):
            [
                "type": "digest", "username": .string(credentials.username),
                "password": .string(credentials.password),
            ]
        case .signature(let keys):
            [
                "type": .string(Authorization.signatureType),
                "access_key_id": .string(keys.accessKey),
                "secret_access_key": .string(keys.secretKey),
                "session_token": keys.sessionToken.map { .string($0) } ?? .null,
                "region": .string(keys.region), "service": .string(keys.service),
            ]
        }
    }
}
