// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `WebhookStatistics` of the API.
public struct WebhookStatistics: Codable, Hashable, Sendable {
    /// Tries that were answered with 2xx.
    public var succeeded: Int?
    /// Tries that were not.
    public var failed: Int?
    /// Deliveries that wait.
    public var pending: Int?
    /// Deliveries that were given up.
    public var exhausted: Int
    /// Deliveries that are not tried any more.
    public var abandoned: Int
    /// `last_success_at` of the API.
    public var lastSuccessAt: Date?
    /// `last_failure_at` of the API.
    public var lastFailureAt: Date?
    /// The first failure since the last 2xx.
    public var failingSince: Date?
    /// `resting` of the API.
    public var resting: [Resting]

    /// Makes one of its members; those that are left out are nil.
    public init(
        exhausted: Int,
        abandoned: Int,
        resting: [Resting],
        succeeded: Int? = nil,
        failed: Int? = nil,
        pending: Int? = nil,
        lastSuccessAt: Date? = nil,
        lastFailureAt: Date? = nil,
        failingSince: Date? = nil
    ) {
        self.succeeded = succeeded
        self.failed = failed
        self.pending = pending
        self.exhausted = exhausted
        self.abandoned = abandoned
        self.lastSuccessAt = lastSuccessAt
        self.lastFailureAt = lastFailureAt
        self.failingSince = failingSince
        self.resting = resting
    }

    private enum CodingKeys: String, CodingKey {
        case succeeded
        case failed
        case pending
        case exhausted
        case abandoned
        case lastSuccessAt = "last_success_at"
        case lastFailureAt = "last_failure_at"
        case failingSince = "failing_since"
        case resting
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.succeeded, forKey: .succeeded)
        try members.encode(self.failed, forKey: .failed)
        try members.encode(self.pending, forKey: .pending)
        try members.encode(self.exhausted, forKey: .exhausted)
        try members.encode(self.abandoned, forKey: .abandoned)
        try members.encode(self.lastSuccessAt, forKey: .lastSuccessAt)
        try members.encode(self.lastFailureAt, forKey: .lastFailureAt)
        try members.encode(self.failingSince, forKey: .failingSince)
        try members.encode(self.resting, forKey: .resting)
    }

    /// `Resting` of the API.
    public struct Resting: Codable, Hashable, Sendable {
        /// `url` of the API.
        public var url: String
        /// RFC 3339 in UTC with milliseconds.
        public var since: Date
        /// RFC 3339 in UTC with milliseconds.
        public var until: Date

        /// Makes one of its members; those that are left out are nil.
        public init(
            url: String,
            since: Date,
            until: Date
        ) {
            self.url = url
            self.since = since
            self.until = until
        }

        private enum CodingKeys: String, CodingKey {
            case url
            case since
            case until
        }
    }
}
