// A lane is judged like a download.
internal import Downloads

extension LaneHead {
    /// A lane as a candidate for the policy's verdict.
    package var candidate: AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: schedulingClass == .discretionary, session: session,
            createdAt: runAt, waitingSince: runAt, runAt: runAt, attempt: 0,
            origin: origin, sessionGate: sessionGate)
        candidate.originName = originName
        candidate.originKey = originKey
        candidate.sessionKey = sessionKey
        candidate.app = appName
        candidate.appKey = app
        candidate.appGate = appGate
        candidate.connections = connections
        candidate.schedulingClass = schedulingClass
        candidate.rank = rank
        candidate.laneFlags = laneFlags
        candidate.facet = facet
        candidate.deadline = CandidateDeadline(begin: beginBucket, complete: dueBucket)
        candidate.laneNeed = largestNeed
        candidate.guardAt = guardAt
        candidate.isOverloaded = isOverloaded
        return candidate
    }
}
