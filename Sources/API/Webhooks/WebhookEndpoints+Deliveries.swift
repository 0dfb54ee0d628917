// Lists, reads and resends deliveries, and sends pings.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension WebhookEndpoints {
    var deliveryRoutes: [Route] {
        [
            Route(
                "GET", "/v1/webhook_endpoints/{id}/deliveries", "listEndpointDeliveries",
                scope: .webhooks, query: DeliveryRequest.parameters, answers: [.json()],
                .later(listOfEndpoint)),
            Route(
                "POST", "/v1/webhook_endpoints/{id}/ping", "pingWebhookEndpoint",
                scope: .webhooks, body: [MediaType.json], answers: [.json(202)],
                idempotency: .aroundWork, .later(ping)),
            Route(
                "POST", "/v1/webhook_endpoints/{id}/recover", "recoverWebhookEndpoint",
                scope: .webhooks, body: [MediaType.json], answers: [.json(202)],
                idempotency: .aroundWork, .later(recover)),
            Route(
                "GET", "/v1/webhook_deliveries", "listWebhookDeliveries", scope: .webhooks,
                query: DeliveryRequest.parameters + ["endpoint"], answers: [.json()],
                .later(listOfApp)),
            Route(
                "GET", "/v1/webhook_deliveries/{id}", "getWebhookDelivery", scope: .webhooks,
                answers: [.json()], .later(getDelivery)),
            Route(
                "POST", "/v1/webhook_deliveries/{id}/redeliver", "redeliverWebhook",
                scope: .webhooks, body: [MediaType.json],
                answers: [.json(202), .problem(.deliveryErased)], idempotency: .aroundWork,
                .later(redeliver)),
        ]
    }

    /// `GET /v1/webhook_endpoints/{id}/deliveries`.
    func listOfEndpoint(_ call: Call) async throws(Problem) -> Response {
        try await list(call, of: try endpointIdentifier(call))
    }

    /// `GET /v1/webhook_deliveries`.
    func listOfApp(_ call: Call) async throws(Problem) -> Response {
        guard let text = call.query["endpoint"] else {
            return try await list(call, of: nil, all: true)
        }
        guard text != "default" else { return try await list(call, of: nil) }
        guard let id = Identifier(text, kind: .endpoint) else {
            throw .invalid(
                "?endpoint",
                "must be default, or the identifier of an endpoint: whe_ and 26 letters and digits")
        }
        return try await list(call, of: id)
    }

    private func list(
        _ call: Call, of id: Identifier?, all: Bool = false
    ) async throws(Problem) -> Response {
        let asked = try DeliveryRequest(call.query, deliveries.names)
        var filter = asked.filter
        if let id {
            let record = try await call.stored { () throws(StoreError) in
                try await endpoints.find(app: call.app, id: id)
            }
            guard let record else {
                throw Problem(
                    .notFound, "There is no endpoint \"\(id.text(.endpoint))\" of this app.")
            }
            filter.receiver = .endpoint(record.number)
        } else if !all {
            filter.receiver = .addresses
        }
        let which = filter
        let page = try await call.stored { () throws(StoreError) in
            try await deliveries.list(
                which, app: call.app, before: asked.before, limit: asked.limit)
        }
        var headers: [(String, String)] = []
        let next = page.next.map { deliveries.names.delivery($0).digits }
        if let next {
            headers.append(
                ("Link", "<\(asked.path(call.request.path, cursor: next))>; rel=\"next\""))
        }
        return .json(
            [
                "data": .array(page.list.map { .object($0.json) }),
                "next_cursor": next.map { .string($0) } ?? .null,
            ], headers: headers)
    }

    /// `GET /v1/webhook_deliveries/{id}`.
    func getDelivery(_ call: Call) async throws(Problem) -> Response {
        .json(try await findDelivery(try deliveryNumber(call), call).json)
    }

    /// `POST /v1/webhook_deliveries/{id}/redeliver`: sends the event again with equal bytes.
    func redeliver(_ call: Call) async throws(Problem) -> Response {
        try call.expectNoDocument()
        let number = try deliveryNumber(call)
        let view = try await findDelivery(number, call)
        guard !view.isErased else {
            throw Problem(
                .deliveryErased,
                "The data of this delivery was erased with its download, so it cannot be sent "
                    + "again.")
        }
        if let id = view.endpoint {
            let endpoint = try await call.stored { () throws(StoreError) in
                try await endpoints.find(app: call.app, id: id)
            }
            guard endpoint?.spec.isEnabled == true else {
                throw Problem(
                    .endpointConflict,
                    "The endpoint of this delivery is \(endpoint == nil ? "deleted" : "disabled"), "
                        + "so nothing is sent to it.")
            }
        }
        let isQueued = try await call.stored { () throws(StoreError) in
            try await deliveries.redeliver(number, app: call.app)
        }
        if isQueued { worker.delivered() }
        return .json(try await findDelivery(number, call).json, status: 202)
    }

    /// `POST /v1/webhook_endpoints/{id}/ping`, also while the endpoint is disabled.
    func ping(_ call: Call) async throws(Problem) -> Response {
        try call.expectNoDocument()
        guard let id = try endpointIdentifier(call) else {
            throw Problem(
                .endpointConflict,
                "The endpoint \"default\" stands for every webhook_url and has no URL of its own "
                    + "to ping.")
        }
        let number = try await call.stored { () throws(StoreError) in
            try await endpoints.ping(id, app: call.app)
        }
        guard let number else { throw WebhookEndpoints.noEndpoint(call) }
        worker.delivered()
        return .json(try await findDelivery(number, call).json, status: 202)
    }

    /// `POST /v1/webhook_endpoints/{id}/recover`.
    func recover(_ call: Call) async throws(Problem) -> Response {
        let id = try endpointIdentifier(call)
        guard let object = try call.document().objectValue else {
            throw .invalid("#", "must be an object")
        }
        var reader = FieldReader(object)
        let since = reader.timestamp("since")
        let until = reader.timestamp("until") ?? call.now
        if since == nil, reader.errors.isEmpty { reader.refuse("since", "is required") }
        if let since, since > until { reader.refuse("since", "must not be later than until") }
        let errors = reader.finish()
        guard errors.isEmpty, let since else { throw .invalid(errors) }
        if let id, try await find(id, call)?.spec.isEnabled == false {
            throw Problem(
                .endpointConflict,
                "The endpoint \(id.text(.endpoint)) is disabled. Enable it with PATCH first.")
        }
        let outcome = try await call.stored { () throws(StoreError) in
            try await endpoints.recover(id, app: call.app, since: since, until: until)
        }
        guard let outcome else { throw WebhookEndpoints.noEndpoint(call) }
        if outcome.queued > 0 { worker.delivered() }
        return .json(
            [
                "queued": .integer(Int64(outcome.queued)),
                "is_complete": .bool(outcome.isComplete),
            ], status: 202)
    }

    private func deliveryNumber(_ call: Call) throws(Problem) -> Int64 {
        guard let id = Identifier(call.parameters[0], kind: .delivery),
            let number = deliveries.names.deliveryNumber(id)
        else { throw noDelivery(call) }
        return number
    }

    private func findDelivery(
        _ number: Int64, _ call: Call
    ) async throws(Problem) -> DeliveryView {
        let view = try await call.stored { () throws(StoreError) in
            try await deliveries.find(number, app: call.app)
        }
        guard let view else { throw noDelivery(call) }
        return view
    }

    private func noDelivery(_ call: Call) -> Problem {
        Problem(
            .notFound,
            "There is no delivery \"\(call.parameters[0])\". It never existed, or its retention is "
                + "over.")
    }
}

extension DeliveryView {
    /// The resource; with `request` only if the bytes were read.
    fileprivate var json: JSONObject {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        var object: JSONObject = [
            "id": .string(id.text(.delivery)), "event": text(event?.text(.event)),
            "type": text(type?.name),
            "download": type.map { $0.subject == .download } ?? true
                ? .string(subject.text) : .null,
            "endpoint": .string(endpoint?.text(.endpoint) ?? "default"), "url": text(url),
            "state": .string(state.rawValue), "attempt_count": .integer(Int64(attempts)),
            "attempts": .array(tries.map { .object($0.shown) }), "error": text(error),
            "event_at": text(eventAt?.rfc3339), "next_attempt_at": text(nextAttemptAt?.rfc3339),
            "completed_at": text(completedAt?.rfc3339),
            "counted_in": text(countedIn?.text(.delivery)),
        ]
        if let body {
            object.append(
                "request", ["body": .string(String(decoding: body, as: UTF8.self))])
        }
        return object
    }
}
