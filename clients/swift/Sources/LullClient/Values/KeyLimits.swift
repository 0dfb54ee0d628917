// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The limits of the app, for all its keys; null without one.
public struct KeyLimits: Codable, Hashable, Sendable {
    /// The most requests a second.
    public var requestsPerSecond: Double?
    /// The most downloads and uploads that have not ended.
    public var queued: Int?
    /// The most downloads that run at once, over all replicas.
    public var running: Int?
    /// The most bytes of uploads that have not ended.
    public var stagedBytes: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        requestsPerSecond: Double? = nil,
        queued: Int? = nil,
        running: Int? = nil,
        stagedBytes: Int? = nil
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.queued = queued
        self.running = running
        self.stagedBytes = stagedBytes
    }

    private enum CodingKeys: String, CodingKey {
        case requestsPerSecond = "requests_per_second"
        case queued
        case running
        case stagedBytes = "staged_bytes"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.requestsPerSecond, forKey: .requestsPerSecond)
        try members.encode(self.queued, forKey: .queued)
        try members.encode(self.running, forKey: .running)
        try members.encode(self.stagedBytes, forKey: .stagedBytes)
    }
}
