// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How many downloads of an app run at once.
public struct AppLimits: Codable, Hashable, Sendable {
    /// Downloads of the app.
    public var perApp: Int?
    /// Downloads of a session, by its identifier or a pattern.
    public var perSession: JSONValue?
    /// Downloads from an origin, by host:port, host, *.domain or *; the narrowest pattern counts.
    public var perOrigin: JSONValue?

    /// Makes one of its members; those that are left out are nil.
    public init(
        perApp: Int? = nil,
        perSession: JSONValue? = nil,
        perOrigin: JSONValue? = nil
    ) {
        self.perApp = perApp
        self.perSession = perSession
        self.perOrigin = perOrigin
    }

    private enum CodingKeys: String, CodingKey {
        case perApp = "per_app"
        case perSession = "per_session"
        case perOrigin = "per_origin"
    }
}
