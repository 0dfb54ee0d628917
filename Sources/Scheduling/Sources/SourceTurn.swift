package import Base

/// What a source has to do at an instant, as `SourceTimetable.turn` decides it.
package struct SourceTurn: Equatable, Sendable {
    /// A look that begins now.
    package struct Start: Equatable, Sendable {
        /// The instant that it is for.
        package var dueAt: Timestamp
        /// Whether it was asked for by a client or a trigger, and the schedule has no such instant.
        package var isAsked: Bool
        /// Whether it sends no validators, so that an origin that wrongly answers 304 is noticed.
        package var isFull: Bool
    }

    /// The order for the running look.
    package enum Stop: Equatable, Sendable {
        /// Its rule for overlaps ends it; its outcome is `canceled`.
        case cancel
        /// It has failed an attempt, and the next look is due; its outcome is `failed`.
        case giveUp
    }

    /// The instants that get no look, in their order.
    package var skips: [SkippedInstants] = []
    /// The look that begins; nil for none.
    package var start: Start?
    /// The order for the running look; nil for none.
    package var stop: Stop?
    /// The instant of the next turn, if nothing happens before; nil for none.
    package var nextTurn: Timestamp?

    /// A turn without work.
    package init() {}

    /// The instant behind the last skipped one; nil where a skip is not part of a row of them.
    private var behindSkips: Timestamp?

    /// Adds an instant that gets no look.
    ///
    /// - Parameters:
    ///   - instant: the instant.
    ///   - reason: the reason.
    ///   - next: the next instant of the schedule; nil for an instant that was handled before.
    mutating func skip(_ instant: Timestamp, _ reason: SkipReason, before next: Timestamp? = nil) {
        if let last = skips.last, last.reason == reason, behindSkips == instant {
            skips[skips.count - 1].last = instant
            skips[skips.count - 1].count += 1
        } else {
            skips.append(SkippedInstants(reason, instant))
        }
        behindSkips = next
    }
}
