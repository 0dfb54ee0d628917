/// A lane with all that waits and runs of it, as the calendar books hours for it.
package struct CalendarLane: Equatable, Sendable {
    /// A lane is booked in so many parts at most, by when its downloads have to end.
    static let partsAtMost = 8
    /// What a download is counted as while nothing is known of any size.
    static let unknownBytes = 64.0 * 1_048_576
    /// The quantile of rates that bookings count on: a guard with a lower one stands behind them.
    static let quantile = 0.5

    /// Its first download; `need` is the most that one of them is expected to bring.
    package var candidate: AdmissionCandidate
    /// How many there are.
    package var count: Int
    /// Of how many of them no size is known.
    package var unknown: Int
    /// Bytes that the others are expected to bring.
    package var bytes: Int64
    /// When the last of them may begin.
    package var lastRunAt: Timestamp

    /// Names all of it.
    package init(
        _ candidate: AdmissionCandidate, count: Int, unknown: Int, bytes: Int64,
        lastRunAt: Timestamp
    ) {
        self.candidate = candidate
        self.count = count
        self.unknown = unknown
        self.bytes = bytes
        self.lastRunAt = lastRunAt
    }

    /// Its downloads by when they have to end: those without a deadline may have begun evenly
    /// between the first and the last.
    func demands(in situation: Situation) -> [CalendarDemand] {
        guard count > 0, let origin = candidate.originName else { return [] }
        let policy = situation.policy
        let expected = ExpectedTransfer(candidate, in: situation)
        let known = count - unknown
        let learned = situation.learned.size(
            session: candidate.sessionKey ?? -1, origin: candidate.originKey ?? -1,
            at: situation.now)
        let mean = known > 0 ? Double(bytes) / Double(known) : CalendarLane.unknownBytes
        let typical = learned?.quantile(0.5) ?? mean
        let whole = Double(bytes) + Double(unknown) * typical
        let end = PreferenceVerdict.end(
            candidate, need: expected.time, margin: policy.deadlines.margin)
        let spread = max(.zero, lastRunAt - candidate.runAt)
        let isDated = candidate.deadline != CandidateDeadline()
        let parts = isDated || spread < PriceCurve.hour ? 1 : min(count, CalendarLane.partsAtMost)
        return (0..<parts).map { part in
            let later = parts > 1 ? spread * part / (parts - 1) : .zero
            // The remainder is in the first parts.
            let own = count / parts + (part < count % parts ? 1 : 0)
            return CalendarDemand(
                origin: origin, end: end + later, count: own,
                bytes: whole * Double(own) / Double(count),
                largest: max(Double(expected.bytes), unknown > 0 ? typical : 0),
                rate: expected.rate?.quantile(CalendarLane.quantile)
                    ?? Double(TransferNeed.assumedRate),
                perOrigin: candidate.origin.limit ?? policy.limits.origin(origin))
        }
    }
}

extension ConditionBook {
    /// Books hours anew for lanes, by the preferences of the rules that are about them.
    ///
    /// - Parameters:
    ///   - lanes: what waits.
    ///   - situation: the facts; its conditions are these.
    ///   - replicas: how many share the work.
    package mutating func book(
        _ lanes: [CalendarLane], in situation: Situation, replicas: Int = 1
    ) {
        var demands: [Preference: [CalendarDemand]] = [:]
        for lane in lanes {
            let rule = situation.policy.rules(of: lane.candidate.app).first { rule in
                rule.preference != nil && rule.match.judge(lane.candidate).truth != .unmet
            }
            guard let preference = rule?.preference else { continue }
            demands[preference, default: []] += lane.demands(in: situation)
        }
        book(demands, in: CalendarRoom(of: situation, replicas: replicas), at: situation.now)
    }
}
