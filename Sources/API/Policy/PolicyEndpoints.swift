// The policy document: read, and replaced with effect at once.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// The endpoints of the policy document.
final class PolicyEndpoints: EndpointGroup {
    let policies: Policies
    let limits: PolicyLimits
    let bandwidth: Timetable?
    let zone: @Sendable (String) -> TimeZoneRules?
    let worker: WorkerAccess
    let downloads: Downloads
    let sessions: Sessions
    let answers: DownloadAnswers
    let builder: DownloadBuilder
    let runner: ForecastRunner

    /// The number of versions on a page.
    private static let versionsAtMost = 100

    /// Creates the group with the values that its endpoints use; limits and bandwidth are those of
    /// the settings.
    init(
        policies: Policies, limits: PolicyLimits, bandwidth: Timetable?,
        zone: @escaping @Sendable (String) -> TimeZoneRules?, worker: WorkerAccess,
        downloads: Downloads, sessions: Sessions, answers: DownloadAnswers,
        builder: DownloadBuilder, runner: ForecastRunner
    ) {
        self.policies = policies
        self.limits = limits
        self.bandwidth = bandwidth
        self.zone = zone
        self.worker = worker
        self.downloads = downloads
        self.sessions = sessions
        self.answers = answers
        self.builder = builder
        self.runner = runner
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/policy", "getPolicy", scope: .readDownloads, or: .admin,
                headers: .conditions, answers: [.json(), .notModified], .later(get)),
            Route(
                "PUT", "/v1/policy", "putPolicy", scope: .admin, headers: .conditions,
                body: [MediaType.json], answers: [.json()], .later(put)),
            Route(
                "DELETE", "/v1/policy", "deletePolicy", scope: .admin, headers: .conditions,
                answers: [.empty(204)], .later(delete)),
            Route(
                "GET", "/v1/policy/schema", "getPolicySchema", scope: .readDownloads,
                or: .admin, answers: [.json()], .now(schema)),
            Route(
                "GET", "/v1/policy/versions", "listPolicyVersions", scope: .admin,
                answers: [.json()], .later(listVersions)),
            Route(
                "GET", "/v1/apps/{app}/policy", "getAppPolicy", scope: .readDownloads,
                or: .admin, headers: .conditions, answers: [.json(), .notModified],
                .later(getOfApp)),
            Route(
                "PUT", "/v1/apps/{app}/policy", "putAppPolicy", scope: .admin,
                headers: .conditions, body: [MediaType.json], answers: [.json()],
                .later(putOfApp)),
            Route(
                "DELETE", "/v1/apps/{app}/policy", "deleteAppPolicy", scope: .admin,
                headers: .conditions, answers: [.empty(204)], .later(deleteOfApp)),
            Route(
                "GET", "/v1/apps/{app}/policy/versions", "listAppPolicyVersions", scope: .admin,
                answers: [.json()], .later(listVersionsOfApp)),
            Route(
                "POST", "/v1/apps/{app}/policy/try", "tryAppPolicy", scope: .admin,
                body: [MediaType.json], answers: [.json()], isLong: true, .later(tryOutOfApp)),
            Route(
                "POST", "/v1/policy/try", "tryPolicy", scope: .admin, body: [MediaType.json],
                answers: [.json()], isLong: true, .later(tryOut)),
            Route(
                "POST", "/v1/policy/explain", "explainPolicy", scope: .readDownloads,
                body: [MediaType.json], answers: [.json()], .later(explainHypothetical)),
            Route(
                "GET", "/v1/downloads/{id}/explain", "explainDownload", scope: .readDownloads,
                answers: [.json()], .later(explain)),
            Route(
                "GET", "/v1/uploads/{id}/explain", "explainUpload", scope: .readUploads,
                answers: [.json()], .later(explain)),
        ]
    }

    /// `GET /v1/policy`; without a stored one the empty document, version 0.
    func get(_ call: Call) async throws(Problem) -> Response {
        let policy = try await call.stored { () throws(StoreError) in
            try await policies.current()
        }
        let current = PolicyEndpoints.policy(
            version: policy?.version ?? 0, isStored: policy?.isStored ?? false)
        if try call.conditions.check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        let document = policy?.document ?? JSONObject()
        let answer = PolicyAnswer(
            version: policy?.version ?? 0, updatedAt: policy?.updatedAt, document: document,
            findings: read(.object(document)).remarks)
        return .json(answer.body, headers: [("ETag", current.tag.text)])
    }

    /// Reads a document as this deployment does, with the policies of apps added.
    func read(_ document: JSON, apps: [Policy.AppDocument] = []) -> PolicyReading {
        Policy.inForce(
            document, apps: apps, defaults: limits, bandwidth: bandwidth,
            isZone: { self.zone($0) != nil })
    }

    /// All stored documents.
    func documents(_ call: Call) async throws(Problem) -> PolicyDocuments {
        try await call.stored { () throws(StoreError) in try await policies.documents() }
    }

    /// Puts the stored policy in force here.
    ///
    /// The change is stored already: if it cannot be read now, the next heartbeat brings it, as it
    /// does to other replicas.
    func enforce(_ call: Call) async {
        do throws(Problem) {
            let stored = try await documents(call)
            let (policy, zone, _) = try policy(
                .object(stored.deployment?.document ?? JSONObject()), apps: stored.apps)
            worker.policyChanged(policy, zone, stored.version)
        } catch {
            call.report(
                "the policy was stored, but is not in force on this replica yet: \(error.detail)")
        }
        worker.hint()
    }

    /// The policy of a document, with its zone.
    ///
    /// - Throws: `validation-failed` with every finding that is an error.
    func policy(
        _ document: JSON, apps: [Policy.AppDocument]
    ) throws(Problem) -> (policy: Policy, zone: TimeZoneRules, remarks: [PolicyFinding]) {
        let reading = read(document, apps: apps)
        guard let policy = reading.policy else { throw .invalid(reading.errors) }
        guard let zone = self.zone(policy.timeZone) else {
            throw .invalid(
                "#/time_zone",
                "is not a time zone that this system knows; use an IANA name such as "
                    + "\"Europe/Berlin\", and see that tzdata is installed")
        }
        return (policy, zone, reading.remarks)
    }

    /// `PUT /v1/policy`.
    func put(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        let (policy, _, remarks) = try policy(document, apps: [])
        _ = try self.policy(document, apps: try await documents(call).apps)
        let stored = try await replace(policy.document, call)
        await enforce(call)
        let answer = PolicyAnswer(
            version: stored.version, updatedAt: stored.updatedAt, document: stored.document,
            findings: remarks)
        let tag = PolicyEndpoints.policy(version: stored.version, isStored: true).tag
        return .json(answer.body, headers: [("ETag", tag.text)])
    }

    /// `DELETE /v1/policy`: from then on the limits of the settings apply, and there are no rules.
    func delete(_ call: Call) async throws(Problem) -> Response {
        _ = try policy(.object(JSONObject()), apps: try await documents(call).apps)
        _ = try await replace(nil, call)
        await enforce(call)
        return Response(status: 204)
    }

    /// Stores a document of the deployment, or of an app, under the request's conditions.
    func replace(
        of app: Int64 = 0, _ document: JSONObject?, _ call: Call
    ) async throws(Problem) -> StoredPolicy {
        let conditions = call.conditions
        let outcome = try await call.stored { () throws(StoreError) in
            try await policies.replace(
                of: app, document: document,
                where: { version, isStored in
                    conditions.judge(
                        PolicyEndpoints.policy(version: version, isStored: isStored)) == .holds
                })
        }
        switch outcome {
        case .refused(let version, let isStored):
            throw conditions.problem(PolicyEndpoints.policy(version: version, isStored: isStored))
        case .stored(let stored): return stored
        case .tooMany:
            throw .invalid(
                "#", "is one app policy too many: at most \(Policies.appsAtMost) apps can have one")
        }
    }

    /// `GET /v1/policy/schema`, made from the table by which documents are checked.
    func schema(_ call: Call) throws(Problem) -> Response {
        var schema = PolicyShape.deployment.schema().objectValue ?? JSONObject()
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "A policy of Lull"
        return .json(schema)
    }

    /// `GET /v1/policy/versions`, the newest first.
    func listVersions(_ call: Call) async throws(Problem) -> Response {
        try await versions(of: 0, call)
    }

    /// The kept versions of an app's policy; for app 0 of the deployment's.
    func versions(of app: Int64, _ call: Call) async throws(Problem) -> Response {
        let versions = try await call.stored { () throws(StoreError) in
            try await policies.versions(of: app, limit: PolicyEndpoints.versionsAtMost)
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("data")
        writer.beginArray()
        for version in versions {
            writer.beginObject()
            writer.member("version", version.version)
            writer.member("updated_at", version.updatedAt)
            writer.key("document")
            writer.write(version.isStored ? .object(version.document) : .null)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer)
    }

    /// The values with which conditions are compared; version 0 is the empty document before one is
    /// stored.
    static func policy(version: Int64, isStored: Bool) -> Representation {
        Representation(tag: .strong("\(version)"), isStored: isStored)
    }
}
