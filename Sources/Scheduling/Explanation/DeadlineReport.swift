// Whether a waiting download will meet its deadline, for explanations and for the event.
package import Base
internal import Downloads

/// The deadlines of a waiting download, and the judgement over them.
package struct DeadlineReport: Equatable, Sendable {
    /// The deadlines as the client gave them.
    package let asked: CandidateDeadline
    /// The latest begin that the guard allows; nil without a deadline.
    package let latestBegin: Timestamp?
    /// Whether the deadline will be met.
    package let status: DeadlineStatus
    /// The reason in one sentence; nil where there is none to give.
    package let detail: String?

    /// Judges a candidate.
    ///
    /// - Parameters:
    ///   - candidate: the download; its `asked` deadlines count.
    ///   - verdict: the rules' verdict over it.
    ///   - situation: the facts.
    package init(
        _ candidate: AdmissionCandidate, _ verdict: PolicyVerdict, in situation: Situation
    ) {
        asked = candidate.asked
        let now = situation.now
        guard asked.begin != nil || asked.complete != nil else {
            (latestBegin, status, detail) = (nil, .none, nil)
            return
        }
        latestBegin = verdict.latestBegin
        let expected = ExpectedTransfer(candidate, in: situation)
        let need = expected.time
        let others = verdict.knownOpenings(of: candidate, in: situation)
        let begins = verdict.hardOpening(others)
        let ends = verdict.completion(need: need, others)
        if let deadline = [asked.begin, asked.complete].compactMap(\.self).min(), deadline <= now {
            status = .late
            detail = "its deadline \(deadline.rfc3339) has passed"
        } else if let deadline = asked.begin, begins.map({ $0 > deadline }) ?? true {
            status = .atRisk
            detail = DeadlineReport.risk(begins: begins, deadline)
        } else if let deadline = asked.complete, ends.map({ $0 > deadline }) ?? true {
            let best = expected.shortestTime.flatMap { verdict.completion(need: $0, others) }
            let isLate = expected.shortestTime != nil && best.map { $0 > deadline } ?? true
            status = isLate ? .late : .atRisk
            detail = DeadlineReport.risk(
                need, best: isLate ? expected.shortestTime : nil, begins: begins, deadline, now)
        } else if candidate.isOverloaded {
            status = .atRisk
            detail = "it will probably be late, because many downloads are due at the same time"
        } else if verdict.isGuarded {
            status = .guarded
            let deadline = asked.complete ?? asked.begin ?? now
            detail =
                "it no longer waits for soft rules, because it needs about "
                + "\(DurationText.rounded(need)) and its deadline is \(deadline.rfc3339)"
        } else {
            status = .onTrack
            detail = nil
        }
    }

    private static func risk(begins: Timestamp?, _ deadline: Timestamp) -> String {
        let must = "it must begin by \(deadline.rfc3339)"
        guard let begins else { return "\(must), and it is not known when it may begin" }
        return "\(must), and may not begin before \(begins.rfc3339)"
    }

    private static func risk(
        _ need: Duration, best: Duration?, begins: Timestamp?, _ deadline: Timestamp,
        _ now: Timestamp
    ) -> String {
        guard let begins else {
            return "it must be complete by \(deadline.rfc3339), and it is not known when it may "
                + "begin"
        }
        let left = max(.zero, deadline - max(begins, now))
        let late =
            best.map {
                "it will be late: it needs \(DurationText.rounded($0)) even at the best rates"
            }
            ?? "it will probably be late: it needs about \(DurationText.rounded(need))"
        return "\(late), but may run for only \(DurationText.rounded(left)) until "
            + deadline.rfc3339
    }

    /// Writes the object that an explanation has.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("complete_by", asked.complete)
        writer.member("begin_deadline", asked.begin)
        writer.member("latest_begin", latestBegin)
        writer.member("status", status.rawValue)
        writer.member("detail", detail)
        writer.endObject()
    }
}
