// The secrets that webhooks are signed with, as text and at rest.
package import Base

/// The secret of an endpoint, or of the webhook URLs of an app: 24 to 64 random bytes.
package struct EndpointSecret: Equatable, Sendable {
    /// The number of bytes of a secret that Lull makes.
    package static let madeBytes = 32

    /// The key of the HMAC.
    package let key: [UInt8]

    /// Creates a secret from a key.
    package init(key: [UInt8]) { self.key = key }

    /// Reads the text form of Standard Webhooks, `whsec_` and base64 of 24 to 64 bytes.
    ///
    /// - Returns: nil for any other text.
    package init?(_ text: String) {
        guard text.hasPrefix("whsec_"), let key = Base64.decode(String(text.dropFirst(6))),
            (24...64).contains(key.count)
        else { return nil }
        self.key = key
    }

    /// The text form.
    package var text: String { "whsec_" + Base64.encode(key) }

    /// The associated data that binds a sealed secret to its endpoint, or to the app.
    ///
    /// - Parameters:
    ///   - endpoint: its identifier; nil for the `default` of the app.
    ///   - app: the app's number.
    /// - Returns: names the place in the store.
    package static func associatedData(of endpoint: Identifier?, app: Int64) -> [UInt8] {
        let name = endpoint?.text(.endpoint) ?? "default"
        return Array("webhook_endpoints.secret/\(app)/\(name)".utf8)
    }
}
