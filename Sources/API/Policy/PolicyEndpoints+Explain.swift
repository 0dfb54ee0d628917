// Why a download waits, when it may begin, and what another policy would change.
internal import Core
internal import HTTPWire
internal import Store

extension PolicyEndpoints {
    /// `GET /v1/downloads/{id}/explain`.
    func explain(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let record = try await call.stored { () throws(StoreError) in
            try await downloads.find(id, app: call.app)
        }
        guard let record else { throw .noDownload(id) }
        guard record.download.state == .waiting, let candidate = record.candidate else {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("state", record.download.state.rawValue)
            writer.member("summary", "It does not wait: it is \(record.download.state.rawValue).")
            writer.endObject()
            return .json(writer)
        }
        return answer(record.download, candidate, at: call.now)
    }

    /// `POST /v1/policy/explain`: a create that is not made.
    func explainHypothetical(_ call: Call) async throws(Problem) -> Response {
        guard case .object(let object) = try call.document() else {
            throw .invalid("#", "must be an object")
        }
        let place = LayeredObject(LayeredObject.Layer(object, at: "#"))
        // It is not stored, so its identifier names nothing.
        let new = try await builder.build(
            try DownloadBuilder.read(place), Identifier(high: 0, low: 0), call, at: place)
        return answer(
            new.download, AdmissionCandidate(accepted: new.download), at: call.now)
    }

    private func answer(
        _ download: Download, _ candidate: AdmissionCandidate, at now: Timestamp
    ) -> Response {
        let situation = worker.situation(at: now)
        let explanation = Explanation(
            answers.named(candidate, download, situation.policy), in: situation)
        var writer = JSONWriter(capacity: 2048)
        explanation.write(to: &writer, state: .waiting)
        return .json(writer)
    }

    /// How many waiting downloads a trial looks at, and how many changes it lists.
    private static let triedAtMost = 2000
    private static let listedAtMost = 100

    /// `POST /v1/policy/try`: the verdicts under the policy in force and under the one given.
    func tryOut(_ call: Call) async throws(Problem) -> Response {
        let (policy, zone, remarks) = try policy(try call.document())
        let now = call.now
        let before = worker.situation(at: now)
        var conditions = before.conditions
        conditions.take(policy, at: now)
        let after = Situation(
            now: now, policy: policy, zone: zone, isDraining: before.isDraining,
            disk: before.disk, conditions: conditions)
        var filter = DownloadFilter()
        filter.states = [.waiting]
        var trial = PolicyTrial(listedAtMost: PolicyEndpoints.listedAtMost)
        var last: Identifier?
        while trial.judged < PolicyEndpoints.triedAtMost {
            let (filter, behind) = (filter, last)
            let page = try await call.stored { () throws(StoreError) in
                try await downloads.list(app: call.app, filter, after: behind, limit: 500)
            }
            for record in page.records {
                guard let candidate = record.candidate else { continue }
                let download = record.download
                trial.take(
                    download.id,
                    Explanation(answers.named(candidate, download, before.policy), in: before),
                    Explanation(answers.named(candidate, download, policy), in: after))
            }
            last = page.records.count == 500 ? page.records.last?.download.id : page.resumption
            trial.isWhole = last == nil
            if trial.isWhole { break }
        }
        return .json(trial.body(remarks))
    }
}
