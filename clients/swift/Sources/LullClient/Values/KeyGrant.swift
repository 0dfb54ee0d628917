// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `KeyGrant` of the API.
public struct KeyGrant: Codable, Hashable, Sendable {
    /// `app` of the API.
    public var app: String
    /// `scopes` of the API.
    public var scopes: [String]
    /// The limits of the app; null without one.
    public var limits: Limits
    /// Whether requests need a key.
    public var auth: AuthMode

    /// Makes one of its members; those that are left out are nil.
    public init(
        app: String,
        scopes: [String],
        limits: Limits,
        auth: AuthMode
    ) {
        self.app = app
        self.scopes = scopes
        self.limits = limits
        self.auth = auth
    }

    private enum CodingKeys: String, CodingKey {
        case app
        case scopes
        case limits
        case auth
    }

    /// The limits of the app; null without one.
    public struct Limits: Codable, Hashable, Sendable {
        /// `requests_per_second` of the API.
        public var requestsPerSecond: Double?
        /// `queued` of the API.
        public var queued: Int?
        /// `staged_bytes` of the API.
        public var stagedBytes: Int?

        /// Makes one of its members; those that are left out are nil.
        public init(
            requestsPerSecond: Double? = nil,
            queued: Int? = nil,
            stagedBytes: Int? = nil
        ) {
            self.requestsPerSecond = requestsPerSecond
            self.queued = queued
            self.stagedBytes = stagedBytes
        }

        private enum CodingKeys: String, CodingKey {
            case requestsPerSecond = "requests_per_second"
            case queued
            case stagedBytes = "staged_bytes"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.requestsPerSecond, forKey: .requestsPerSecond)
            try members.encode(self.queued, forKey: .queued)
            try members.encode(self.stagedBytes, forKey: .stagedBytes)
        }
    }
}
