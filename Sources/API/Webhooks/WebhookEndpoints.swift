// Endpoints for webhooks: registered, read, changed, deleted.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints below `/v1/webhook_endpoints` and `/v1/webhook_deliveries`.
final class WebhookEndpoints: EndpointGroup {
    let endpoints: Endpoints
    let deliveries: Deliveries
    let receivers: RestingReceivers
    let targets: TargetRules
    let secrets: SecretBox
    let worker: WorkerAccess
    /// The shared secret of apps without one of their own; nil if each app gets one.
    let inherited: EndpointSecret?
    /// Whether the operator has a server for mail to people.
    let sendsMail: Bool
    /// The time for which a replaced secret signs beside the new one.
    let overlap: Duration
    private let makeIdentifier: @Sendable (Timestamp) -> Identifier

    /// Creates the group with the values that its endpoints use.
    init(_ dependencies: Dependencies, targets: TargetRules) {
        let downloads = dependencies.store.downloads
        endpoints = downloads.endpoints
        deliveries = downloads.deliveries
        receivers = downloads.restingReceivers
        self.targets = targets
        secrets = dependencies.secrets
        worker = dependencies.worker
        inherited = dependencies.settings.webhookSecret
        sendsMail = dependencies.settings.sendsMail
        overlap = dependencies.settings.webhookSecretOverlap
        makeIdentifier = dependencies.makeIdentifier
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/v1/webhook_endpoints", "createWebhookEndpoint", scope: .webhooks,
                body: [MediaType.json], answers: [.json(201)], .later(create)),
            Route(
                "GET", "/v1/webhook_endpoints", "listWebhookEndpoints", scope: .webhooks,
                answers: [.json()], .later(list)),
            Route(
                "GET", "/v1/webhook_endpoints/{id}", "getWebhookEndpoint", scope: .webhooks,
                headers: .conditions, answers: [.json(), .notModified], .later(get)),
            Route(
                "PATCH", "/v1/webhook_endpoints/{id}", "changeWebhookEndpoint", scope: .webhooks,
                headers: .conditions, body: [MediaType.mergePatch, MediaType.json],
                answers: [.json()], .later(change)),
            Route(
                "DELETE", "/v1/webhook_endpoints/{id}", "deleteWebhookEndpoint", scope: .webhooks,
                headers: .conditions, answers: [.empty(204)], .later(delete)),
            Route(
                "GET", "/v1/webhook_endpoints/{id}/statistics", "getWebhookStatistics",
                scope: .webhooks, answers: [.json()], .later(statistics)),
        ] + secretRoutes + deliveryRoutes
    }

    /// `POST /v1/webhook_endpoints`.
    func create(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        var spec = try read(document, isDefault: false)
        let id = makeIdentifier(call.now)
        let request = try request(of: nil, named: id, to: spec, by: document, call)
        spec.request = request.shape
        let secret = EndpointSecret(key: SecureRandom.bytes(EndpointSecret.madeBytes))
        let sealed = secrets.seal(
            secret.key, for: EndpointSecret.associatedData(of: id, app: call.app))
        let stored = spec
        let outcome = try await call.stored { () throws(StoreError) in
            try await endpoints.create(
                stored, id: id, app: call.app, secret: sealed, sealed: request.sealed)
        }
        guard case .done(let record) = outcome else {
            if case .tooManyMails = outcome { throw WebhookEndpoints.tooMany(ofMail: true) }
            throw WebhookEndpoints.tooMany(ofMail: false)
        }
        let shown = ShownEndpoint(record)
        var object = shown.json
        object.append("secret", .string(secret.text))
        return .json(
            object, status: 201,
            headers: [
                ("Location", "/v1/webhook_endpoints/" + shown.name), ("ETag", shown.tag.text),
                ("Cache-Control", "no-store"),
            ])
    }

    /// `GET /v1/webhook_endpoints`: the `default` one first.
    func list(_ call: Call) async throws(Problem) -> Response {
        var records = try await call.stored { () throws(StoreError) in
            try await endpoints.list(app: call.app)
        }
        let first = records.first?.id == nil ? records.first : nil
        if first != nil { records.removeFirst() }
        let shown = [ShownEndpoint(first)] + records.map { ShownEndpoint($0) }
        return .json(["data": .array(shown.map { .object($0.json) }), "next_cursor": nil])
    }

    /// `GET /v1/webhook_endpoints/{id}`.
    func get(_ call: Call) async throws(Problem) -> Response {
        let shown = ShownEndpoint(try await find(try endpointIdentifier(call), call))
        if try call.conditions.check(shown.representation) {
            return Response(status: 304, headers: [("ETag", shown.tag.text)])
        }
        return .json(shown.json, headers: [("ETag", shown.tag.text)])
    }

    /// `PATCH /v1/webhook_endpoints/{id}`.
    func change(_ call: Call) async throws(Problem) -> Response {
        let id = try endpointIdentifier(call)
        let patch = try call.document()
        guard patch.objectValue != nil else { throw .invalid("#", "must be an object") }
        // If another change is committed first, this one is applied again to its result.
        for _ in 0..<8 {
            let old = try await find(id, call)
            _ = try call.conditions.check(ShownEndpoint(old).representation)
            let before = JSON.object(
                (old?.spec ?? EndpointSpec(url: nil)).json(isDefault: id == nil))
            var spec = try read(before.merging(patch), isDefault: id == nil)
            var request = EndpointRequest()
            if let id {
                request = try self.request(of: old, named: id, to: spec, by: patch, call)
            }
            spec.request = request.shape
            if let old, old.spec == spec, old.sealed == request.sealed { return answer(old) }
            let stored = spec
            let sealed = request.sealed
            let outcome = try await call.stored { () throws(StoreError) in
                try await endpoints.change(old, to: stored, id: id, app: call.app, sealed: sealed)
            }
            switch outcome {
            case .done(let record):
                if spec.isEnabled { worker.delivered() }
                return answer(record, dropped: request.dropped)
            case .notFound: throw WebhookEndpoints.noEndpoint(call)
            case .tooManyMails: throw WebhookEndpoints.tooMany(ofMail: true)
            case .refused, .stale, .tooMany: continue
            }
        }
        throw Problem(
            .preconditionFailed,
            "Nothing was changed, because other requests kept changing the endpoint. Send the "
                + "request again.")
    }

    /// `DELETE /v1/webhook_endpoints/{id}`.
    func delete(_ call: Call) async throws(Problem) -> Response {
        guard let id = try endpointIdentifier(call) else {
            throw Problem(
                .endpointConflict,
                "The endpoint \"default\" stands for every webhook_url, so it cannot be deleted.")
        }
        let conditions = call.conditions
        let outcome = try await call.stored { () throws(StoreError) in
            try await endpoints.delete(
                id, app: call.app,
                where: { conditions.judge(ShownEndpoint($0).representation) == .holds })
        }
        switch outcome {
        case .done: return Response(status: 204)
        case .refused(let record):
            throw conditions.problem(ShownEndpoint(record).representation)
        case .notFound, .stale, .tooMany, .tooManyMails: throw WebhookEndpoints.noEndpoint(call)
        }
    }

    private func answer(_ record: EndpointRecord, dropped: [String] = []) -> Response {
        let shown = ShownEndpoint(record)
        var object = shown.json
        object.append("dropped", .array(dropped.map { .string($0) }))
        return .json(object, headers: [("ETag", shown.tag.text)])
    }

    private func read(_ document: JSON, isDefault: Bool) throws(Problem) -> EndpointSpec {
        switch EndpointSpec.parse(document, isDefault: isDefault) {
        case .failure(let errors): throw .invalid(errors)
        case .success(let spec):
            guard spec.format == .email else {
                if let url = spec.url { try targets.endpoint.check(url) }
                return spec
            }
            guard sendsMail else {
                throw .invalid(
                    "#/format",
                    "cannot be email here, because the operator has set no "
                        + "LULL_SMTP_URL")
            }
            return spec
        }
    }
}

extension WebhookEndpoints {
    /// The endpoint in the path; nil for `default`.
    ///
    /// - Throws: `not-found`.
    func endpointIdentifier(_ call: Call) throws(Problem) -> Identifier? {
        let text = call.parameters[0]
        guard text != "default" else { return nil }
        guard let id = Identifier(text, kind: .endpoint) else {
            throw WebhookEndpoints.noEndpoint(call)
        }
        return id
    }

    /// An endpoint; nil for a `default` that was never changed.
    ///
    /// - Throws: `not-found`.
    func find(_ id: Identifier?, _ call: Call) async throws(Problem) -> EndpointRecord? {
        let record = try await call.stored { () throws(StoreError) in
            try await endpoints.find(app: call.app, id: id)
        }
        guard record != nil || id == nil else { throw WebhookEndpoints.noEndpoint(call) }
        return record
    }

    /// The refusal of one more endpoint, or of one more that gets mail.
    private static func tooMany(ofMail isOfMail: Bool) -> Problem {
        let count = isOfMail ? EndpointSpec.mailCountAtMost : EndpointSpec.countAtMost
        return Problem(
            .endpointConflict,
            "This app has \(count) endpoints\(isOfMail ? " with the format email" : ""), which is "
                + "the limit. Delete one, or let one receive more events.")
    }

    /// The refusal for a name of no endpoint.
    static func noEndpoint(_ call: Call) -> Problem {
        Problem(
            .notFound,
            "There is no endpoint \"\(call.parameters[0])\". GET /v1/webhook_endpoints lists the "
                + "endpoints.")
    }
}

extension TargetRules {
    /// The rule for the `url` of an endpoint.
    fileprivate var endpoint: TargetRule {
        TargetRule(
            destinations: webhooks, setting: "LULL_WEBHOOK_DESTINATIONS", place: .document,
            member: "url")
    }
}
