// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `KeyLimitsPatch` of the API.
public struct KeyLimitsPatch: Codable, Hashable, Sendable {
    /// `requests_per_second` of the API.
    public var requestsPerSecond: Change<Double>?
    /// `queued` of the API.
    public var queued: Change<Int>?
    /// `running` of the API.
    public var running: Change<Int>?
    /// `staged_bytes` of the API.
    public var stagedBytes: Change<Int>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        requestsPerSecond: Change<Double>? = nil,
        queued: Change<Int>? = nil,
        running: Change<Int>? = nil,
        stagedBytes: Change<Int>? = nil
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

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.requestsPerSecond = try members.change(Double.self, at: .requestsPerSecond)
        self.queued = try members.change(Int.self, at: .queued)
        self.running = try members.change(Int.self, at: .running)
        self.stagedBytes = try members.change(Int.self, at: .stagedBytes)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.requestsPerSecond, forKey: .requestsPerSecond)
        try members.encodeIfPresent(self.queued, forKey: .queued)
        try members.encodeIfPresent(self.running, forKey: .running)
        try members.encodeIfPresent(self.stagedBytes, forKey: .stagedBytes)
    }
}
