// The facts of the last days: the policy in force, and the requirements that were not met.
package import Base
package import Downloads

/// The facts of the past, from which the parts of a wait are computed.
///
/// Windows and dates follow from the policies; for requirements on conditions the history keeps
/// when they were met, and the changes that were known in advance. A change does not touch any
/// download.
package struct FactsHistory: Equatable, Sendable {
    /// The time for which facts are kept.
    package static let memory = Duration.seconds(8 * 86_400)
    private static let policiesAtMost = 32
    private static let piecesAtMost = 4096

    /// A policy from an instant on.
    private struct Era: Equatable {
        var from: Timestamp
        var policy: Policy
        var zone: TimeZoneRules
    }

    /// The state of a requirement from an instant on, until the next piece.
    package struct Piece: Equatable, Sendable {
        /// The time at which the state began.
        package var from: Timestamp
        /// Whether it was met.
        package var isMet: Bool
        /// Whether its changes were known in advance.
        var isForeseen = false
        /// The next change that was known at that time.
        var until: Timestamp?
    }

    private var eras: [Era]
    private var pieces: [Requirement: [Piece]] = [:]
    /// The downloads that a pause of an origin holds back: those of one app.
    package struct Pushed: Hashable, Sendable {
        /// The origin's number.
        package let origin: Int64
        /// The app's number.
        package let app: Int64

        /// Creates a key for an app's downloads of an origin.
        package init(origin: Int64, app: Int64) {
            self.origin = origin
            self.app = app
        }
    }

    /// The times at which origins asked apps for no requests.
    private(set) var pushbacks = PauseHistory<Pushed>()
    /// The times at which origins, or the network, were not reached.
    private(set) var outages = OutageHistory()
    /// The free space of the content's volume.
    private(set) var rooms = DiskSpaceHistory()
    /// The times at which gates were full.
    private(set) var gates = GateHistory()
    /// The learned rates and sizes of the present: former ones are not kept.
    package var learned = LearnedFacts()

    /// Creates a history that begins with the start of a process.
    package init(_ policy: Policy, _ zone: TimeZoneRules, at now: Timestamp) {
        eras = [Era(from: now, policy: policy, zone: zone)]
    }

    /// Notes a new policy.
    package mutating func take(_ policy: Policy, _ zone: TimeZoneRules, at now: Timestamp) {
        let from = max(now, eras[eras.count - 1].from)
        eras.append(Era(from: from, policy: policy, zone: zone))
        if eras.count > FactsHistory.policiesAtMost { eras.removeFirst() }
        let used = Set(eras.flatMap(\.policy.judgedRules).flatMap(\.requirements))
        pieces = pieces.filter { used.contains($0.key) }
    }

    /// Notes that an origin asks an app for no requests until an instant.
    package mutating func note(pushback until: Timestamp, of pushed: Pushed, at now: Timestamp) {
        pushbacks.note(pushed, until: until, at: now)
    }

    /// Notes the outage of an origin that a look shows, or of the network, for which `origin` is
    /// nil.
    package mutating func note(_ outage: Outage?, of origin: Int64?, at now: Timestamp) {
        outages.note(outage, of: origin, at: now)
    }

    /// Notes the outages of all origins of a look.
    package mutating func note(outagesOf heads: [LaneHead], at now: Timestamp) {
        guard !outages.isOver || heads.contains(where: { $0.origin.outage != nil }) else { return }
        for head in heads { outages.note(head.origin.outage, of: head.originKey, at: now) }
    }

    /// The number of origins that were not reached at the last look.
    package func unreachableOrigins(at now: Timestamp) -> Int { outages.origins(at: now) }

    /// Whether at the last look an origin asked an app for no requests, or was not reached.
    package func isHeldBack(_ pushed: Pushed, at now: Timestamp) -> Bool {
        pushbacks.end(of: pushed, at: now) != nil || outages.isOpen(pushed.origin)
    }

    /// Notes gates that became full, or have a place again.
    package mutating func note(_ changes: [GateChange], at now: Timestamp) {
        for change in changes { gates.note(change, at: now) }
    }

    /// Notes a reading of the content's volume.
    package mutating func note(_ disk: DiskReading, at now: Timestamp) {
        rooms.note(disk, at: now)
    }

    /// Notes the states of requirements; called at every change, and from time to time.
    ///
    /// - Parameters:
    ///   - conditions: what is known.
    ///   - now: the instant.
    ///   - isPast: whether it is of a time without this process: what is measured was not read
    ///     then, and is not noted.
    package mutating func note(
        _ conditions: ConditionBook, at now: Timestamp, isPast: Bool = false
    ) {
        let requirements = Set(eras[eras.count - 1].policy.judgedRules.flatMap(\.requirements))
        for requirement in requirements where requirement.condition != nil {
            let state = conditions.state(of: requirement, at: now)
            if isPast, state.isMeasured { continue }
            let known = state.isForeseen ? state.until : nil
            let last = pieces[requirement]?.last
            let before = last ?? Piece(from: .epoch, isMet: true)
            guard
                before.isMet != state.isMet || before.isForeseen != state.isForeseen
                    || before.until != known
            else { continue }
            // The begin of a state is known exactly; a change of the forecast counts from now on.
            let since = before.isMet == state.isMet ? now : state.since ?? now
            pieces[requirement, default: []].append(
                Piece(
                    from: min(now, max(since, before.from)), isMet: state.isMet,
                    isForeseen: state.isForeseen, until: known))
        }
        forget(at: now)
    }

    /// The states of a requirement, in order.
    package func pieces(of requirement: Requirement) -> [Piece] { pieces[requirement] ?? [] }

    private mutating func forget(at now: Timestamp) {
        let oldest = now - FactsHistory.memory
        for requirement in pieces.keys {
            guard let list = pieces[requirement] else { continue }
            // The last piece before the kept time tells how that began.
            let old = (list.lastIndex { $0.from <= oldest } ?? 0)
            let count = max(old, list.count - FactsHistory.piecesAtMost)
            if count > 0 { pieces[requirement]?.removeFirst(count) }
        }
    }

    /// Whether anything but dates and limits held downloads back in this time.
    package var hasRules: Bool {
        eras.contains { !$0.policy.allRules.isEmpty || $0.policy.bandwidth.canStop }
    }

    /// Whether the volume's free space or a pause of its origin may have held a candidate back.
    func mayHold(
        _ candidate: AdmissionCandidate, from start: Timestamp, to end: Timestamp
    ) -> Bool {
        rooms.isShort(of: candidate.need, from: start, to: end)
            || candidate.pushed.map { pushbacks.has($0, from: start, to: end) } ?? false
            || outages.has(candidate, from: start, to: end)
    }

    private func era(at instant: Timestamp) -> Era {
        eras.last { $0.from <= instant } ?? eras[0]
    }

    /// The situation at an instant of the past.
    func situation(at instant: Timestamp) -> Situation {
        let era = era(at: instant)
        return Situation(
            now: instant, policy: era.policy, zone: era.zone,
            disk: rooms.reading(at: instant), learned: learned, history: self)
    }

    /// The state of a requirement on a condition at an instant; one without a record counts as met.
    func state(of requirement: Requirement, at instant: Timestamp) -> AtomState {
        let piece =
            pieces[requirement]?.last { $0.from <= instant }
            ?? Piece(from: .epoch, isMet: true)
        return AtomState(
            truth: Truth(piece.isMet), since: piece.from, until: piece.until,
            isForeseen: piece.isForeseen)
    }

    /// The instants at which this history changes for a candidate: the next of each kind, and the
    /// beginnings of policies.
    func changes(
        after instant: Timestamp, of candidate: AdmissionCandidate,
        requiring requirements: [Requirement]
    ) -> [Timestamp] {
        var instants = requirements.compactMap { requirement in
            pieces[requirement]?.first { $0.from > instant }?.from
        }
        instants += eras.map(\.from)
        if let next = rooms.change(after: instant) { instants.append(next) }
        if let pushed = candidate.pushed,
            let next = pushbacks.change(of: pushed, after: instant)
        {
            instants.append(next)
        }
        if let next = outages.change(for: candidate, after: instant) { instants.append(next) }
        return instants
    }
}

extension AdmissionCandidate {
    /// The key of its origin's pauses; nil if a number is unknown.
    var pushed: FactsHistory.Pushed? {
        guard let originKey, let appKey else { return nil }
        return FactsHistory.Pushed(origin: originKey, app: appKey)
    }
}
