// Receivers of webhooks, and the secret that signs what they get.
internal import Core
internal import HTTPWire
internal import Store

/// The endpoints below `/v1/webhook_endpoints`.
final class WebhookEndpoints: EndpointGroup {
    private let receivers: RestingReceivers
    private let secret: @Sendable () async throws(StoreError) -> String

    /// Takes what its endpoints use.
    init(
        receivers: RestingReceivers,
        secret: @escaping @Sendable () async throws(StoreError) -> String
    ) {
        self.receivers = receivers
        self.secret = secret
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/webhook_endpoints", "listWebhookEndpoints", scope: .readDownloads,
                answers: [.json()], .later(list)),
            Route(
                "GET", "/v1/webhook_endpoints/default/secret", "getWebhookSecret", scope: .admin,
                answers: [.json()], .later(getSecret)),
        ]
    }

    /// `GET /v1/webhook_endpoints`.
    func list(_ call: Call) async throws(Problem) -> Response {
        let resting = try await call.stored { () throws(StoreError) in
            try await receivers.list(app: call.app)
        }
        let data = resting.map { receiver in
            JSON.object([
                "url": .string(receiver.url), "status": "gone",
                "resting_since": .string(receiver.since.rfc3339),
                "resting_until": .string(receiver.until.rfc3339),
            ])
        }
        return .json(
            ["data": .array(data), "next_cursor": nil], headers: [("Cache-Control", "no-store")])
    }

    /// `GET /v1/webhook_endpoints/default/secret`.
    func getSecret(_ call: Call) async throws(Problem) -> Response {
        let secret = try await call.stored { () throws(StoreError) in
            try await self.secret()
        }
        return .json(["secret": .string(secret)], headers: [("Cache-Control", "no-store")])
    }
}
