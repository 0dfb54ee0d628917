// The part of a request that is shown to clients.
package import Base

/// The method, field names and schemes of a download's request, without secrets; stored with the
/// values in force.
package struct RequestShape: MemberList {
    /// The placeholder for secret values.
    package static let redacted = "redacted"

    /// The method.
    package var method = RequestMethod.get
    /// The names of the download's own fields.
    package var headerNames: [String] = []
    /// The length of the body in bytes; nil without one.
    package var bodyBytes: Int64?
    /// The scheme of `authorization`; nil without one.
    package var authorizationType: String?
    /// The proxy; nil for none.
    package var proxyURL: String?
    /// Whether the proxy has credentials.
    package var hasProxyCredentials = false
    /// The names of the fields for the receiver of the download's own `begin_hook`.
    package var hookHeaderNames: [String] = []
    /// The scheme of the credentials for it; nil without any.
    package var hookAuthorizationType: String?
    /// The names of the fields for the receiver of the finished file.
    package var relayHeaderNames: [String] = []
    /// The scheme of the credentials for it; nil without any.
    package var relayAuthorizationType: String?
    /// The names of the fields for the hook of that receiver.
    package var relayHookHeaderNames: [String] = []
    /// The scheme of the credentials for that hook; nil without any.
    package var relayHookAuthorizationType: String?
    /// Whether its session had secrets in the version under which it was created.
    package var usesSession = false

    /// The blank value that reading fills in.
    package static let blank = RequestShape()

    /// Creates a plain GET.
    package init() {}

    /// The visible part of secrets and choices.
    package init(method: RequestMethod, _ secrets: RequestSecrets, proxyURL: String?) {
        self.method = method
        headerNames = secrets.headers.map(\.name)
        bodyBytes = secrets.body.map { Int64($0.count) }
        authorizationType = secrets.authorization?.type
        self.proxyURL = proxyURL
        hasProxyCredentials = secrets.proxyCredentials != nil
        if let hook = secrets.hook?.shape {
            hookHeaderNames = hook.headerNames
            hookAuthorizationType = hook.authorizationType
        }
        if let relay = secrets.relay?.shape {
            relayHeaderNames = relay.headerNames
            relayAuthorizationType = relay.authorizationType
            relayHookHeaderNames = relay.hookHeaderNames
            relayHookAuthorizationType = relay.hookAuthorizationType
        }
    }

    /// The request to the receiver of the download's own `begin_hook`.
    package var hook: RequestShape {
        var hook = RequestShape()
        hook.headerNames = hookHeaderNames
        hook.authorizationType = hookAuthorizationType
        return hook
    }

    /// The request to the receiver of the finished file.
    package var relay: RequestShape {
        var relay = RequestShape()
        relay.headerNames = relayHeaderNames
        relay.authorizationType = relayAuthorizationType
        relay.hookHeaderNames = relayHookHeaderNames
        relay.hookAuthorizationType = relayHookAuthorizationType
        return relay
    }

    /// Whether the download has secrets of its own.
    package var hasSecrets: Bool {
        !headerNames.isEmpty || bodyBytes != nil || authorizationType != nil
            || hasProxyCredentials || hasHookSecrets || hasRelaySecrets
    }

    /// Whether the receiver of its own `begin_hook` has fields or credentials.
    package var hasHookSecrets: Bool {
        !hookHeaderNames.isEmpty || hookAuthorizationType != nil
    }

    /// Whether the receiver of the finished file, or its hook, has fields or credentials.
    package var hasRelaySecrets: Bool {
        !relayHeaderNames.isEmpty || relayAuthorizationType != nil
            || !relayHookHeaderNames.isEmpty || relayHookAuthorizationType != nil
    }

    /// The members of the request that have secrets, and those of its hook and its receiver.
    package var secretMembers: [String] {
        ownSecretMembers + hook.ownSecretMembers.map(RequestShape.hookMember)
            + relay.ownSecretMembers.map { "destination/" + $0 }
            + relay.hook.ownSecretMembers.map { "destination/hook/" + $0 }
    }

    /// A member of `begin_hook`, as clients name it in a download or session.
    static func hookMember(_ name: String) -> String { "begin_hook/" + name }

    /// The members of the request that have secrets.
    var ownSecretMembers: [String] {
        var names: [String] = []
        if !headerNames.isEmpty { names.append("headers") }
        if authorizationType != nil { names.append("authorization") }
        if bodyBytes != nil { names.append("body") }
        if hasProxyCredentials { names.append("proxy") }
        return names
    }

    /// The names of the members that `stored` writes.
    package static let storedNames = [
        "method", "header_names", "body_bytes", "authorization_type", "proxy_url",
        "proxy_has_credentials", "hook_header_names", "hook_authorization_type",
        "relay_header_names", "relay_authorization_type", "relay_hook_header_names",
        "relay_hook_authorization_type", "session_has_secrets",
    ]

    /// The stored members: those that differ from a plain GET.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("method", &method, usually: .get)
        members.visit("header_names", &headerNames, usually: [])
        members.visit("body_bytes", &bodyBytes)
        members.visit("authorization_type", &authorizationType)
        members.visit("proxy_url", &proxyURL)
        members.visit("proxy_has_credentials", &hasProxyCredentials, usually: false)
        members.visit("hook_header_names", &hookHeaderNames, usually: [])
        members.visit("hook_authorization_type", &hookAuthorizationType)
        members.visit("relay_header_names", &relayHeaderNames, usually: [])
        members.visit("relay_authorization_type", &relayAuthorizationType)
        members.visit("relay_hook_header_names", &relayHookHeaderNames, usually: [])
        members.visit("relay_hook_authorization_type", &relayHookAuthorizationType)
        members.visit("session_has_secrets", &usesSession, usually: false)
    }

    /// Writes the members of the resource.
    func write(to writer: inout JSONWriter) {
        writer.member("method", method.rawValue)
        writer.key("headers")
        writer.beginObject()
        for name in headerNames {
            writer.key(any: name)
            writer.write(RequestShape.redacted)
        }
        writer.endObject()
        writer.member("body_bytes", bodyBytes)
        writer.key("authorization")
        if let authorizationType {
            writer.beginObject()
            writer.member("type", authorizationType)
            writer.endObject()
        } else {
            writer.writeNull()
        }
        writer.key("proxy")
        writer.beginObject()
        if let proxyURL {
            writer.member("url", proxyURL)
        } else {
            writer.member("mode", "none")
        }
        writer.endObject()
    }

    /// The type of the credentials, as a member of a resource.
    package var shownAuthorization: JSON {
        authorizationType.map { ["type": .string($0)] } ?? .null
    }

    /// Names with the placeholder as value.
    package static func redacted(_ names: [String]) -> JSON {
        .object(JSONObject(members: names.map { ($0, .string(redacted)) }))
    }
}
