// A running download as a candidate for the policy.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

extension ClaimedDownload {
    /// The candidate that it was at its claim.
    var candidate: AdmissionCandidate {
        let begin = max(download.createdAt, download.earliestBeginDate ?? download.createdAt)
        let spec = download.shared.value
        var candidate = AdmissionCandidate(
            isDiscretionary: spec.isDiscretionary, session: download.session,
            createdAt: download.createdAt, waitingSince: begin, runAt: begin,
            attempt: download.attempt, origin: GateReading(), sessionGate: GateReading(),
            need: need)
        candidate.app = appName
        candidate.appKey = app
        candidate.schedulingClass = spec.schedulingClass
        candidate.rank = Int(LaneHead.rank(priority: download.priority))
        candidate.priority = download.priority
        candidate.members = CandidateMembers(
            expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata)
        candidate.laneFlags = isSending ? spec.sendingFlags : spec.laneFlags
        candidate.sends =
            isSending ? resume?.offset ?? 0 : spec.bytesExpectedToSend ?? 0
        // An address that is no URL is reported by the attempt.
        candidate.originName = origin
        candidate.originKey = originKey
        candidate.sessionKey = sessionKey
        return candidate
    }
}
