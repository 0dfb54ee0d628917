// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How many downloads run at once.
public struct PolicyLimits: Codable, Hashable, Sendable {
    /// Downloads of the deployment.
    public var running: Int?
    /// Downloads of one process.
    public var perReplica: Int?
    /// Downloads of an app, by its name or a pattern.
    public var perApp: JSONValue?
    /// Downloads of a session, by its identifier or a pattern.
    public var perSession: JSONValue?
    /// Downloads from an origin, by host:port, host, *.domain or *; the narrowest pattern counts.
    public var perOrigin: JSONValue?

    /// Makes one of its members; those that are left out are nil.
    public init(
        running: Int? = nil,
        perReplica: Int? = nil,
        perApp: JSONValue? = nil,
        perSession: JSONValue? = nil,
        perOrigin: JSONValue? = nil
    ) {
        self.running = running
        self.perReplica = perReplica
        self.perApp = perApp
        self.perSession = perSession
        self.perOrigin = perOrigin
    }

    private enum CodingKeys: String, CodingKey {
        case running
        case perReplica = "per_replica"
        case perApp = "per_app"
        case perSession = "per_session"
        case perOrigin = "per_origin"
    }
}
