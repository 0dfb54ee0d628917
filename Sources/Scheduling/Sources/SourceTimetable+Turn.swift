// Decides at an instant which looks begin, stop, or are passed over.
package import Base

extension SourceTimetable {
    /// The next instant of a schedule behind an instant; nil for none.
    package typealias Schedule = (_ after: Timestamp) -> Timestamp?

    /// Handles the instants that have come, and moves the state on.
    ///
    /// - Parameters:
    ///   - now: the instant, by the database's clock.
    ///   - rules: the client's rules.
    ///   - schedule: the source's schedule.
    /// - Returns: what is to be done; the caller stores it together with this state. A look that
    ///   begins is noted by `begin`.
    package mutating func turn(
        at now: Timestamp, _ rules: Rules, _ schedule: Schedule
    ) -> SourceTurn {
        var turn = SourceTurn()
        guard !isSuspended else { return turn }
        var budget = SourceTimetable.instantsAtOnce
        passOver(&turn, &budget, schedule)
        if passedUntil == nil {
            startQueued(&turn, at: now)
            var isOpen = true
            while isOpen, budget > 0, let due = nextAt, due <= now {
                budget -= 1
                isOpen = handle(due, &turn, at: now, rules, schedule)
            }
            startQueued(&turn, at: now)
            startAsked(&turn, at: now)
            giveUpForOthers(&turn, at: now)
        }
        turn.nextTurn = nextTurn(after: turn, at: now)
        return turn
    }

    /// Notes the download of the look that a turn begins.
    package mutating func begin(
        _ start: SourceTurn.Start, as download: Identifier, at now: Timestamp
    ) {
        precondition(running == nil, "a source has one look at a time")
        running = RunningLook(dueAt: start.dueAt, download: download)
        running?.isFull = start.isFull
        begunAt = now
        if start.isFull { fullAt = now }
    }

    /// Skips the instants that a suspension passed over.
    private mutating func passOver(
        _ turn: inout SourceTurn, _ budget: inout Int, _ schedule: Schedule
    ) {
        guard let end = passedUntil else { return }
        if let queued = queuedAt {
            turn.skip(queued, .suspended)
            queuedAt = nil
        }
        while budget > 0, let due = nextAt, due <= end {
            budget -= 1
            nextAt = schedule(due)
            turn.skip(due, .suspended, before: nextAt)
        }
        if nextAt.map({ $0 > end }) ?? true { passedUntil = nil }
    }

    /// Handles one instant of the schedule that has come.
    ///
    /// - Returns: whether the next one can be handled in the same turn.
    private mutating func handle(
        _ due: Timestamp, _ turn: inout SourceTurn, at now: Timestamp, _ rules: Rules,
        _ schedule: Schedule
    ) -> Bool {
        let following = following(due, at: now, schedule)
        let isLate = now - due > SourceTimetable.lateness
        switch rules.catchUp {
        case .none where isLate, .latest where following.map({ $0 <= now }) ?? false:
            turn.skip(due, .missed, before: following)
        case .all where now - due > rules.catchUpWindow && isLate:
            turn.skip(due, .missed, before: following)
        case .all where isLate && running != nil:
            // It is caught up when the running look has ended.
            if running?.hasFailed == true { stop(.giveUp, &turn) }
            return false
        default:
            guard turn.start == nil else { return false }
            if running == nil {
                start(&turn, dueAt: due, isAsked: false, at: now)
            } else {
                overlap(due, &turn, before: following, rules)
            }
        }
        nextAt = following
        return true
    }

    /// The instant behind one that was handled: a source that needs attention looks once a day.
    private func following(
        _ due: Timestamp, at now: Timestamp, _ schedule: Schedule
    ) -> Timestamp? {
        guard needsAttention else { return schedule(due) }
        let pause = SourceTimetable.attentionPause - .microseconds(1)
        return schedule(max(due, now + pause))
    }

    /// Handles an instant that comes before the running look has ended.
    private mutating func overlap(
        _ due: Timestamp, _ turn: inout SourceTurn, before following: Timestamp?, _ rules: Rules
    ) {
        guard let look = running else { return }
        switch rules.overlap {
        case _ where look.hasFailed && !look.isEnding:
            stop(.giveUp, &turn)
            queue(due, &turn)
        case _ where look.isGivenUp && queuedAt == nil:
            queuedAt = due
        case .cancelOther:
            if !look.isEnding { stop(.cancel, &turn) }
            queue(due, &turn)
        case .queueOne where queuedAt == nil:
            queuedAt = due
        case .skip where !look.hasBegun, .queueOne where !look.hasBegun:
            turn.skip(due, .policy, before: following)
        case .skip, .queueOne:
            turn.skip(due, .overlap, before: following)
        }
    }

    private mutating func stop(_ stop: SourceTurn.Stop, _ turn: inout SourceTurn) {
        guard running?.isEnding == false else { return }
        turn.stop = stop
        running?.isEnding = true
        running?.isGivenUp = stop == .giveUp
    }

    /// Lets the look of an instant begin when the running one has ended, in place of an earlier
    /// one.
    private mutating func queue(_ due: Timestamp, _ turn: inout SourceTurn) {
        if let earlier = queuedAt { turn.skip(earlier, .overlap) }
        queuedAt = due
    }

    private mutating func startQueued(_ turn: inout SourceTurn, at now: Timestamp) {
        guard running == nil, turn.start == nil, let queued = queuedAt else { return }
        queuedAt = nil
        start(&turn, dueAt: queued, isAsked: false, at: now)
    }

    private mutating func startAsked(_ turn: inout SourceTurn, at now: Timestamp) {
        guard running == nil, let asked = askedAt, asked <= now else { return }
        askedAt = nil
        // A look that begins anyhow is the one that was asked for.
        guard turn.start == nil else { return }
        start(&turn, dueAt: asked, isAsked: true, at: now)
    }

    private func start(
        _ turn: inout SourceTurn, dueAt: Timestamp, isAsked: Bool, at now: Timestamp
    ) {
        let isFull = fullAt.map { now - $0 >= SourceTimetable.fullPause } ?? true
        turn.start = SourceTurn.Start(dueAt: dueAt, isAsked: isAsked, isFull: isFull)
    }

    /// Lets the running look give up if another look waits for it and it has failed an attempt;
    /// repeats the order to one that was stopped, because the replica that gave it may have died.
    private mutating func giveUpForOthers(_ turn: inout SourceTurn, at now: Timestamp) {
        guard let look = running, isAwaited(at: now) else { return }
        if look.isEnding {
            turn.stop = turn.stop ?? (look.isGivenUp ? .giveUp : .cancel)
        } else if look.hasFailed {
            stop(.giveUp, &turn)
        }
    }

    private func isAwaited(at now: Timestamp) -> Bool {
        queuedAt != nil || [nextAt, askedAt].contains { $0.map { $0 <= now } ?? false }
    }

    private func nextTurn(after turn: SourceTurn, at now: Timestamp) -> Timestamp? {
        var instants = [nextAt, askedAt].compactMap(\.self)
        if let passedUntil { instants.append(passedUntil) }
        guard running != nil else { return instants.min() }
        // The end of the running look causes a turn as well.
        instants.removeAll { $0 <= now }
        if isAwaited(at: now) { instants.append(now + SourceTimetable.lateness) }
        return instants.min()
    }
}
