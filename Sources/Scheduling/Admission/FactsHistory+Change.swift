// The instant at which a download is held back by something else.
internal import Base
internal import Downloads

extension FactsHistory {
    /// The next instant at which another blocker may count for a candidate.
    func change(
        after instant: Timestamp, of candidate: AdmissionCandidate, _ blockers: [Blocker],
        in situation: Situation
    ) -> Timestamp? {
        let requirements = situation.policy.rules(for: candidate)
            .filter { $0.match.judge(candidate).truth != .unmet }.flatMap(\.requirements)
        var instants = requirements.compactMap { situation.state(of: $0).until }
        instants += blockers.flatMap { [$0.until, $0.waivedAt].compactMap(\.self) }
        instants += Admission.timetables(candidate, in: situation).compactMap {
            $0.timetable.state(at: instant, in: situation.zone).until
        }
        instants += changes(after: instant, of: candidate, requiring: requirements)
        if candidate.need > 0 {
            let verdict = PolicyVerdict(candidate, in: situation)
            let fit = ClosingFit(candidate, verdict, in: situation)
            if let ceases = fit?.ceases(after: instant) { instants.append(ceases) }
        }
        return instants.filter { $0 > instant }.min()
    }
}
