// A download as an answer: with its blockers, its tag, and when to ask again.
internal import Core
internal import HTTPWire
internal import Store

/// Shows downloads, with the blockers of those that wait.
struct DownloadAnswers: Sendable {
    /// The conditions of the moment.
    let worker: WorkerAccess
    /// The wall clock.
    let now: @Sendable () -> Timestamp

    /// The path of a download.
    static func path(of id: Identifier) -> String { "/v1/downloads/" + id.text(.download) }

    /// Why a download waits; empty unless it does.
    func blockers(
        _ download: Download, _ candidate: AdmissionCandidate?, at now: Timestamp
    ) -> [Blocker] {
        guard download.state == .waiting, let candidate else { return [] }
        let situation = worker.situation(candidate.present(at: now))
        // A candidate is large: it is copied only to get its name.
        guard situation.needsOriginNames else {
            return Admission.blockers(candidate, in: situation)
        }
        return Admission.blockers(named(candidate, download, situation), in: situation)
    }

    /// The candidate with the name of its origin, where the policy needs it.
    func named(
        _ candidate: AdmissionCandidate, _ download: Download, _ situation: Situation
    ) -> AdmissionCandidate {
        guard situation.needsOriginNames else { return candidate }
        var candidate = candidate
        candidate.originName = DownloadAnswers.originName(download.address ?? download.url)
        return candidate
    }

    private static func originName(_ url: String) -> String? {
        do throws(SourceURLError) { return try SourceURL(parsing: url).origin } catch { return nil }
    }

    /// The answer that shows a download, and after a change the members whose secrets it dropped.
    func response(
        _ download: Download, _ candidate: AdmissionCandidate?, status: Int = 200,
        dropped: [String]? = nil
    ) -> Response {
        let now = self.now()
        let blockers = blockers(download, candidate, at: now)
        var headers: [(String, String)] = []
        // Room for those that the router and a create add.
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

    /// When it makes sense to ask again: 1 to 30 seconds, nil once it has ended.
    static func retryAfter(
        _ state: DownloadState, _ blockers: [Blocker], at now: Timestamp
    ) -> Int? {
        switch state {
        case .succeeded, .failed, .canceled: return nil
        case .canceling: return 1
        case .running: return 2
        case .suspended, .attentionRequired: return 30
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
    /// Changes with each event and each byte; weak, because blockers change between two events.
    var tag: EntityTag { .weak(String(sequence) + "-" + String(bytesReceived)) }

    /// What conditions are compared with.
    var representation: Representation { Representation(tag: tag, sequence: sequence) }
}
