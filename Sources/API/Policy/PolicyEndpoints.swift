// The policy document: read, and replaced with effect at once.
internal import Core
internal import HTTPWire
internal import Store

/// The endpoints of the policy document.
final class PolicyEndpoints: EndpointGroup {
    private let policies: Policies
    private let limits: PolicyLimits
    private let bandwidth: Timetable?
    private let zone: @Sendable (String) -> TimeZoneRules?
    private let worker: WorkerAccess

    /// Takes what its endpoints use; limits and bandwidth are those of the settings.
    init(
        policies: Policies, limits: PolicyLimits, bandwidth: Timetable?,
        zone: @escaping @Sendable (String) -> TimeZoneRules?, worker: WorkerAccess
    ) {
        self.policies = policies
        self.limits = limits
        self.bandwidth = bandwidth
        self.zone = zone
        self.worker = worker
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/policy", "getPolicy", scope: .readDownloads, headers: .conditions,
                answers: [.json(), .notModified], .later(get)),
            Route(
                "PUT", "/v1/policy", "putPolicy", scope: .admin, headers: .conditions,
                body: [MediaType.json], answers: [.json()], .later(put)),
        ]
    }

    /// `GET /v1/policy`; before one is stored it is the empty document, version 0.
    func get(_ call: Call) async throws(Problem) -> Response {
        let policy = try await call.stored { () throws(StoreError) in
            try await policies.current()
        }
        let current = PolicyEndpoints.policy(version: policy?.version ?? 0)
        if try call.conditions.check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return .json(policy?.document ?? JSONObject(), headers: [("ETag", current.tag.text)])
    }

    /// `PUT /v1/policy`.
    func put(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        let policy: Policy
        switch Policy.parse(
            document, defaults: limits,
            bandwidth: bandwidth,
            isZone: { self.zone($0) != nil })
        {
        case .success(let value): policy = value
        case .failure(let errors): throw .invalid(errors)
        }
        guard let zone = self.zone(policy.timeZone) else {
            throw .invalid("#/time_zone", "is not a time zone that this system has rules for")
        }
        let conditions = call.conditions
        let outcome = try await call.stored { () throws(StoreError) in
            try await policies.replace(
                document: policy.document,
                where: { conditions.judge(PolicyEndpoints.policy(version: $0)) == .holds })
        }
        switch outcome {
        case .refused(let version):
            throw conditions.problem(PolicyEndpoints.policy(version: version))
        case .stored(let stored):
            worker.policyChanged(policy, zone, stored.version)
            worker.hint()
            return .json(
                stored.document,
                headers: [("ETag", PolicyEndpoints.policy(version: stored.version).tag.text)])
        }
    }

    /// What conditions are compared with; version 0 is the empty document before one is stored.
    private static func policy(version: Int64) -> Representation {
        Representation(tag: .strong("\(version)"), isStored: version > 0)
    }
}
