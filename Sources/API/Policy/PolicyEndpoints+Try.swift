// Tries a policy: shows the changes that it would make, and stores nothing.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension PolicyEndpoints {
    /// The most waiting downloads that a trial judges; below, the most changes that it lists.
    private static let triedAtMost = 2000
    private static let listedAtMost = 100

    /// `POST /v1/policy/try`: the verdicts under the policy in force and under the given one.
    func tryOut(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        _ = try policy(document, apps: [])
        let (policy, zone, remarks) = try policy(
            document, apps: try await documents(call).apps)
        let trial = try await trial(of: policy, zone, app: call.app, call)
        return .json(trial.body(remarks))
    }

    /// `POST /v1/apps/{app}/policy/try`: tries an app's policy over that app's downloads.
    func tryOutOfApp(_ call: Call) async throws(Problem) -> Response {
        let app = try await app(call)
        let stored = try await documents(call)
        let base = stored.deployment?.document ?? JSONObject()
        let reading = read(
            try call.document(), of: app.name, over: try policy(.object(base), apps: []).policy)
        guard let own = reading.policy else { throw .invalid(reading.errors) }
        var apps = stored.apps.filter { $0.app != app.name }
        apps.append(Policy.AppDocument(app: app.name, document: own.document))
        let (policy, zone, _) = try policy(.object(base), apps: apps)
        let trial = try await trial(of: policy, zone, app: app.number, call)
        return .json(trial.body(reading.remarks))
    }

    /// Judges an app's waiting downloads under the policy in force and another one.
    private func trial(
        of policy: Policy, _ zone: TimeZoneRules, app: Int64, _ call: Call
    ) async throws(Problem) -> PolicyTrial {
        let now = call.now
        let before = worker.situation(now)
        var conditions = before.conditions
        conditions.take(policy, at: now)
        var budgets = before.budgets
        budgets.prepare(policy, zone: zone, at: now, isNew: true)
        let after = Situation(
            now: now, policy: policy, zone: zone, isDraining: before.isDraining,
            disk: before.disk, conditions: conditions, learned: before.learned,
            budgets: budgets)
        var filter = DownloadFilter()
        filter.states = [.waiting]
        var trial = PolicyTrial(listedAtMost: PolicyEndpoints.listedAtMost)
        var last: Identifier?
        while trial.judged < PolicyEndpoints.triedAtMost {
            let (filter, behind) = (filter, last)
            let page = try await call.stored { () throws(StoreError) in
                try await downloads.list(app: app, filter, after: behind, limit: 500)
            }
            for record in page.records {
                guard let candidate = record.candidate else { continue }
                let download = record.download
                trial.take(
                    download.id,
                    Explanation(answers.named(candidate, download, before), in: before),
                    Explanation(answers.named(candidate, download, after), in: after))
            }
            last = page.records.count == 500 ? page.records.last?.download.id : page.resumption
            trial.isWhole = last == nil
            if trial.isWhole { break }
        }
        return trial
    }
}
