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

    /// The scheme, as clients write it.
    package var type: String {
        switch self {
        case .basic: "basic"
        case .bearer: "bearer"
        case .digest: "digest"
        }
    }

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
        default:
            part.refuse("type", "must be \"basic\", \"bearer\" or \"digest\"")
        }
        // Without a known type further errors would only repeat that one.
        let isKnown = ["basic", "bearer", "digest"].contains(type)
        let errors = isKnown ? part.finish() : part.errors
        reader.adopt(errors)
        guard errors.isEmpty, let result else { return nil }
        self = result
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
        }
    }
}
