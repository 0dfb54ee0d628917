// The instants of a source, and what becomes of each: it gets a look, or is passed over for a
// reason.
package import Base
package import Downloads

/// The state of a source's looks.
///
/// It is a value without a clock: `turn` takes the instant and the schedule, and moves the state
/// on. A replica stores the new state, the passed-over instants and the begun look in one
/// transaction, so that each instant of the schedule is handled once by all replicas together.
package struct SourceTimetable: MemberList {
    /// The rules that its client gave.
    package struct Rules: Equatable, Sendable {
        /// The rule for an instant whose predecessor has not ended.
        package var overlap = OverlapRule.skip
        /// The rule for instants that passed while no replica worked.
        package var catchUp = CatchUpRule.latest
        /// The age up to which `all` gives a passed instant its look.
        package var catchUpWindow = Duration.seconds(86_400)

        /// The default rules.
        package init() {}
    }

    /// The delay from which on an instant counts as passed while no replica worked.
    package static let lateness = Duration.seconds(60)
    /// The pause between the looks of a source that needs attention.
    package static let attentionPause = Duration.seconds(86_400)
    /// The time after which a look goes without validators.
    package static let fullPause = Duration.seconds(7 * 86_400)
    /// The failed looks in a row from which on a source needs attention.
    package static let failuresAtMost: Int64 = 10
    /// The most instants that one turn handles; the next turn handles the others at once.
    package static let instantsAtOnce = 10_000

    /// The instant from which its schedule counts: the PUT that gave the schedule.
    package var anchor = Timestamp.epoch
    /// The next instant of its schedule; nil for none.
    package var nextAt: Timestamp?
    /// The instant up to which a suspension passed over the schedule; nil for none.
    package var passedUntil: Timestamp?
    /// The instant whose look begins when the running one has ended; nil for none.
    package var queuedAt: Timestamp?
    /// The instant at which a look begins that a client or a trigger asked for; nil for none.
    package var askedAt: Timestamp?
    /// The look that has not ended; nil for none.
    package var running: RunningLook?
    /// The time at which a look began last; nil before the first.
    package var begunAt: Timestamp?
    /// The time at which a look without validators began last; nil before the first.
    package var fullAt: Timestamp?
    /// Whether it is suspended.
    package var isSuspended = false
    /// The failed looks since the last one that succeeded.
    package var failures: Int64 = 0
    /// Whether it needs attention: then it looks once a day at most.
    package var needsAttention = false
    /// The learned interval in seconds; nil before the first version.
    package var learned: Int64?
    /// The least interval in seconds that the last answer named, such as `max-age`; nil for none.
    package var told: Int64?
    /// The times in which a feed with a learned interval is not looked at.
    package var quiet = QuietTimes()

    /// The state of a source that has not looked yet.
    package init() {}

    /// The blank value that reading fills in.
    package static let blank = SourceTimetable()

    /// The members as they are stored.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("anchor", &anchor)
        members.visit("next_at", &nextAt, .leftOut)
        members.visit("passed_until", &passedUntil, .leftOut)
        members.visit("queued_at", &queuedAt, .leftOut)
        members.visit("asked_at", &askedAt, .leftOut)
        members.visit("running", &running, .leftOut)
        members.visit("begun_at", &begunAt, .leftOut)
        members.visit("full_at", &fullAt, .leftOut)
        members.visit("is_suspended", &isSuspended, usually: false)
        members.visit("failures", &failures, usually: 0)
        members.visit("needs_attention", &needsAttention, usually: false)
        members.visit("learned", &learned, .leftOut)
        members.visit("told", &told, .leftOut)
        members.visit("quiet", &quiet, usually: QuietTimes())
    }
}
