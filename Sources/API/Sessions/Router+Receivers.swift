// Receivers of webhooks to which nothing is sent at the moment.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    /// `GET /v1/webhook_endpoints`.
    func listReceivers(_ call: Call) async throws(Problem) -> Response {
        let resting = try await stored(call) { () throws(StoreError) in
            try await dependencies.store.downloads.restingReceivers.list(
                app: dependencies.settings.app)
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
}
