// A download as an answer: with its blockers, its tag, and when to ask again.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// Shows downloads, with the blockers of those that wait.
struct DownloadAnswers: Sendable {
    /// The worker, for the present facts.
    let worker: WorkerAccess
    /// The wall clock.
    let now: @Sendable () -> Timestamp

    /// The path of a download.
    static func path(of id: Identifier) -> String {
        (id.isUpload ? "/v1/uploads/" : "/v1/downloads/") + id.text
    }

    /// The blockers of a waiting download; empty for others.
    func blockers(
        _ download: Download, _ candidate: AdmissionCandidate?, at now: Timestamp
    ) -> [Blocker] {
        guard download.state.isWaiting, let candidate else { return [] }
        let situation = worker.situation(candidate.present(at: now))
        // Candidates are large, so one is only copied to add the name of its origin.
        guard situation.needsOriginNames else {
            return Admission.blockers(candidate, in: situation)
        }
        return Admission.blockers(named(candidate, download, situation), in: situation)
    }

    /// The candidate with the name of its origin, if the policy needs it.
    func named(
        _ candidate: AdmissionCandidate, _ download: Download, _ situation: Situation
    ) -> AdmissionCandidate {
        guard situation.needsOriginNames else { return candidate }
        var candidate = candidate
        candidate.originName = download.nextOrigin
        return candidate
    }

    /// An answer with a download, and after a change with the members whose secrets it dropped.
    func response(
        _ download: Download, _ candidate: AdmissionCandidate?, status: Int = 200,
        dropped: [String]? = nil
    ) -> Response {
        let now = self.now()
        let blockers = blockers(download, candidate, at: now)
        var headers: [(String, String)] = []
        // Memory for the fields that the router and a create add.
        headers.reserveCapacity(6)
        headers.append(("ETag", download.tag.text))
        if let seconds = DownloadAnswers.retryAfter(download.state, blockers, at: now) {
            headers.append(("Retry-After", String(seconds)))
        }
        return .json(
            ShownDownload(download: download, blockers: blockers, dropped: dropped).body,
            status: status,
            headers: consume headers)
    }

    /// The time at which the client should ask again: 1 to 30 seconds, nil once it has ended.
    static func retryAfter(
        _ state: DownloadState, _ blockers: [Blocker], at now: Timestamp
    ) -> Int? {
        switch state {
        case .succeeded, .failed, .canceled: return nil
        case .canceling: return 1
        case .running: return 2
        case .suspended, .receiving, .attentionRequired: return 30
        case .waiting:
            var last: Timestamp?
            for blocker in blockers {
                if let until = blocker.until { last = max(last ?? until, until) }
            }
            guard let last else { return 2 }
            let milliseconds = (last - now).wholeMilliseconds
            return Int(min(max((milliseconds + 999) / 1000, 1), 30))
        }
    }
}

extension Download {
    /// Changes with each event and each byte; weak, because blockers change between events.
    var tag: EntityTag { .weak(String(sequence) + "-" + String(bytesReceived + bytesSent)) }

    /// The values with which conditions are compared.
    var representation: Representation { Representation(tag: tag, sequence: sequence) }
}
