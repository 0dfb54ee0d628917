/// A change to a key through the API, as the log has it.
package struct KeyChange: Sendable {
    /// The ways to change a key.
    package enum Kind: String, Sendable {
        /// It was made.
        case created
        /// Its scopes or the limits of its app were changed.
        case changed
        /// It was revoked.
        case revoked
    }

    /// The way it was changed.
    package let kind: Kind
    /// The key's number.
    package let number: Int64
    /// The app that it belongs to.
    package let app: String
    /// Its scopes, by name.
    package let scopes: [String]
    /// The number of the key that asked for it; nil where no keys are needed.
    package let by: Int64?
    /// The request.
    package let requestID: String
}
