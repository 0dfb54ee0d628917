// Repeated requests with an Idempotency-Key take effect once.
import Base
import Postgres
import Testing

@testable import API

@Suite struct IdempotencyTests {
    private static let body = #"{"url":"https://a.example/x"}"#

    private func post(
        _ world: APIWorld, _ key: String, _ body: String? = body, to path: String = "/v1/downloads"
    ) async -> Reply {
        await world.send("POST", path, body, headers: [("Idempotency-Key", key)])
    }

    private func expect(_ count: Int64, _ world: APIWorld, _ table: String) async throws {
        let rows = try await world.pool.query("SELECT count(*) FROM \(table)")
        #expect(try rows[0].get(0) == count, "\(table)")
    }

    @Test func aRepeatedCreateGetsTheStoredAnswer() async throws {
        try await APIWorld.with { world in
            let first = await post(world, "k-1")
            #expect(first.status == 201 && first["Idempotent-Replayed"] == nil)
            let second = await post(world, "\"k-1\"")
            #expect(second.status == 201 && second.text == first.text)
            #expect(second["Location"] == first["Location"] && second["ETag"] == first["ETag"])
            #expect(second["Idempotent-Replayed"] == "true")
            #expect(second["X-Request-Id"] != first["X-Request-Id"])
            try await expect(1, world, "queue")
            try await expect(1, world, "events")
            // The stored row agrees with the answer.
            let read = await world.send("GET", try #require(first["Location"]))
            #expect(read.json["created_at"] == first.json["created_at"])
            await #expect(post(world, "k-2").text != first.text)
        }
    }

    @Test func aKeyWithAnotherRequestIsRefused() async throws {
        try await APIWorld.with { world in
            await #expect(post(world, "k").status == 201)
            await post(world, "k", #"{"url":"https://a.example/y"}"#)
                .expectProblem("idempotency-key-reused", status: 422)
            await post(world, "k", "{}").expectProblem("idempotency-key-reused", status: 422)
            try await expect(1, world, "queue")
        }
    }

    @Test func aRefusedCreateDoesNotUseUpItsKey() async throws {
        try await APIWorld.with { world in
            let body = #"{"url":"https://a.example/x","session":"late"}"#
            await post(world, "k", body).expectProblem("validation-failed", status: 422)
            _ = await world.send("PUT", "/v1/sessions/late", "{}")
            await #expect(post(world, "k", body).status == 201)
            // The stored answer is sent even after the session is gone.
            _ = try await world.pool.query("DELETE FROM sessions WHERE identifier = 'late'")
            let fresh = try APIWorld(pool: world.pool)
            let again = await post(fresh, "k", body)
            #expect(again.status == 201 && again["Idempotent-Replayed"] == "true")
        }
    }

    @Test func concurrentCreatesWithOneKeyMakeOneDownload() async throws {
        try await APIWorld.with { world in
            let statuses = await withTaskGroup(of: Reply.self) { group in
                for _ in 0..<24 { group.addTask { await post(world, "k") } }
                return await group.reduce(into: [Reply]()) { $0.append($1) }
            }
            try await expect(1, world, "queue")
            for reply in statuses where reply.status != 201 {
                reply.expectProblem("idempotency-key-in-progress", status: 409)
                #expect(reply["Retry-After"] == "1")
            }
            #expect(statuses.count { $0.status == 201 && $0["Idempotent-Replayed"] == nil } == 1)
        }
    }

    @Test func aRepeatedActionGetsTheStoredAnswer() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            let first = await post(world, "k", nil, to: path + "/suspend")
            #expect(first.status == 200 && first.json["state"] == "suspended")
            _ = await world.send("POST", path + "/resume")
            let again = await post(world, "k", nil, to: path + "/suspend")
            #expect(again.text == first.text && again["Idempotent-Replayed"] == "true")
            await #expect(world.send("GET", path).json["state"] == "waiting")
            await post(world, "k", nil, to: path + "/cancel")
                .expectProblem("idempotency-key-reused", status: 422)
        }
    }

    @Test func aRefusedActionReleasesItsKey() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            _ = await world.send("POST", path + "/cancel")
            await post(world, "k", nil, to: path + "/suspend")
                .expectProblem("invalid-state-transition", status: 409)
            try await expect(0, world, "idempotency_keys")
        }
    }

    @Test func aKeyInUseIsRefusedUntilItsHolderTimesOut() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            await #expect(post(world, "k", nil, to: path + "/suspend").status == 200)
            _ = try await world.pool.query(
                "UPDATE idempotency_keys SET status = NULL, held_until = now() + interval '1 min'")
            await post(world, "k", nil, to: path + "/suspend")
                .expectProblem("idempotency-key-in-progress", status: 409)
            // The holder timed out, so the request may be sent again.
            _ = try await world.pool.query(
                "UPDATE idempotency_keys SET held_until = now() - interval '1 s'")
            let again = await post(world, "k", nil, to: path + "/suspend")
            #expect(again.status == 200 && again["Idempotent-Replayed"] == nil)
        }
    }

    @Test func refusesKeysThatCannotBeRead() async throws {
        let world = try APIWorld.alone()
        await post(world, "a b").expectProblem("invalid-idempotency-key", status: 400)
        await world.send(
            "POST", "/v1/downloads?dry_run=true", IdempotencyTests.body,
            headers: [("Idempotency-Key", "a b")]
        )
        .expectProblem("invalid-idempotency-key", status: 400)
        let two = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
        await world.send("POST", "/v1/downloads", IdempotencyTests.body, headers: two)
            .expectProblem("invalid-idempotency-key", status: 400)
    }
}
