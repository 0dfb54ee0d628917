// Explains why a download waits and when it may begin, from the verdict and its reasons.
package import Base
package import Downloads

/// The explanation of a waiting download at an instant.
package struct Explanation: Sendable {
    /// All reasons that hold it back; not empty.
    package let blockers: [Blocker]
    /// The first instant at which all known reasons let it begin; nil if unknown.
    package let until: Timestamp?
    /// The first instant without regard to measured conditions, for a case in which `until` is
    /// unknown.
    package let earliestKnown: Timestamp?
    /// The explanation in one sentence.
    package let summary: String
    /// Whether it will meet its deadline.
    package let deadline: DeadlineReport
    private let candidate: AdmissionCandidate
    private let situation: Situation
    private let verdict: PolicyVerdict

    /// Explains a candidate.
    package init(_ candidate: AdmissionCandidate, in situation: Situation) {
        self.candidate = candidate
        self.situation = situation
        verdict = PolicyVerdict(candidate, in: situation)
        blockers = Admission.blockers(candidate, in: situation)
        // The time at which the disk has room, a service or replica is back, or somebody resumes a
        // session is unknown.
        let untimed: Set<BlockerCode> = [
            .diskReserve, .draining, .replicaAway, .sessionSuspended,
        ]
        let isTimed = !blockers.contains { untimed.contains($0.code) }
        let joined = candidate.joined
        until =
            joined != nil
            ? joined?.until : isTimed ? verdict.opening(of: candidate, in: situation) : nil
        earliestKnown = until == nil && isTimed && joined == nil ? verdict.earliestKnown : nil
        deadline = DeadlineReport(candidate, verdict, in: situation)
        summary = Explanation.summary(blockers, until, deadline, situation.now)
    }

    private static func summary(
        _ blockers: [Blocker], _ until: Timestamp?, _ deadline: DeadlineReport,
        _ now: Timestamp
    ) -> String {
        // A deadline at risk is named before the first reason to wait.
        let late = deadline.detail.map { "; \($0)" } ?? ""
        let first = blockers[0]
        if first.code == .dependency { return "It does not begin on its own: \(first.detail)." }
        let others = blockers.count == 1 ? "" : " (and \(blockers.count - 1) more)"
        guard let until else {
            return "It is not known when it begins: \(first.detail)\(others)\(late)."
        }
        guard until > now else {
            let sentence = first.detail.prefix(1).uppercased() + first.detail.dropFirst()
            return first.code == .slots
                ? "\(sentence)\(late)."
                : "It begins as soon as this is over: \(first.detail)\(others)\(late)."
        }
        if blockers.count == 1, first.detail.contains(until.rfc3339) {
            let sentence = first.detail.prefix(1).uppercased() + first.detail.dropFirst()
            return "\(sentence)\(late)."
        }
        return "It begins at \(until.rfc3339) at the earliest: \(first.detail)\(others)\(late)."
    }

    /// Writes the explanation for clients.
    ///
    /// - Parameters:
    ///   - writer: takes the object.
    ///   - state: its state.
    ///   - outlook: the forecast; nil leaves out what is expected.
    ///   - calibration: how wide its ranges are.
    ///   - blocked: what its waits were made of so far; nil leaves that out.
    package func write(
        to writer: inout JSONWriter, state: DownloadState, outlook: ForecastOutlook? = nil,
        _ calibration: ForecastCalibration = ForecastCalibration(),
        blocked: BlockedTime? = nil
    ) {
        writer.beginObject()
        writer.member("state", state.rawValue)
        writer.member("summary", summary)
        writer.member("as_of", situation.now)
        writer.member("until", until)
        writer.member("earliest_known", earliestKnown)
        outlook?.writeExpected(
            of: candidate, heldBackBy: blockers, calibration, hidesOthers: situation.hidesOthers,
            to: &writer)
        writer.key("blockers")
        writer.beginArray()
        for blocker in blockers { blocker.write(to: &writer) }
        writer.endArray()
        writer.key("rules")
        writer.beginArray()
        for rule in verdict.rules { rule.write(to: &writer) }
        writer.endArray()
        writeLimits(to: &writer)
        ExpectedTransfer(candidate, in: situation).write(
            to: &writer, hidesOthers: situation.hidesOthers)
        writer.key("deadline")
        deadline.write(to: &writer)
        writeBudgets(to: &writer)
        writeSooner(to: &writer)
        if let blocked { writer.member("time_blocked", blocked.json) }
        writer.endObject()
    }

    private func writeLimits(to writer: inout JSONWriter) {
        let limits = situation.policy.limits
        let rows: [(String, Int?, Int?)] = [
            (
                "per_origin", situation.hidesOthers ? nil : candidate.origin.running,
                candidate.origin.limit ?? limits.origin(candidate.originName, app: candidate.app)
            ),
            (
                "per_session", candidate.sessionGate.running,
                PolicyLimits.least(
                    candidate.sessionGate.limit,
                    limits.session(candidate.session, app: candidate.app))
            ),
            (
                "per_app", candidate.appGate.running,
                PolicyLimits.least(candidate.appGate.limit, limits.app(candidate.app))
            ),
            (
                "http_maximum_connections_per_host", candidate.connections?.running ?? 0,
                candidate.connections?.limit
            ),
        ]
        writer.key("limits")
        writer.beginArray()
        for (name, value, limit) in rows {
            guard let limit else { continue }
            writer.beginObject()
            writer.member("name", name)
            writer.member("value", value)
            writer.member("limit", limit)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeBudgets(to writer: inout JSONWriter) {
        writer.key("budgets")
        writer.beginArray()
        for demand in Admission.budgetDemands(candidate, in: situation) {
            writer.beginObject()
            writer.member("name", demand.budget.name)
            writer.member("scope", demand.budget.scope.rawValue)
            writer.member("value", demand.key.value)
            let isPart = situation.hidesOthers && demand.isShared
            writer.member("left", isPart ? nil : demand.left)
            writer.key("left_part")
            writer.write(demand.leftPart)
            writer.member("needs", demand.needs)
            writer.member("period_ends_at", demand.period.upperBound)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Writes the changes by which the client could make it begin sooner.
    private func writeSooner(to writer: inout JSONWriter) {
        writer.key("sooner")
        writer.beginArray()
        defer { writer.endArray() }
        for (change, other) in changes {
            let verdict = PolicyVerdict(other, in: situation)
            guard let begins = verdict.opening(of: other, in: situation),
                until.map({ begins < $0 }) ?? true
            else { continue }
            writer.beginObject()
            writer.member("change", change)
            writer.member("begins", begins)
            writer.endObject()
        }
    }

    private var changes: [(String, AdmissionCandidate)] {
        guard candidate.joined == nil else { return [] }
        var found: [(String, AdmissionCandidate)] = []
        if candidate.isDiscretionary {
            var other = candidate
            other.isDiscretionary = false
            found.append(("is_discretionary: false", other))
        }
        if candidate.attempt == 0, candidate.runAt > situation.now {
            var other = candidate
            other.runAt = situation.now
            found.append(("earliest_begin_date: null", other))
        }
        return found
    }
}
