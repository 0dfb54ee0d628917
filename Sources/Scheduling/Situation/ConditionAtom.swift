package import Base

/// A requirement on a condition, with the state that hysteresis needs.
///
/// It opens when its comparison has held for the required time. It closes when the comparison fails
/// or, if a release is given, when the release holds. A comparison that changes often has to hold
/// for longer.
package struct ConditionAtom: Equatable, Sendable {
    /// The number of changes within `flipSpan` that doubles the time for which the comparison has
    /// to hold.
    static let flipsAllowed = 4
    /// The time over which changes are counted; after this time without one, the comparison has to
    /// hold for its own time only.
    static let flipSpan = Duration.seconds(600)
    /// The longest time that doubling leads to.
    static let dampedAtMost = Duration.seconds(600)
    /// The least time that is doubled, for a requirement with a shorter one of its own.
    static let dampedAtLeast = Duration.seconds(15)

    /// The requirement.
    package let requirement: Requirement
    private let comparison: Comparison
    /// Whether it is met.
    package private(set) var isOpen = false
    /// The time since which it is met, or is not; nil for longer than known.
    package private(set) var since: Timestamp?
    /// The time since which the comparison holds without a break.
    private var holdsSince: Timestamp?
    /// The time at which it was met last; nil if it never was while it was observed.
    package private(set) var lastOpen: Timestamp?
    /// The time since which it is observed.
    package let watchedSince: Timestamp
    /// The time for which its comparison has to hold.
    package private(set) var hold: Duration
    private var flips: [Timestamp] = []
    private var isFresh = true
    private(set) var seenAt: Timestamp

    /// Begins to observe; nil for a requirement on a window.
    init?(_ requirement: Requirement, from now: Timestamp) {
        guard case .condition(_, let comparison) = requirement.subject else { return nil }
        self.requirement = requirement
        self.comparison = comparison
        hold = requirement.hold
        watchedSince = now
        seenAt = now
    }

    /// Whether the comparison has to hold for longer because it changed often.
    package var isDamped: Bool { hold > requirement.hold }

    /// Applies the values of a track up to an instant.
    mutating func advance(over track: ConditionTrack, to now: Timestamp) {
        guard now >= seenAt else { return }
        var from = seenAt
        for instant in track.changes where instant > from && instant <= now {
            pass(track.value(at: from), from: from, to: instant)
            from = instant
        }
        // The last instant is judged apart, because the track may have another value there.
        pass(track.value(at: from), from: from, to: now)
        enter(track.value(at: now), at: now)
        seenAt = now
    }

    /// The first instant from `start` on at which it is met, as far as the track has values.
    func opening(over track: ConditionTrack, from start: Timestamp) -> Timestamp? {
        var atom = self
        atom.advance(over: track, to: start)
        if atom.isOpen { return start }
        for instant in track.changes where instant > start {
            if let opens = atom.opensNext, opens < instant { return max(opens, start) }
            atom.advance(over: track, to: instant)
            if atom.isOpen { return max(atom.since ?? instant, start) }
        }
        return atom.opensNext.map { max($0, start) }
    }

    /// The first instant after `start` at which it is not met, as far as the track has values.
    func closing(over track: ConditionTrack, after start: Timestamp) -> Timestamp? {
        var atom = self
        atom.advance(over: track, to: start)
        guard atom.isOpen else { return start }
        for instant in track.changes where instant > start {
            atom.advance(over: track, to: instant)
            if !atom.isOpen { return instant }
        }
        return nil
    }

    /// The time at which it opens if the value stays; nil if the comparison does not hold.
    var opensAt: Timestamp? { isOpen ? nil : holdsSince.map { $0 + hold } }

    /// The time at which it opens if the value stays, with the damping over before that if it ends:
    /// then the comparison has to hold for its own time only.
    private var opensNext: Timestamp? {
        guard let opens = opensAt, let holdsSince else { return nil }
        guard let calm = calmAt, calm < opens else { return opens }
        return max(calm, holdsSince + requirement.hold)
    }

    /// The time at which the damping ends if nothing changes; nil without damping.
    private var calmAt: Timestamp? {
        isDamped ? since.map { $0 + ConditionAtom.flipSpan } : nil
    }

    private mutating func pass(_ value: ConditionValue?, from: Timestamp, to end: Timestamp) {
        enter(value, at: from)
        var start = from
        // The result does not depend on how often the state is asked for.
        while let next = [opensAt, calmAt].compactMap(\.self).min(), next < end {
            start = max(start, next)
            if next == calmAt { hold = requirement.hold } else { turn(to: true, at: start) }
        }
        if isOpen { lastOpen = max(lastOpen ?? end, end) }
        calm(at: end)
    }

    /// Judges a value that holds from an instant on.
    private mutating func enter(_ value: ConditionValue?, at now: Timestamp) {
        let holds = value.map { comparison.holds($0) } ?? false
        holdsSince = holds ? holdsSince ?? now : nil
        if isOpen {
            let isReleased = value.map { value in requirement.release?.holds(value) ?? !holds }
            if isReleased ?? true { turn(to: false, at: now) }
        } else if let opens = opensAt, opens <= now {
            turn(to: true, at: now)
        } else if isFresh {
            since = now
        }
        isFresh = false
    }

    private mutating func turn(to open: Bool, at now: Timestamp) {
        guard isOpen != open else { return }
        isOpen = open
        since = now
        if open { lastOpen = now }
        flips = flips.filter { now - $0 < ConditionAtom.flipSpan } + [now]
        guard flips.count >= ConditionAtom.flipsAllowed else { return }
        hold = min(
            ConditionAtom.dampedAtMost, max(hold, ConditionAtom.dampedAtLeast) * 2)
        hold = max(hold, requirement.hold)
        flips = []
    }

    /// Ends the damping after a time without a change.
    private mutating func calm(at now: Timestamp) {
        guard isDamped, let since, now - since >= ConditionAtom.flipSpan else { return }
        hold = requirement.hold
    }
}
