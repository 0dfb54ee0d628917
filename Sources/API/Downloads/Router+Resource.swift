// One download as an answer: with the reasons it waits for, and when to ask again.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// The path of a download.
    static func path(of id: Identifier) -> String { "/v1/downloads/" + id.text(.download) }

    /// The identifier in the path.
    ///
    /// - Throws: `not-found`: what is no identifier names nothing.
    func downloadIdentifier(_ call: Call) throws(Problem) -> Identifier {
        guard let id = Identifier(call.parameters[0], kind: .download) else {
            throw Problem(
                .notFound,
                "\"\(call.parameters[0])\" is no identifier of a download; they are dl_ and 26 "
                    + "letters and digits.")
        }
        return id
    }

    /// A download of the app.
    ///
    /// - Throws: `not-found`, or what the store's failure becomes.
    func download(_ id: Identifier, _ call: Call) async throws(Problem) -> DownloadRecord {
        let record = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.find(id, app: dependencies.settings.app)
        }
        guard let record else { throw Router.noDownload(id) }
        return record
    }

    /// There is no such download.
    static func noDownload(_ id: Identifier) -> Problem {
        Problem(
            .notFound,
            "There is no download \(id.text(.download)); it was deleted or never was.")
    }

    /// Why a download waits; empty unless it does.
    func blockers(
        _ download: Download, _ applicant: Applicant?, at now: Timestamp
    ) -> [Blocker] {
        guard download.state == .waiting, var applicant else { return [] }
        let (policy, zone) = dependencies.worker.policyInForce()
        if policy.bandwidth.canStopOrigins {
            applicant.originName = Router.originName(download.address ?? download.url)
        }
        return Admission.blockers(
            applicant,
            in: Situation(
                now: now, policy: policy, zone: zone,
                isDraining: dependencies.worker.isDraining(), disk: dependencies.worker.disk()))
    }

    private static func originName(_ url: String) -> String? {
        do throws(SourceURLError) { return try SourceURL(parsing: url).origin } catch { return nil }
    }

    /// The whole answer.
    func resource(_ download: Download, _ applicant: Applicant?, status: Int = 200) -> Response {
        let now = dependencies.now()
        let blockers = blockers(download, applicant, at: now)
        var headers = [("ETag", download.tag.text)]
        if let seconds = Router.retryAfter(download.state, blockers, at: now) {
            headers.append(("Retry-After", "\(seconds)"))
        }
        return .json(
            ShownDownload(download: download, blockers: blockers).body, status: status,
            headers: headers)
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
            guard let last = blockers.compactMap(\.until).max() else { return 2 }
            let milliseconds = (last - now).wholeMilliseconds
            return Int(min(max((milliseconds + 999) / 1000, 1), 30))
        }
    }
}

extension Download {
    /// Names what was seen; weak, because blockers change between two events.
    var tag: EntityTag { .weak("\(sequence)-\(bytesReceived)") }

    /// What conditions are compared with.
    var representation: Representation { Representation(tag: tag, sequence: sequence) }
}
