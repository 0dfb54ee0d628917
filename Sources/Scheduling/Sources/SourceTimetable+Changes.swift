// What clients and the ends of looks change in the state of a source.
package import Base

extension SourceTimetable {
    /// Gives the source a schedule, at its PUT or when the schedule was changed.
    ///
    /// - Parameters:
    ///   - schedule: the schedule, which counts from `now` on.
    ///   - looksAtOnce: whether the first instant is `now`, as that of a schedule that says every
    ///     how often.
    ///   - now: the instant of the change.
    package mutating func plan(
        _ schedule: Schedule, looksAtOnce: Bool, at now: Timestamp
    ) {
        anchor = now
        nextAt = looksAtOnce ? now : schedule(now)
        (queuedAt, passedUntil) = (nil, nil)
    }

    /// Suspends the source: its instants pass without looks, and a running look goes on.
    package mutating func suspend() {
        isSuspended = true
        askedAt = nil
    }

    /// Ends the suspension of the source; the instants that have passed get no looks.
    package mutating func resume(at now: Timestamp) {
        guard isSuspended else { return }
        isSuspended = false
        passedUntil = now
    }

    /// Asks for a look.
    ///
    /// - Parameters:
    ///   - now: the instant.
    ///   - pause: the least time since the last look began; zero for none.
    /// - Returns: whether it waits, because a look runs or began too short a time ago.
    package mutating func ask(at now: Timestamp, pause: Duration = .zero) -> Bool {
        let first = begunAt.map { max(now, $0 + pause) } ?? now
        let asked = askedAt.map { min($0, first) } ?? first
        askedAt = asked
        return running != nil || asked > now
    }

    /// Notes that the source asks for another file from now on, or asks for it in another way.
    ///
    /// A look that runs goes on. If it asks for another URL, its result is not the source's, and
    /// another look follows at its end.
    ///
    /// - Parameters:
    ///   - isOtherURL: whether the URL is another one.
    ///   - now: the instant of the change.
    package mutating func replaceRequest(isOtherURL: Bool, at now: Timestamp) {
        guard running != nil else { return }
        running?.hasOldTemplate = true
        guard isOtherURL else { return }
        running?.hasOldURL = true
        if !isSuspended { askedAt = min(askedAt ?? now, now) }
    }

    /// Notes the end of the running look.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - isGone: whether the origin answered 410, which counts as ten failures.
    ///   - now: the instant.
    ///   - schedule: the source's schedule.
    /// - Returns: whether the source needs attention from now on.
    package mutating func end(
        _ outcome: LookOutcome, isGone: Bool = false, at now: Timestamp, _ schedule: Schedule
    ) -> Bool {
        // A look without validators that failed has compared nothing, so another one follows.
        if running?.isFull == true, !outcome.isSuccess { fullAt = nil }
        running = nil
        if outcome.isSuccess {
            failures = 0
            guard needsAttention else { return false }
            needsAttention = false
            if let next = schedule(now) { nextAt = min(nextAt ?? next, next) }
            return false
        }
        guard outcome == .failed else { return false }
        failures += isGone ? SourceTimetable.failuresAtMost : 1
        guard failures >= SourceTimetable.failuresAtMost, !needsAttention else { return false }
        needsAttention = true
        let pause = SourceTimetable.attentionPause - .microseconds(1)
        // Instants that have come already are handled as they are.
        if let next = nextAt, next > now { nextAt = schedule((begunAt ?? now) + pause) }
        return true
    }

    /// Notes that the look of a turn did not begin, because its app has as many downloads as it may
    /// have.
    package func refused(_ turn: SourceTurn) -> SourceTurn {
        var turn = turn
        if let start = turn.start, !start.isAsked { turn.skip(start.dueAt, .quota) }
        turn.start = nil
        turn.nextTurn = nextAt
        return turn
    }

    /// The instant that is shown as the next look; nil while none is known.
    package var nextLookAt: Timestamp? {
        guard !isSuspended else { return nil }
        return [nextAt, askedAt].compactMap(\.self).min()
    }
}
