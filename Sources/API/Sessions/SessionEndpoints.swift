// Sessions: put under the client's name, read, listed.
internal import Core
internal import HTTPWire
internal import Store

/// The endpoints of sessions.
final class SessionEndpoints: EndpointGroup {
    private let lookup: SessionLookup
    private let targets: TargetRules
    private let sealer: RequestSealer
    private let rateChanged: @Sendable (RateChange) -> Void

    /// Takes what its endpoints use.
    init(
        lookup: SessionLookup, targets: TargetRules, sealer: RequestSealer,
        rateChanged: @escaping @Sendable (RateChange) -> Void
    ) {
        self.lookup = lookup
        self.targets = targets
        self.sealer = sealer
        self.rateChanged = rateChanged
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/sessions", "listSessions", scope: .readDownloads,
                answers: [.json()], .later(list)),
            Route(
                "GET", "/v1/sessions/{identifier}", "getSession", scope: .readDownloads,
                headers: .conditions, answers: [.json(), .notModified], .later(get)),
            Route(
                "PUT", "/v1/sessions/{identifier}", "putSession", scope: .writeDownloads,
                headers: .conditions, body: [MediaType.json],
                answers: [.json(200), .json(201)], .later(put)),
        ]
    }

    /// `PUT /v1/sessions/{identifier}`.
    func put(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        var configuration: SessionConfiguration
        switch SessionConfiguration.parse(try call.document()) {
        case .success(let value): configuration = value
        case .failure(let errors): throw .invalid(errors)
        }
        if let url = configuration.webhookURL { try targets.webhook().check(url) }
        let conditions = call.conditions
        let sealed = sealer.seal(&configuration, of: identifier, app: call.app)
        let stored = configuration
        let outcome = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.put(
                app: call.app, identifier: identifier, configuration: stored, sealed: sealed,
                where: { conditions.judge($0?.representation) == .holds })
        }
        let record: SessionRecord
        let isNew: Bool
        switch outcome {
        case .refused(let current): throw conditions.problem(current?.representation)
        case .made(let made): (record, isNew) = (made, true)
        case .kept(let kept): (record, isNew) = (kept, false)
        }
        lookup.cache.forget(app: call.app, identifier: identifier)
        rateChanged(.session(record.key, configuration.maxBytesPerSecond))
        var response = resource(record, status: isNew ? 201 : 200)
        if isNew { response.headers.append(("Location", "/v1/sessions/" + identifier)) }
        return response
    }

    /// `GET /v1/sessions/{identifier}`.
    func get(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        guard let record = try await lookup.read(identifier, call) else {
            throw Problem(
                .notFound,
                "There is no session \"\(identifier)\"; PUT its configuration here to make it.")
        }
        let current = record.representation
        if try call.conditions.check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return resource(record, status: 200)
    }

    /// `GET /v1/sessions`.
    func list(_ call: Call) async throws(Problem) -> Response {
        let records = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.list(app: call.app)
        }
        let page: JSONObject = [
            "data": .array(records.map { .object(SessionEndpoints.json($0)) }), "next_cursor": nil,
        ]
        return .json(page)
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
            SessionEndpoints.json(record), status: status,
            headers: [("ETag", record.representation.tag.text)])
    }

    private static func json(_ record: SessionRecord) -> JSONObject {
        let values = record.configuration
        var object: JSONObject = [
            "identifier": .string(record.identifier),
            "version": .integer(record.version),
            "is_discretionary": values.isDiscretionary.map { .bool($0) } ?? .null,
            "allows_expensive_network_access":
                values.allowsExpensive.map { .bool($0) } ?? .null,
            "allows_constrained_network_access":
                values.allowsConstrained.map { .bool($0) } ?? .null,
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
            "refetch_lost": values.refetchesLost.map { .bool($0) } ?? .null,
            "max_bytes_per_second": values.maxBytesPerSecond.map { .integer($0) } ?? .null,
            "max_running": values.maxRunning.map { .integer($0) } ?? .null,
            "segments": values.segments.map { .integer($0) } ?? .null,
            "webhook_url": values.webhookURL.map { .string($0) } ?? .null,
            "webhook_events": values.webhookEvents.map { .array($0.map { .string($0) }) } ?? .null,
        ]
        for (name, value) in SessionEndpoints.secretMembers(values.shape) {
            object.append(name, value)
        }
        object.append("created_at", .string(record.createdAt.rfc3339))
        object.append("updated_at", .string(record.updatedAt.rfc3339))
        return object
    }

    /// The members for the secrets of a session, with names and without values.
    private static func secretMembers(_ shape: SessionShape?) -> [(String, JSON)] {
        let tls = shape?.tlsNames ?? []
        return [
            ("http_additional_headers", RequestShape.redacted(shape?.headerNames ?? [])),
            ("tls", tls.isEmpty ? .null : RequestShape.redacted(tls)),
        ]
    }
}

extension SessionRecord {
    /// What conditions are compared with.
    fileprivate var representation: Representation {
        Representation(tag: .strong("\(version)"))
    }
}
