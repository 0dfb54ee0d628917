// The policy document: read, replaced, in force at once.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `GET /v1/policy`; before one is stored it is the empty document, version 0.
    func getPolicy(_ call: Call) async throws(Problem) -> Response {
        let policy = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.policies.current()
        }
        let current = Router.policy(version: policy?.version ?? 0)
        if try Preconditions(call.request).check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return .json(policy?.document ?? JSONObject(), headers: [("ETag", current.tag.text)])
    }

    /// `PUT /v1/policy`.
    func putPolicy(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        let policy: Policy
        switch Policy.parse(
            document, defaults: dependencies.settings.limits,
            bandwidth: dependencies.settings.bandwidth,
            isZone: { dependencies.zone($0) != nil })
        {
        case .success(let value): policy = value
        case .failure(let errors): throw .invalid(errors)
        }
        guard let zone = dependencies.zone(policy.timeZone) else {
            throw .invalid("#/time_zone", "is not a time zone that this system has rules for")
        }
        let conditions = Preconditions(call.request)
        let outcome = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.policies.replace(
                document: policy.document,
                where: { conditions.judge(Router.policy(version: $0)) == .holds })
        }
        switch outcome {
        case .refused(let version): throw conditions.problem(Router.policy(version: version))
        case .stored(let stored):
            dependencies.worker.policyChanged(policy, zone, stored.version)
            dependencies.worker.hint()
            return .json(
                stored.document,
                headers: [("ETag", Router.policy(version: stored.version).tag.text)])
        }
    }

    /// What conditions are compared with; version 0 is the empty document that nobody stored.
    private static func policy(version: Int64) -> Representation {
        Representation(tag: .strong("\(version)"), isStored: version > 0)
    }
}
