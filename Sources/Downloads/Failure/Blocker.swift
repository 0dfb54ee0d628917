// The reason why a download is not running yet.
package import Base

/// One reason why a download waits.
package struct Blocker: Equatable, Sendable {
    /// The kind of reason.
    package let code: BlockerCode
    /// The reason in one sentence.
    package let detail: String
    /// The time since which it holds.
    package let since: Timestamp
    /// The time at which it ends, or nil if unknown.
    package let until: Timestamp?
    /// The policy's rule, if one causes it.
    package let rule: String?
    /// Whether it is waived as the download's deadline comes near.
    package let isSoft: Bool
    /// The latest time at which a soft blocker is waived, if it comes before the end of what is
    /// waited for.
    package let waivedAt: Timestamp?

    /// Names a blocker.
    package init(
        _ code: BlockerCode, _ detail: String, since: Timestamp, until: Timestamp? = nil,
        rule: String? = nil, isSoft: Bool = false, waivedAt: Timestamp? = nil
    ) {
        self.isSoft = isSoft
        self.waivedAt = waivedAt
        self.code = code
        self.detail = detail
        self.since = since
        self.until = until
        self.rule = rule
    }

    /// The earliest end of the blocker; nil if unknown.
    package var leastUntil: Timestamp? { [until, waivedAt].compactMap(\.self).min() }

    /// Writes the blocker as clients see it.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code.rawValue)
        writer.member("detail", detail)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("rule", rule)
        writer.member("is_soft", isSoft)
        writer.member("waived_at", waivedAt)
        writer.endObject()
    }
}
