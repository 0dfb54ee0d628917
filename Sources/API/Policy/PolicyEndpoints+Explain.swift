// The reasons why a download waits, and the time at which it may begin.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension PolicyEndpoints {
    /// `GET /v1/downloads/{id}/explain`.
    func explain(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let record = try await call.stored { () throws(StoreError) -> DownloadRecord? in
            guard let record = try await downloads.find(id, app: call.app) else { return nil }
            return try await downloads.countBefore([record]).first
        }
        guard let record else { throw .noDownload(id) }
        let earlier = try await call.stored { () throws(StoreError) in
            try await downloads.attempts(of: id, app: call.app)
        }
        var blocked = BlockedTime()
        for attempt in earlier ?? [] {
            if let stored = attempt.detail.timeBlocked { blocked.add(BlockedTime(stored: stored)) }
        }
        guard record.download.state == .waiting, let candidate = record.candidate else {
            return .json(PolicyEndpoints.explanation(of: record.download, blocked))
        }
        if let history = worker.history() {
            var candidate = candidate
            candidate.appKey = call.app
            let suspensions = try await call.stored { () throws(StoreError) in
                guard let session = candidate.sessionKey else { return Suspensions() }
                return try await sessions.suspensions(of: session)
            }
            blocked.add(
                BlockedTime(
                    of: answers.named(candidate, record.download, worker.situation(call.now)),
                    from: candidate.waitingSince, to: call.now, in: history,
                    suspensions: suspensions))
        }
        return try await answer(
            record.download, candidate, call, outlook: await outlookIfAny(call), blocked: blocked)
    }

    /// The explanation of a download that does not wait: its state, with cause and remedy if it
    /// failed or needs its client.
    private static func explanation(of download: Download, _ blocked: BlockedTime) -> JSONWriter {
        let isStopped = download.state == .failed || download.state == .attentionRequired
        let error = isStopped ? download.result.error : nil
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", download.state.rawValue)
        writer.member("summary", summary(of: download, error))
        if let error {
            writer.key("error")
            writer.beginObject()
            writer.member("code", error.code.rawValue)
            writer.member("detail", error.detail)
            writer.endObject()
            writer.member("remedy", error.code.remedy)
        }
        writer.member("time_blocked", blocked.json)
        writer.endObject()
        return writer
    }

    private static func summary(of download: Download, _ error: DownloadFailure?) -> String {
        let detail = error.map { $0.detail.hasSuffix(".") ? $0.detail.dropLast() : $0.detail[...] }
        let cause = detail.map { ": \($0)" } ?? ""
        return switch download.state {
        case .suspended: "It is suspended until it is resumed."
        case .receiving: "Its client still brings the file."
        case .waiting: "It is waiting."
        case .running: "It runs now."
        case .canceling: "It is being canceled."
        case .attentionRequired: "It needs you\(cause)."
        case .succeeded: "It has succeeded."
        case .failed: "It has failed\(cause)."
        case .canceled: "It was canceled."
        }
    }

    /// `POST /v1/policy/explain`: explains a create without performing it.
    func explainHypothetical(_ call: Call) async throws(Problem) -> Response {
        guard case .object(let object) = try call.document() else {
            throw .invalid("#", "must be an object")
        }
        let place = LayeredObject(LayeredObject.Layer(object, at: "#"))
        // It is not stored, so its identifier is of no download.
        let new = try await builder.build(
            try DownloadBuilder.read(place), Identifier(high: 0, low: 0), call, at: place)
        var candidate = AdmissionCandidate(new)
        let origin = new.origin
        candidate.originKey = try await call.stored { () throws(StoreError) in
            try await downloads.learning.number(ofOrigin: origin)
        }
        return try await answer(new.download, candidate, call)
    }

    /// The forecast; nil if the store is busy, because an explanation can do without it.
    private func outlookIfAny(_ call: Call) async -> ForecastOutlook? {
        do throws(Problem) { return try await runner.outlook(call) } catch { return nil }
    }

    private func answer(
        _ download: Download, _ candidate: AdmissionCandidate, _ call: Call,
        outlook: ForecastOutlook? = nil, blocked: BlockedTime? = nil
    ) async throws(Problem) -> Response {
        var situation = worker.situation(candidate.present(at: call.now))
        situation.hidesOthers = !call.grant.scopes.contains(.admin)
        let candidate = answers.named(candidate, download, situation)
        let demands = Admission.budgetDemands(candidate, in: situation)
        if !demands.isEmpty {
            let keys = Dictionary(demands.map { ($0.key, $0.period) }, uniquingKeysWith: { $1 })
            situation.budgets.take(
                try await call.stored { () throws(StoreError) in
                    try await downloads.budgets.readings(of: keys)
                })
        }
        let explanation = Explanation(candidate, in: situation)
        var writer = JSONWriter(capacity: 2048)
        explanation.write(
            to: &writer, state: .waiting, outlook: outlook, worker.calibration(),
            blocked: blocked)
        return .json(writer)
    }
}
