package import Base

/// A lane with its waiting and running downloads, as the calendar books hours for it.
package struct CalendarLane: Equatable, Sendable {
    /// The most parts, by latest end, in which a lane is booked.
    static let partsAtMost = 8
    /// The assumed size of a download while no size is known, in bytes.
    static let unknownBytes = 64.0 * 1_048_576
    /// The quantile of rates for bookings; the guard of deadlines uses a lower one.
    static let quantile = 0.5

    /// Its first download; `need` is the largest expected size of the lane.
    package var candidate: AdmissionCandidate
    /// The number of downloads.
    package var count: Int
    /// The number of downloads without a known size.
    package var unknown: Int
    /// The expected bytes of the other downloads.
    package var bytes: Int64
    /// The time at which the last of them may begin.
    package var lastRunAt: Timestamp

    /// Creates a value with all its members.
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

    /// Its downloads by latest end: those without a deadline are taken to begin evenly between the
    /// first and the last.
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
            // The remainder goes to the first parts.
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
    /// Books hours anew for lanes, by the preferences of the rules that apply to them.
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
        book(demands, in: CalendarCapacity(of: situation, replicas: replicas), at: situation.now)
    }
}
