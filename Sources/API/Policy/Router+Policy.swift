// The policy document: read, replaced, in force at once.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `GET /v1/policy`; nobody's document is the empty one, version 0.
    func getPolicy(_ call: Call) async throws(Problem) -> Response {
        let (document, version) = try await currentPolicy(call)
        let tag = EntityTag.strong("\(version)")
        if notModified(call, tag) {
            return Response(status: 304, headers: [("ETag", tag.text)])
        }
        return .json(document, headers: [("ETag", tag.text)])
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
        case .failure(let errors): throw .invalid(errors.list)
        }
        guard let zone = dependencies.zone(policy.timeZone) else {
            throw .invalid("#/time_zone", "is not a time zone that this system has rules for")
        }
        let condition = try await policyCondition(call)
        let outcome = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.policies.replace(
                document: policy.document, ifVersion: condition)
        }
        switch outcome {
        case .conflict(let current):
            throw Problem(
                .preconditionFailed,
                "Nothing was changed: the policy has the ETag \"\(current)\" by now.")
        case .stored(let stored):
            dependencies.worker.policyChanged(policy, zone, stored.version)
            dependencies.worker.hint()
            return .json(
                stored.document, headers: [("ETag", EntityTag.strong("\(stored.version)").text)])
        }
    }

    private func currentPolicy(_ call: Call) async throws(Problem) -> (JSONObject, Int64) {
        let current = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.policies.current()
        }
        return (current?.document ?? JSONObject(), current?.version ?? 0)
    }

    /// The version that the client wants to replace; nil for any.
    private func policyCondition(_ call: Call) async throws(Problem) -> Int64? {
        let headers = call.request.headers
        let match = EntityTagCondition.read(headers.all("If-Match"))
        let noneMatch = EntityTagCondition.read(headers.all("If-None-Match"))
        guard match != nil || noneMatch != nil else { return nil }
        // A document that nobody gave is not there for `*`, though its tag "0" can be matched.
        let (_, version) = try await currentPolicy(call)
        let tag = EntityTag.strong("\(version)")
        if version == 0, match == .any || noneMatch == .any {
            try check(match: match, noneMatch: noneMatch, tag: nil)
        } else {
            try check(match: match, noneMatch: noneMatch, tag: tag)
        }
        return version
    }
}
