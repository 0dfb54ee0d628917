// Sessions: put by their client's name, read back, listed.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `PUT /v1/sessions/{identifier}`.
    func putSession(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        var configuration: SessionConfiguration
        switch SessionConfiguration.parse(try call.document()) {
        case .success(let value): configuration = value
        case .failure(let errors): throw .invalid(errors)
        }
        if let url = configuration.webhookURL { try webhookTarget().check(url) }
        let conditions = Preconditions(call.request)
        let app = dependencies.settings.app
        let sealed = seal(&configuration, of: identifier)
        let known = configuration
        let outcome = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.sessions.put(
                app: app, identifier: identifier, configuration: known, sealed: sealed,
                where: { conditions.judge($0?.representation) == .holds })
        }
        let record: SessionRecord
        let isNew: Bool
        switch outcome {
        case .refused(let current): throw conditions.problem(current?.representation)
        case .made(let made): (record, isNew) = (made, true)
        case .kept(let kept): (record, isNew) = (kept, false)
        }
        sessions.forget(app: app, identifier: identifier)
        dependencies.worker.rateChanged(.session(record.key, configuration.maxBytesPerSecond))
        var response = resource(record, status: isNew ? 201 : 200)
        if isNew { response.headers.append(("Location", "/v1/sessions/" + identifier)) }
        return response
    }

    /// `GET /v1/sessions/{identifier}`.
    func getSession(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        guard let record = try await readSession(call, identifier) else {
            throw Problem(
                .notFound,
                "There is no session \"\(identifier)\"; PUT its configuration here to make it.")
        }
        let current = record.representation
        if try Preconditions(call.request).check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return resource(record, status: 200)
    }

    /// `GET /v1/sessions`.
    func listSessions(_ call: Call) async throws(Problem) -> Response {
        let records = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.sessions.list(app: dependencies.settings.app)
        }
        let page: JSONObject = [
            "data": .array(records.map { .object(Router.json($0)) }), "next_cursor": nil,
        ]
        return .json(page)
    }

    /// The session of a new download, from memory where possible.
    func session(
        _ identifier: String, at pointer: String = "#/session", for call: Call
    ) async throws(Problem) -> SessionRecord {
        let app = dependencies.settings.app
        if let known = sessions.find(app: app, identifier: identifier, now: call.now) {
            return known
        }
        let changes = sessions.changes
        guard let record = try await readSession(call, identifier) else {
            throw .invalid(
                pointer,
                "names \"\(identifier)\", which does not exist; make it with "
                    + "PUT /v1/sessions/\(identifier), or leave it out for \"default\"")
        }
        sessions.keep(record, app: app, readAt: call.now, changes: changes)
        return record
    }

    private func readSession(
        _ call: Call, _ identifier: String
    ) async throws(Problem) -> SessionRecord? {
        try await stored(call) { () throws(StoreError) in
            try await dependencies.store.sessions.find(
                app: dependencies.settings.app, identifier: identifier)
        }
    }

    private func sessionIdentifier(_ call: Call) throws(Problem) -> String {
        let identifier = call.parameters[0]
        guard SessionIdentifier.isValid(identifier) else {
            throw Problem(
                .notFound, "A session's identifier \(SessionIdentifier.rule).")
        }
        return identifier
    }

    private func resource(_ record: SessionRecord, status: Int) -> Response {
        .json(
            Router.json(record), status: status,
            headers: [("ETag", record.representation.tag.text)])
    }

    private static func json(_ record: SessionRecord) -> JSONObject {
        let values = record.configuration
        var object: JSONObject = [
            "identifier": .string(record.identifier),
            "version": .integer(record.version),
            "is_discretionary": values.isDiscretionary.map { .bool($0) } ?? .null,
            "timeout_interval_for_request": values.requestTimeout.map { .integer($0) } ?? .null,
            "timeout_interval_for_resource": values.resourceTimeout.map { .integer($0) } ?? .null,
            "require_verified_length":
                values.rules.requiresVerifiedLength.map { .bool($0) } ?? .null,
            "require_expected_length":
                values.rules.requiresExpectedLength.map { .bool($0) } ?? .null,
            "on_source_change":
                values.rules.onSourceChange.map { .string($0.rawValue) } ?? .null,
            "max_bytes": values.rules.maximumBytes.map { .integer($0) } ?? .null,
            "content_retention": values.contentRetention.map { .integer($0) } ?? .null,
            "max_bytes_per_second": values.maxBytesPerSecond.map { .integer($0) } ?? .null,
            "segments": values.segments.map { .integer($0) } ?? .null,
            "webhook_url": values.webhookURL.map { .string($0) } ?? .null,
            "webhook_events": values.webhookEvents.map { .array($0.map { .string($0) }) } ?? .null,
        ]
        for (name, value) in secretMembers(values.shape) { object.append(name, value) }
        object.append("created_at", .string(record.createdAt.rfc3339))
        object.append("updated_at", .string(record.updatedAt.rfc3339))
        return object
    }
}

extension SessionRecord {
    /// What conditions are compared with.
    fileprivate var representation: Representation {
        Representation(tag: .strong("\(version)"))
    }
}
