// Why a download is not running yet.

/// What may hold a waiting download back; a closed list.
package enum BlockerCode: String, Sendable, CaseIterable {
    /// Its date has not come.
    case earliestBeginDate = "earliest_begin_date"
    /// A window of the policy is closed.
    case window
    /// The bandwidth for it is 0 at this time.
    case bandwidthZero = "bandwidth_zero"
    /// Its session runs as many as it may.
    case sessionLimit = "session_limit"
    /// Its origin is used as much as it may be.
    case originLimit = "origin_limit"
    /// Every slot is taken, or the next turn has not come.
    case slots
    /// An attempt failed and the next has its time.
    case retryBackoff = "retry_backoff"
    /// The origin asked for time (Retry-After).
    case originPushback = "origin_pushback"
    /// The disk has no room for it.
    case diskReserve = "disk_reserve"
    /// The service is about to stop.
    case draining
}

/// One thing that holds a waiting download back.
package struct Blocker: Equatable, Sendable {
    /// Which.
    package let code: BlockerCode
    /// One plain sentence.
    package let detail: String
    /// Since when it holds.
    package let since: Timestamp
    /// When it ends, or nil if nobody can know.
    package let until: Timestamp?
    /// The rule of the policy that says so.
    package let rule: String?

    /// Names a blocker.
    package init(
        _ code: BlockerCode, _ detail: String, since: Timestamp, until: Timestamp? = nil,
        rule: String? = nil
    ) {
        self.code = code
        self.detail = detail
        self.since = since
        self.until = until
        self.rule = rule
    }

    /// Writes the blocker as clients see it.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code.rawValue)
        writer.member("detail", detail)
        writer.member("since", since)
        writer.member("until", until)
        writer.member("rule", rule)
        writer.member("is_soft", false)
        writer.endObject()
    }
}
