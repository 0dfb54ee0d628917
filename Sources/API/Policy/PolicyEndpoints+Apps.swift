// The policy that an app adds to the deployment's.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension PolicyEndpoints {
    /// `GET /v1/apps/{app}/policy`; without a stored one the empty document, version 0.
    func getOfApp(_ call: Call) async throws(Problem) -> Response {
        let app = try await app(call)
        let stored = try await call.stored { () throws(StoreError) in
            try await policies.current(of: app.number)
        }
        let current = PolicyEndpoints.policy(
            version: stored?.version ?? 0, isStored: stored?.isStored ?? false)
        if try call.conditions.check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return try await answer(app.name, stored, call)
    }

    /// `PUT /v1/apps/{app}/policy`: it only adds to the deployment's.
    func putOfApp(_ call: Call) async throws(Problem) -> Response {
        let app = try await app(call)
        let reading = read(try call.document(), of: app.name, over: try await base(call))
        guard let policy = reading.policy else { throw .invalid(reading.errors) }
        let stored = try await replace(of: app.number, policy.document, call)
        await enforce(call)
        return try await answer(app.name, stored, call)
    }

    /// `DELETE /v1/apps/{app}/policy`: from then on only the deployment's applies.
    func deleteOfApp(_ call: Call) async throws(Problem) -> Response {
        let app = try await app(call)
        _ = try await replace(of: app.number, nil, call)
        await enforce(call)
        return Response(status: 204)
    }

    /// `GET /v1/apps/{app}/policy/versions`, the newest first.
    func listVersionsOfApp(_ call: Call) async throws(Problem) -> Response {
        try await versions(of: try await app(call).number, call)
    }

    /// The app in the path: the caller's own, or any for an operator.
    func app(_ call: Call) async throws(Problem) -> (number: Int64, name: String) {
        let name = call.parameters[0]
        let number = try await call.stored { () throws(StoreError) in
            try await policies.number(ofApp: name)
        }
        guard let number, number == call.app || call.grant.scopes.contains(.admin) else {
            throw Problem(
                .notFound, "There is no app \"\(name)\", or this key belongs to another app.")
        }
        return (number, name)
    }

    private func base(_ call: Call) async throws(Problem) -> Policy {
        let document = try await documents(call).deployment?.document ?? JSONObject()
        return try policy(.object(document), apps: []).policy
    }

    /// Reads an app's document over the deployment's policy.
    func read(_ document: JSON, of app: String, over base: Policy) -> PolicyReading {
        Policy.read(document, of: app, over: base, isZone: { self.zone($0) != nil })
    }

    private func answer(
        _ app: String, _ stored: StoredPolicy?, _ call: Call
    ) async throws(Problem) -> Response {
        let base = try await base(call)
        let document = stored?.document ?? JSONObject()
        let reading = read(.object(document), of: app, over: base)
        let version = stored?.version ?? 0
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.member("app", app)
        writer.member("version", version)
        writer.member("updated_at", stored?.updatedAt)
        writer.key("document")
        writer.write(.object(document))
        reading.remarks.write(to: &writer)
        writer.key("effective")
        let own = reading.policy.map { [KeyText(app): $0] } ?? [:]
        writer.write(base.adding(own).effective(for: app))
        writer.endObject()
        let tag = PolicyEndpoints.policy(version: version, isStored: stored?.isStored ?? false).tag
        return .json(writer, headers: [("ETag", tag.text)])
    }
}
