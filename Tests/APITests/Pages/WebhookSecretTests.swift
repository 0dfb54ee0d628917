// The secret that receivers verify with.
import Core
import Testing

@testable import API

@Suite struct WebhookSecretTests {
    @Test func webhookSecretIsStableAndNotCached() async throws {
        try await APIWorld.with { world in
            let reply = await world.send("GET", "/v1/webhook_endpoints/default/secret")
            #expect(reply.status == 200 && reply.json == ["secret": "whsec_AAEC"])
            #expect(reply["Cache-Control"] == "no-store")
            let again = await world.send("GET", "/v1/webhook_endpoints/default/secret")
            #expect(again.json == reply.json)
        }
    }
}
