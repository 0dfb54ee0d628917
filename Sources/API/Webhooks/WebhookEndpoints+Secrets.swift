// The secrets that sign webhooks, and the statistics of endpoints.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Store

extension WebhookEndpoints {
    var secretRoutes: [Route] {
        [
            Route(
                "GET", "/v1/webhook_endpoints/{id}/secret", "getWebhookSecret", scope: .webhooks,
                answers: [.json()], .later(getSecret)),
            Route(
                "POST", "/v1/webhook_endpoints/{id}/secret/rotate", "rotateWebhookSecret",
                scope: .webhooks, body: [MediaType.json], answers: [.json()], .later(rotate)),
        ]
    }

    /// `GET /v1/webhook_endpoints/{id}/secret`; an app without one gets one.
    func getSecret(_ call: Call) async throws(Problem) -> Response {
        let id = try endpointIdentifier(call)
        let record = try await find(id, call)
        return WebhookEndpoints.answer([
            "secret": .string(try await secret(of: record, id, call).text)
        ])
    }

    /// `POST /v1/webhook_endpoints/{id}/secret/rotate`: replaced secrets still sign for a time.
    ///
    /// A lost answer is not given again, because the current secret can be read.
    func rotate(_ call: Call) async throws(Problem) -> Response {
        try call.expectNoDocument()
        let id = try endpointIdentifier(call)
        let old = try await secret(of: try await find(id, call), id, call)
        let new = EndpointSecret(key: SecureRandom.bytes(EndpointSecret.madeBytes))
        let associatedData = EndpointSecret.associatedData(of: id, app: call.app)
        let (sealed, before) = (
            secrets.seal(new.key, for: associatedData), secrets.seal(old.key, for: associatedData)
        )
        let outcome = try await call.stored { () throws(StoreError) in
            try await endpoints.rotate(
                id, app: call.app, to: sealed, inherited: before, overlap: overlap)
        }
        switch outcome {
        case .done(let until):
            return WebhookEndpoints.answer([
                "secret": .string(new.text), "previous_expires_at": .string(until.rfc3339),
            ])
        case .full(let until):
            throw Problem(
                .endpointConflict,
                "The secret was replaced \(Endpoints.replacedAtMost) times lately, and each old "
                    + "secret still signs for a while. Replace it again after \(until.rfc3339), or "
                    + "let the operator shorten LULL_WEBHOOK_SECRET_OVERLAP.")
        case .notFound: throw WebhookEndpoints.noEndpoint(call)
        }
    }

    private static func answer(_ object: JSONObject) -> Response {
        .json(object, headers: [("Cache-Control", "no-store")])
    }

    private func secret(
        of record: EndpointRecord?, _ id: Identifier?, _ call: Call
    ) async throws(Problem) -> EndpointSecret {
        let associatedData = EndpointSecret.associatedData(of: id, app: call.app)
        var sealed = record?.secret
        if sealed == nil, id == nil {
            if let inherited { return inherited }
            let made = secrets.seal(
                SecureRandom.bytes(EndpointSecret.madeBytes), for: associatedData)
            sealed = try await call.stored { () throws(StoreError) in
                try await endpoints.keepSecret(made, app: call.app)
            }
        }
        guard let key = sealed.flatMap({ secrets.open($0, for: associatedData) }) else {
            call.report(
                "no encryption key of this replica opens the secret of a webhook endpoint: see "
                    + "LULL_ENCRYPTION_KEY_FILE")
            throw Problem(
                .internalError,
                "The secret cannot be opened. The log has the cause under the request_id.")
        }
        return EndpointSecret(key: key)
    }

    /// `GET /v1/webhook_endpoints/{id}/statistics`.
    func statistics(_ call: Call) async throws(Problem) -> Response {
        let id = try endpointIdentifier(call)
        let record = try await find(id, call)
        let figures = try await call.stored { () throws(StoreError) in
            try await endpoints.statistics(of: record, app: call.app)
        }
        let resting = try await call.stored { () throws(StoreError) in
            id == nil ? try await receivers.list(app: call.app) : []
        }
        func count(_ value: Int64?) -> JSON { value.map { .integer($0) } ?? .null }
        func instant(_ value: Timestamp?) -> JSON { value.map { .string($0.rfc3339) } ?? .null }
        return .json([
            "succeeded": count(figures.succeeded), "failed": count(figures.failed),
            "pending": count(figures.pending), "exhausted": count(figures.exhausted),
            "abandoned": count(figures.abandoned),
            "last_success_at": instant(figures.lastSuccessAt),
            "last_failure_at": instant(figures.lastFailureAt),
            "failing_since": instant(figures.failingSince),
            "resting": .array(
                resting.map { receiver in
                    [
                        "url": .string(receiver.url), "since": .string(receiver.since.rfc3339),
                        "until": .string(receiver.until.rfc3339),
                    ]
                }),
        ])
    }
}
