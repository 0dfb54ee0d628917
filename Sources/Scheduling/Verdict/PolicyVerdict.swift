// The judgement of the policy's rules over a download: one code decides and explains.
package import Base
package import Downloads

/// The rules' verdict over a waiting download at an instant.
package struct PolicyVerdict: Sendable {
    /// The blockers; empty if the rules let it begin.
    package private(set) var blockers: [Blocker] = []
    /// The latest begin that its deadline allows; nil without a deadline.
    package let latestBegin: Timestamp?
    /// Whether soft rules no longer hold it back, because its deadline is near.
    package let isGuarded: Bool
    /// The time at which its soft requirements are waived.
    package let curve: SoftCurve

    private let candidate: AdmissionCandidate
    private let situation: Situation
    private let matched: [PolicyRule]
    private let need: Duration
    /// The judgement of a rule that prefers certain hours.
    private let preference: PreferenceVerdict?
    private var atoms: [Atom] = []

    /// A requirement of the matching rules, taken once if several rules have it.
    private struct Atom {
        let requirement: Requirement
        let state: AtomState
        /// Whether only soft rules have it.
        var isSoft: Bool
        /// The rule that is named in its blocker.
        var rule: String
        /// The time at which it is waived; nil for one of a hard rule.
        var waivedAt: Timestamp?
        /// Whether it is waived by the curve, because no known opening comes in time.
        var isOnCurve = false
    }

    /// Judges a candidate; `matching` gives the matching rules, if they are known.
    package init(
        _ candidate: AdmissionCandidate, in situation: Situation,
        matching rules: [PolicyRule]? = nil
    ) {
        self.candidate = candidate
        self.situation = situation
        let policy = situation.policy
        matched =
            rules
            ?? policy.rules(for: candidate).filter {
                $0.match.judge(candidate).truth != .unmet
            }
        atoms = PolicyVerdict.atoms(of: matched, in: situation)
        var deadlineGuard = DeadlineGuard(candidate, in: situation)
        deadlineGuard.keep(
            within: atoms.filter { !$0.isSoft }.map(\.requirement).filter { $0.window != nil },
            from: candidate.runAt, in: situation)
        need = deadlineGuard.need
        latestBegin = deadlineGuard.latestBegin
        isGuarded = deadlineGuard.holds(at: situation.now)
        preference = PreferenceVerdict(
            matched, candidate, need: need, latest: latestBegin, in: situation)
        var end = PolicyVerdict.lifeEnd(candidate, atoms.map(\.requirement), situation)
        if let latestBegin { end = min(end, latestBegin) }
        if let timeout = candidate.deadline.timeout { end = min(end, timeout - need) }
        let begin = candidate.runAt
        let windows = atoms.map(\.requirement).filter { $0.window != nil }
        let joint = KnownOpening.first(
            from: begin, of: windows.map { window in { situation.opening(of: window, from: $0) } })
        let latest = latestBegin ?? end
        let isInTime = joint.map { $0 <= latest } ?? false
        for place in atoms.indices where atoms[place].isSoft {
            atoms[place].isOnCurve =
                atoms[place].requirement.window == nil
                ? !PolicyVerdict.opensInTime(atoms[place], by: latest) : !isInTime
        }
        let onCurve = atoms.filter { $0.isOnCurve && !PolicyVerdict.isUnseen($0, situation.now) }
        curve = SoftCurve(begin: begin, end: end, count: onCurve.count)
        let unmet = onCurve.filter { !$0.state.isMet }.count
        for place in atoms.indices where atoms[place].isSoft {
            if PolicyVerdict.isUnseen(atoms[place], situation.now) {
                atoms[place].waivedAt = begin
            } else if atoms[place].isOnCurve {
                atoms[place].waivedAt = unmet == 0 ? curve.end : curve.point(unmet)
            } else {
                atoms[place].waivedAt = latestBegin ?? curve.end
            }
        }
        blockers = atoms.filter { isClosed($0) }.map { blocker($0) }
        if let blocker = preference?.blocker(candidate, in: situation) { blockers.append(blocker) }
    }

    /// Whether the rules let it begin.
    package var isOpen: Bool { blockers.isEmpty }

    /// The first instant after now at which the verdict may change without a push, a measurement or
    /// another change; nil for none.
    package var nextChange: Timestamp? {
        var instants: [Timestamp?] = [latestBegin]
        // Rates are learned by quarters of the day, and prices by hours.
        if latestBegin != nil { instants.append(PolicyVerdict.next(21_600, after: situation.now)) }
        if let preference {
            instants += [preference.waivedAt, PolicyVerdict.next(3600, after: situation.now)]
        }
        for atom in atoms {
            instants.append(atom.state.until)
            guard atom.isSoft else { continue }
            instants.append(atom.waivedAt)
            guard atom.state.isMeasured, let since = atom.state.watchedSince else { continue }
            instants.append(
                max(since, atom.state.lastOpen ?? since) + PolicyVerdict.unseenAfter)
        }
        if curve.count > 0 { instants += (1...curve.count).map { curve.point($0) } + [curve.end] }
        return instants.compactMap(\.self).filter { $0 > situation.now }.min()
    }

    private static func next(_ seconds: Int64, after now: Timestamp) -> Timestamp {
        let step = seconds * 1_000_000
        return Timestamp(microseconds: (now.microseconds / step + 1) * step)
    }

    private func isClosed(_ atom: Atom) -> Bool {
        !atom.state.isMet && !(atom.waivedAt.map { $0 <= situation.now } ?? false)
    }

    private static func atoms(of rules: [PolicyRule], in situation: Situation) -> [Atom] {
        var places: [Requirement: Int] = [:]
        var atoms: [Atom] = []
        for rule in rules {
            for requirement in rule.requirements {
                if let place = places[requirement] {
                    if atoms[place].isSoft, !rule.isSoft {
                        atoms[place].isSoft = false
                        atoms[place].rule = rule.name
                    }
                    continue
                }
                places[requirement] = atoms.count
                atoms.append(
                    Atom(
                        requirement: requirement, state: situation.state(of: requirement),
                        isSoft: rule.isSoft, rule: rule.name))
            }
        }
        return atoms
    }

    /// Whether a soft requirement on a measured condition was not met for three days, so that it is
    /// ignored.
    private static func isUnseen(_ atom: Atom, _ now: Timestamp) -> Bool {
        guard atom.isSoft, atom.state.isMeasured, !atom.state.isMet,
            let since = atom.state.watchedSince
        else { return false }
        return now - max(since, atom.state.lastOpen ?? since) >= unseenAfter
    }

    private static let unseenAfter = Duration.seconds(3 * 86_400)

    /// Whether a condition is met at a known instant that is early enough.
    private static func opensInTime(_ atom: Atom, by end: Timestamp) -> Bool {
        guard atom.state.isForeseen else { return false }
        if atom.state.isMet { return true }
        return atom.state.until.map { $0 <= end } ?? false
    }

    /// The end of a download's soft waiting without a deadline: the waiting time of its rank,
    /// extended to the end of the opening of its windows at that time.
    private static func lifeEnd(
        _ candidate: AdmissionCandidate, _ requirements: [Requirement], _ situation: Situation
    ) -> Timestamp {
        let begin = candidate.runAt
        let end = begin + SoftCurve.life(rank: candidate.rank)
        let windows = requirements.filter { $0.window != nil }
        guard !windows.isEmpty else { return end }
        var start = begin
        for _ in 0..<KnownOpening.roundsAtMost {
            let opening = KnownOpening.first(
                from: start,
                of: windows.map { window in { situation.opening(of: window, from: $0) } })
            guard let opening, opening - begin <= KnownOpening.horizon else { return end }
            let closing = windows.compactMap { situation.closing(of: $0, after: opening) }.min()
            guard let closing else { return end }
            if closing >= end { return closing }
            start = closing
        }
        return end
    }

    private func blocker(_ atom: Atom) -> Blocker {
        let state = atom.state
        // The wait for a soft requirement ends with its waiver, if that comes first.
        let waiver = atom.waivedAt.flatMap { waived in
            state.until.map { waived < $0 } ?? true ? waived : nil
        }
        return Blocker(
            atom.requirement.window == nil ? .condition : .window,
            PolicySentence.waiting(for: atom.requirement, state, candidate, in: situation),
            since: min(
                situation.now, max(candidate.createdAt, state.since ?? candidate.createdAt)),
            until: waiver ?? state.until, rule: atom.rule, isSoft: atom.isSoft,
            waivedAt: waiver)
    }

    /// The first instant at which all known reasons let it begin: the rules, its date, the rates.
    ///
    /// - Parameter others: when other things let it begin, from an instant on.
    /// - Returns: nil where that is not known, or not within eight weeks.
    package func opening(_ others: [(Timestamp) -> Timestamp?] = []) -> Timestamp? {
        var instant = max(situation.now, candidate.runAt)
        var hard = others + atoms.filter { !$0.isSoft }.map { openings(of: $0) }
        if let preference { hard.append(preference.opening) }
        let held = atoms.filter { $0.isSoft && !$0.isOnCurve }
        let heldUntil = held.compactMap(\.waivedAt).max() ?? instant
        let onCurve = atoms.filter { $0.isSoft && $0.isOnCurve }
        let horizon = instant + KnownOpening.horizon
        for _ in 0..<KnownOpening.stepsAtMost where instant <= horizon {
            let needed = instant < heldUntil ? hard + held.map { openings(of: $0) } : hard
            let opening = KnownOpening.first(from: instant, of: needed)
            var next: [Timestamp?] = [opening]
            if opening == instant {
                let unmet = onCurve.filter { isClosed($0, at: instant) }
                guard unmet.count > curve.allowed(at: instant) else { return instant }
                next = unmet.map { openings(of: $0)(instant) } + [curve.end]
                next += (1...max(1, curve.count)).map { curve.point($0) }
                next += onCurve.map { situation.closing(of: $0.requirement, after: instant) }
                next += (held + atoms.filter { !$0.isSoft }).map {
                    situation.closing(of: $0.requirement, after: instant)
                }
            } else {
                next.append(heldUntil)
            }
            guard let later = next.compactMap({ $0 }).filter({ $0 > instant }).min() else {
                return nil
            }
            instant = later
        }
        return nil
    }

    private func openings(of atom: Atom) -> (Timestamp) -> Timestamp? {
        { situation.opening(of: atom.requirement, from: $0) }
    }

    /// Whether a requirement on the curve is not met at an instant, as far as known.
    private func isClosed(_ atom: Atom, at instant: Timestamp) -> Bool {
        if PolicyVerdict.isUnseen(atom, situation.now) { return false }
        return situation.opening(of: atom.requirement, from: instant) != instant
    }

    /// The first instant without the requirements whose openings are unknown.
    package var earliestKnown: Timestamp? {
        let known = atoms.filter { $0.state.isForeseen || $0.state.isMet }
        return KnownOpening.first(
            from: max(situation.now, candidate.runAt),
            of: known.filter { $0.state.isForeseen }.map { openings(of: $0) }
                + [preference].compactMap { $0?.opening })
    }

    /// The first instant at which the reasons that hold regardless of its deadline let it begin, as
    /// far as known: its date, hard rules, and other things.
    ///
    /// - Parameter others: when other things let it begin, from an instant on.
    /// - Returns: nil where they do not meet within eight weeks.
    package func hardOpening(_ others: [(Timestamp) -> Timestamp?]) -> Timestamp? {
        KnownOpening.first(
            from: max(situation.now, candidate.runAt),
            of: others + hardForeseen.map { openings(of: $0) })
    }

    /// The time at which it would be complete if it begins at `hardOpening` and stops at the
    /// closings of hard rules that demand it.
    ///
    /// - Parameters:
    ///   - need: how long the transfer takes.
    ///   - others: as for `hardOpening`.
    /// - Returns: nil where that is not in sight.
    package func completion(
        need: Duration, _ others: [(Timestamp) -> Timestamp?]
    ) -> Timestamp? {
        let needed = others + hardForeseen.map { openings(of: $0) }
        let stopping = matched.filter { !$0.isSoft && $0.atClose == .stop }.flatMap(\.requirements)
        var left = need
        var instant = max(situation.now, candidate.runAt)
        for _ in 0..<KnownOpening.roundsAtMost {
            guard let opening = KnownOpening.first(from: instant, of: needed) else { return nil }
            let closing = stopping.compactMap { situation.closing(of: $0, after: opening) }.min()
            guard let closing, opening + left > closing else { return opening + left }
            left -= closing - opening
            instant = closing
        }
        return nil
    }

    /// The hard requirements with known changes within which a transfer has to end; under a near
    /// deadline only those at whose end a run is stopped.
    var closers: [Closer] {
        hardForeseen.compactMap { atom in
            let stops = matched.contains {
                $0.atClose == .stop && $0.requirements.contains(atom.requirement)
            }
            if isGuarded, !stops { return nil }
            return Closer(requirement: atom.requirement, rule: atom.rule)
        }
    }

    /// A requirement that ends at a known instant.
    struct Closer {
        let requirement: Requirement
        /// The rule that is named in the blocker.
        let rule: String
    }

    /// The hard requirements with known changes; a measured one may be met at any time.
    private var hardForeseen: [Atom] { atoms.filter { !$0.isSoft && $0.state.isForeseen } }

    /// The rule that stops a run: one that certainly matches the download, is closed, and demands
    /// the stop.
    package var stoppingRule: String? {
        let closed = Set(atoms.filter { isClosed($0) }.map(\.requirement))
        let waiting = preference.flatMap { $0.isOpen ? nil : $0.rule.name }
        return matched.first { rule in
            let isClosed =
                rule.name == waiting || rule.requirements.contains(where: closed.contains)
            return rule.atClose == .stop && isClosed && rule.match.judge(candidate).truth == .met
        }?.name
    }

    /// A report for every rule of the policy, with its requirements.
    package var rules: [RuleReport] {
        let states = Dictionary(
            atoms.map { ($0.requirement, $0) }, uniquingKeysWith: { first, _ in first })
        return situation.policy.rules(for: candidate).map { rule in
            let (truth, because) = rule.match.judge(candidate)
            guard truth != .unmet else {
                return RuleReport(
                    name: rule.name, outcome: .notMatched, because: because, isSoft: rule.isSoft,
                    requirements: [])
            }
            var reports = rule.requirements.compactMap { requirement in
                states[requirement].map { atom -> RequirementReport in
                    let isWaived = !atom.state.isMet && !isClosed(atom)
                    let outcome: RequirementReport.Outcome =
                        isWaived
                        ? .waived
                        : atom.state.isMet
                            ? .met
                            : atom.state.truth == .unknown ? .unknown : .unmet
                    return RequirementReport(
                        text: requirement.description, outcome: outcome, value: atom.state.value,
                        until: atom.state.until)
                }
            }
            if let preference, preference.rule.name == rule.name {
                reports.append(preference.report)
            }
            let holdsBack = reports.contains { $0.outcome == .unmet || $0.outcome == .unknown }
            return RuleReport(
                name: rule.name, outcome: holdsBack ? .closed : .open, because: nil,
                isSoft: rule.isSoft, requirements: reports)
        }
    }
}
