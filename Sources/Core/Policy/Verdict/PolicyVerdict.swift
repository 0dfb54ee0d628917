// What the rules say about a download: one code decides and explains.

/// The rules' verdict over a waiting download at an instant.
package struct PolicyVerdict: Sendable {
    /// What holds it back; empty means that the rules are open.
    package private(set) var blockers: [Blocker] = []
    /// The latest begin that its deadline allows; nil without a deadline.
    package let latestBegin: Timestamp?
    /// Whether soft rules do not count any more, because its deadline is near.
    package let isGuarded: Bool
    /// How its soft requirements cease to hold.
    package let curve: SoftCurve

    private let candidate: AdmissionCandidate
    private let situation: Situation
    private let matched: [PolicyRule]
    private let need: Duration
    private var atoms: [Atom] = []

    /// One requirement of the rules that match, once however many rules have it.
    private struct Atom {
        let requirement: Requirement
        let state: AtomState
        /// No hard rule has it.
        var isSoft: Bool
        /// The rule that is named with it.
        var rule: String
        /// When it is not waited for any more; nil for a hard one.
        var waivedAt: Timestamp?
        /// On the curve: no known opening comes in time.
        var isOnCurve = false
    }

    /// Judges a candidate.
    package init(_ candidate: AdmissionCandidate, in situation: Situation) {
        self.candidate = candidate
        self.situation = situation
        let policy = situation.policy
        matched = policy.rules.filter { $0.match.judge(candidate).truth != .unmet }
        need = TransferNeed.time(bytes: candidate.need)
        latestBegin = TransferNeed.latestBegin(
            candidate.deadline, need: need, margin: policy.deadlines.margin)
        isGuarded = latestBegin.map { $0 <= situation.now } ?? false
        atoms = PolicyVerdict.atoms(of: matched, in: situation)
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
    }

    /// Whether the rules let it begin.
    package var isOpen: Bool { blockers.isEmpty }

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

    /// A measured soft requirement that was not met for three days is not waited for.
    private static func isUnseen(_ atom: Atom, _ now: Timestamp) -> Bool {
        guard atom.isSoft, atom.state.isMeasured, !atom.state.isMet,
            let since = atom.state.watchedSince
        else { return false }
        return now - max(since, atom.state.lastOpen ?? since) >= .seconds(3 * 86_400)
    }

    /// Whether a condition is met at a known instant that is early enough.
    private static func opensInTime(_ atom: Atom, by end: Timestamp) -> Bool {
        guard atom.state.isForeseen else { return false }
        if atom.state.isMet { return true }
        return atom.state.until.map { $0 <= end } ?? false
    }

    /// The end of its life without a deadline: as long as its rank has, or on to the end of the
    /// opening of its windows that ends then or later.
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
        // A soft one ends with its waiver, if that comes first.
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

    /// The first instant at which all that is known lets it begin: the rules, its date, the rates.
    ///
    /// - Parameter others: when other things let it begin, from an instant on.
    /// - Returns: nil where that is not known, or not within eight weeks.
    package func opening(_ others: [(Timestamp) -> Timestamp?] = []) -> Timestamp? {
        var instant = max(situation.now, candidate.runAt)
        let hard = others + atoms.filter { !$0.isSoft }.map { openings(of: $0) }
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

    /// Whether a requirement on the curve is not met at an instant, as far as that is known.
    private func isClosed(_ atom: Atom, at instant: Timestamp) -> Bool {
        if PolicyVerdict.isUnseen(atom, situation.now) { return false }
        return situation.opening(of: atom.requirement, from: instant) != instant
    }

    /// The same without the requirements whose openings are not known.
    package var earliestKnown: Timestamp? {
        let known = atoms.filter { $0.state.isForeseen || $0.state.isMet }
        return KnownOpening.first(
            from: max(situation.now, candidate.runAt),
            of: known.filter { $0.state.isForeseen }.map { atom in
                { situation.opening(of: atom.requirement, from: $0) }
            })
    }

    /// The rule that stops a run: it is surely about the download, is closed, and says so.
    package var stoppingRule: String? {
        let closed = Set(atoms.filter { isClosed($0) }.map(\.requirement))
        return matched.first { rule in
            rule.atClose == .stop && rule.requirements.contains(where: closed.contains)
                && rule.match.judge(candidate).truth == .met
        }?.name
    }

    /// Every rule of the policy, with what it requires.
    package var rules: [RuleReport] {
        let states = Dictionary(
            atoms.map { ($0.requirement, $0) }, uniquingKeysWith: { first, _ in first })
        return situation.policy.rules.map { rule in
            let (truth, because) = rule.match.judge(candidate)
            guard truth != .unmet else {
                return RuleReport(
                    name: rule.name, outcome: .notMatched, because: because, isSoft: rule.isSoft,
                    requirements: [])
            }
            let reports = rule.requirements.compactMap { requirement in
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
            let holdsBack = reports.contains { $0.outcome == .unmet || $0.outcome == .unknown }
            return RuleReport(
                name: rule.name, outcome: holdsBack ? .closed : .open, because: nil,
                isSoft: rule.isSoft, requirements: reports)
        }
    }
}
