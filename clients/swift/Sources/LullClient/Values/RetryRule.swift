// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Statuses that the client knows to pass by themselves, such as a 403 of a CDN or a 404 of a
/// mirror that is not filled yet; a download's rule replaces that of its session.
///
/// An answer with one of `statuses` is tried again, counted apart from other failures: `attempts`
/// times since the last new byte, for at most `for_seconds` since the first of them, with waits of
/// at most `for_seconds / attempts`. After that, and for a signed URL whose time is over
/// (`url_expired`), the status means what it means without the rule; a time that the origin tells
/// wins. A POST without `Idempotency-Key` is repeated after 408, 425 and 429 only.
public struct RetryRule: Codable, Hashable, Sendable {
    /// 400 to 499 without 401 and 407.
    public var statuses: [Int]
    /// At most `LULL_RETRY_RULE_ATTEMPTS` (100).
    public var attempts: Int
    /// At most `LULL_RETRY_RULE_TIME` (7 days).
    public var forSeconds: Int

    /// Makes one of its members; those that are left out are nil.
    public init(
        statuses: [Int],
        attempts: Int,
        forSeconds: Int
    ) {
        self.statuses = statuses
        self.attempts = attempts
        self.forSeconds = forSeconds
    }

    private enum CodingKeys: String, CodingKey {
        case statuses
        case attempts
        case forSeconds = "for_seconds"
    }
}
