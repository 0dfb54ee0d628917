// The times at which the policy lets a lane's downloads begin: asks the code of the verdict for
// later instants.
internal import Base
internal import Downloads

/// Open spans of candidates, each computed once for all candidates that the rules treat alike.
struct ForecastOpenings {
    /// A span in which the policy is open; without an end it stays open.
    struct Span: Equatable {
        let from: Timestamp
        let until: Timestamp?
        /// Whether running downloads are stopped at its end.
        var stops = false
    }

    /// All that the policy's judgement over later instants depends on.
    private struct Key: Hashable {
        let rules: [Int]
        let isDiscretionary: Bool
        let rank: Int
        let runAt: Timestamp
        let deadline: Timestamp?
        let begin: Timestamp?
        let timeout: Timestamp?
        let need: Int64
        let mayNotFit: Bool
        let owner: [String]
    }

    /// The most steps of the search for one span.
    private static let stepsAtMost = 64
    /// The most spans of one candidate.
    private static let spansAtMost = 512
    /// The most quarters of a day in which a transfer that does not fit now is tried.
    private static let quartersAtMost = 8
    /// The most candidates whose spans are kept; then all are computed anew.
    private static let keysAtMost = 20_000

    private let situation: Situation
    /// The situation with transfers at their usual speed.
    private let usual: Situation
    private let isFree: Bool
    private var spans: [Key: [Span?]] = [:]

    init(_ situation: Situation) {
        self.situation = situation
        usual = situation.atUsualPace
        isFree = situation.policy.allRules.isEmpty && !situation.policy.bandwidth.canStop
    }

    /// The first open span of a candidate that ends after an instant.
    ///
    /// - Returns: nil where none is known within eight weeks.
    mutating func span(of candidate: AdmissionCandidate, from instant: Timestamp) -> Span? {
        let start = max(
            instant, candidate.runAt, candidate.origin.notBefore ?? instant,
            candidate.outage?.probeAt ?? instant)
        guard !isFree || candidate.isKeptFromNetworks else {
            return Span(from: start, until: nil)
        }
        // The pause of one origin is added by the caller; the spans are those of the policy alone.
        var candidate = candidate
        candidate.origin.notBefore = nil
        candidate.origin.outage = nil
        let mayNotFit = candidate.need > 0 && ClosingFit.mayMatter(candidate, in: situation)
        // Candidates whose sizes differ by less than an eighth share their spans.
        if mayNotFit { candidate.need = ForecastOpenings.rounded(candidate.need) }
        let key = key(candidate, isTimed: mayNotFit)
        var from = max(situation.now, candidate.runAt)
        var place = 0
        while place < ForecastOpenings.spansAtMost {
            if place == spans[key, default: []].count {
                if place == 0, spans.count > ForecastOpenings.keysAtMost { spans = [:] }
                spans[key, default: []].append(
                    find(candidate, from: from, mayNotFit: mayNotFit))
            }
            guard let span = spans[key]?[place] else { return nil }
            guard let until = span.until, until <= start else {
                return Span(
                    from: max(span.from, start), until: span.until, stops: span.stops)
            }
            from = until
            place += 1
        }
        return nil
    }

    /// The size, or up to an eighth more.
    private static func rounded(_ bytes: Int64) -> Int64 {
        let step = Int64(1) << Int64(max(0, 60 - bytes.leadingZeroBitCount))
        let (sum, overflowed) = bytes.addingReportingOverflow(step - 1)
        return overflowed ? bytes : sum / step * step
    }

    private func key(_ candidate: AdmissionCandidate, isTimed: Bool) -> Key {
        let rules = situation.policy.rules(for: candidate)
        let deadline = candidate.deadline
        let isDated = deadline.complete != nil || deadline.begin != nil || deadline.timeout != nil
        let hasOwners = situation.policy.bandwidth.canStopSome || !situation.policy.apps.isEmpty
        return Key(
            rules: rules.indices.filter { rules[$0].match.judge(candidate).truth != .unmet },
            isDiscretionary: candidate.isDiscretionary, rank: candidate.rank,
            runAt: candidate.runAt, deadline: deadline.complete, begin: deadline.begin,
            timeout: deadline.timeout,
            need: isDated || isTimed
                ? ExpectedTransfer(candidate, in: situation).time.wholeMicroseconds : 0,
            mayNotFit: isTimed,
            owner: hasOwners
                ? [candidate.app, candidate.session, candidate.originName ?? ""] : [])
    }

    /// The situation at an instant: a slow link at present is not expected to last.
    private func facts(at instant: Timestamp) -> Situation {
        (instant > situation.now ? usual : situation).at(instant)
    }

    private func find(
        _ candidate: AdmissionCandidate, from start: Timestamp, mayNotFit: Bool
    ) -> Span? {
        var at = start
        for _ in 0..<ForecastOpenings.stepsAtMost {
            var there = facts(at: at)
            var verdict = PolicyVerdict(candidate, in: there)
            if at == situation.now, !verdict.isOpen, situation.learned.pace < 1 {
                there = usual.at(at)
                verdict = PolicyVerdict(candidate, in: there)
            }
            guard var open = verdict.opening(of: candidate, in: there) else { return nil }
            if mayNotFit, let sooner = fit(candidate, from: at, to: open) { open = sooner }
            let blockers = Admission.policyBlockers(candidate, in: facts(at: open))
            if blockers.isEmpty {
                let until = closing(candidate, after: open)
                let stops = until.map {
                    PolicyVerdict(candidate, in: facts(at: $0)).stoppingRule != nil
                }
                return Span(from: open, until: until, stops: stops ?? false)
            }
            guard let next = blockers.compactMap(\.until).filter({ $0 > open }).min() else {
                return nil
            }
            at = next
        }
        return nil
    }

    /// The first quarter of the day in which a transfer that does not fit before a closing fits,
    /// because its origin is faster then.
    private func fit(
        _ candidate: AdmissionCandidate, from start: Timestamp, to end: Timestamp
    ) -> Timestamp? {
        let quarter: Int64 = 21_600_000_000
        var at = start + .microseconds(quarter - start.microseconds % quarter)
        for _ in 0..<ForecastOpenings.quartersAtMost where at < end {
            if Admission.policyBlockers(candidate, in: facts(at: at)).isEmpty { return at }
            at += .microseconds(quarter)
        }
        return nil
    }

    /// The first instant after `open` at which the policy is closed again.
    private func closing(_ candidate: AdmissionCandidate, after open: Timestamp) -> Timestamp? {
        let requirements = situation.policy.rules(for: candidate)
            .filter { $0.match.judge(candidate).truth != .unmet }.flatMap(\.requirements)
        let tables = Admission.timetables(candidate, in: situation)
        var at = open
        for _ in 0..<ForecastOpenings.stepsAtMost {
            let there = facts(at: at)
            var changes = requirements.compactMap { requirement -> Timestamp? in
                let state = there.state(of: requirement)
                return state.isMet ? state.until : nil
            }
            changes += tables.compactMap {
                $0.timetable.state(at: at, in: situation.zone).until
            }
            if candidate.need > 0 {
                let verdict = PolicyVerdict(candidate, in: there)
                let fit = ClosingFit(candidate, verdict, in: there)
                if let ceases = fit?.ceases(after: at) { changes.append(ceases) }
            }
            guard let next = changes.filter({ $0 > at }).min(),
                next - open <= KnownOpening.horizon
            else { return nil }
            guard Admission.policyBlockers(candidate, in: facts(at: next)).isEmpty else {
                return next
            }
            at = next
        }
        return at
    }
}
