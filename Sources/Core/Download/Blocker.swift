// Why a download is not running yet.

/// One thing that holds a waiting download back.
package struct Blocker: Equatable, Sendable {
    /// Which.
    package let code: BlockerCode
    /// One plain sentence.
    package let detail: String
    /// Since when it holds.
    package let since: Timestamp
    /// When it ends, or nil if unknown.
    package let until: Timestamp?
    /// The policy's rule, if one causes it.
    package let rule: String?
    /// Whether it ceases to hold as the download's time passes.
    package let isSoft: Bool
    /// When a soft one ceases to hold at the latest, if that comes before what it waits for.
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

    /// Until when it holds at least; nil if that is not known.
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
