// The fields Accept and traceparent.
import Base
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct AcceptTests {
    @Test(arguments: [
        "application/json", "*/*", "text/html, */*;q=0.1", "application/*", "text/event-stream",
        "text/html;q=0.9, application/json;q=0.1", "APPLICATION/JSON; charset=utf-8", "", ",",
    ]) func acceptAllowsJSON(field: String) {
        #expect(Accept.allowsJSON([field]) && Accept.allowsJSON([]))
    }

    @Test(arguments: [
        "text/html", "application/json;q=0, */*", "*/*;q=0", "application/xml, text/*",
    ]) func acceptExcludesJSON(field: String) {
        #expect(!Accept.allowsJSON([field]))
    }

    @Test func refuses406() async throws {
        let world = try APIWorld.alone()
        let html = [("Accept", "text/html")]
        await world.send("GET", "/v1/downloads", headers: html)
            .expectProblem("not-acceptable", status: 406)
        await #expect(world.send("GET", "/livez", headers: html).status == 200)
    }

    @Test func keepsTraceparent() async throws {
        try await APIWorld.with { world in
            let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            for (field, kept) in [(trace, trace), ("00-zz-b7-01", nil)] {
                let reply = await world.send(
                    "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#,
                    headers: [("traceparent", field)])
                let id = try #require(
                    Identifier(reply.json["id"]?.stringValue ?? "", kind: .download))
                let record = try await world.dependencies.store.downloads.find(id, app: 1)
                #expect(record?.download.spec.traceparent == kept)
                #expect(record?.download.spec.requestID == reply["X-Request-Id"])
            }
        }
    }
}
