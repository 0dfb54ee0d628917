// The blocker of a download whose begin hook was asked.
internal import Base
internal import Downloads

extension Admission {
    /// The blocker for an open question to its begin hook; nil where it was not asked.
    static func hookBlockers(_ candidate: AdmissionCandidate) -> [Blocker]? {
        let isLane = candidate.laneFlags.contains(.asked)
        let unknown = isLane ? OpenQuestion(askedAt: candidate.waitingSince, isPatient: false) : nil
        guard let question = candidate.question ?? unknown else { return nil }
        let end = question.isPatient ? nil : candidate.runAt
        let rule =
            end.map { "without an answer, on_no_answer applies at \($0.rfc3339) at the latest" }
            ?? "it waits until there is an answer"
        let isSending = candidate.laneFlags.contains(.sends)
        let name = isSending ? "the hook of its destination" : "its begin_hook"
        return [
            Blocker(
                .beginHook,
                "\(name) was asked at \(question.askedAt.rfc3339); \(rule)",
                since: max(candidate.waitingSince, question.askedAt), until: end)
        ]
    }
}
