// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A look, or adjacent instants without one.
public struct Look: Codable, Hashable, Sendable {
    /// RFC 3339 in UTC with milliseconds.
    public var dueAt: Date
    /// RFC 3339 in UTC with milliseconds.
    public var lastDueAt: Date
    /// `count` of the API.
    public var count: Int
    /// Null while it runs or waits.
    public var outcome: LookOutcome?
    /// Of a skipped instant `overlap`, `policy` (the look before it was held back), `quota`,
    /// `suspended` or `missed`; of a failed look the code of the failure, `gave_up` for the next
    /// look, the problem that refused its download, or `feed_…` and `content_unavailable` for a
    /// feed that could not be read; of a canceled one `url_changed` if the source got another URL
    /// meanwhile.
    ///
    /// `quota` of a feed counts the items for which the app had no room.
    public var reason: String?
    /// `download` of the API.
    public var download: String?
    /// How many items of a feed it queued; absent for a file.
    public var items: Int?
    /// The place of the fault in a feed that could not be read.
    public var detail: String?
    /// A client asked for it.
    public var isAsked: Bool
    /// False once a week, so that an origin that wrongly answers 304 is noticed.
    public var sendsValidators: Bool
    /// `begun_at` of the API.
    public var begunAt: Date?
    /// `ended_at` of the API.
    public var endedAt: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        dueAt: Date,
        lastDueAt: Date,
        count: Int,
        isAsked: Bool,
        sendsValidators: Bool,
        outcome: LookOutcome? = nil,
        reason: String? = nil,
        download: String? = nil,
        items: Int? = nil,
        detail: String? = nil,
        begunAt: Date? = nil,
        endedAt: Date? = nil
    ) {
        self.dueAt = dueAt
        self.lastDueAt = lastDueAt
        self.count = count
        self.outcome = outcome
        self.reason = reason
        self.download = download
        self.items = items
        self.detail = detail
        self.isAsked = isAsked
        self.sendsValidators = sendsValidators
        self.begunAt = begunAt
        self.endedAt = endedAt
    }

    private enum CodingKeys: String, CodingKey {
        case dueAt = "due_at"
        case lastDueAt = "last_due_at"
        case count
        case outcome
        case reason
        case download
        case items
        case detail
        case isAsked = "is_asked"
        case sendsValidators = "sends_validators"
        case begunAt = "begun_at"
        case endedAt = "ended_at"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.dueAt, forKey: .dueAt)
        try members.encode(self.lastDueAt, forKey: .lastDueAt)
        try members.encode(self.count, forKey: .count)
        try members.encode(self.outcome, forKey: .outcome)
        try members.encode(self.reason, forKey: .reason)
        try members.encode(self.download, forKey: .download)
        try members.encodeIfPresent(self.items, forKey: .items)
        try members.encodeIfPresent(self.detail, forKey: .detail)
        try members.encode(self.isAsked, forKey: .isAsked)
        try members.encode(self.sendsValidators, forKey: .sendsValidators)
        try members.encode(self.begunAt, forKey: .begunAt)
        try members.encode(self.endedAt, forKey: .endedAt)
    }
}
