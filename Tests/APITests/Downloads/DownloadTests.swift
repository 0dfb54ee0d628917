// Downloads read, waited for, acted on and forgotten.
import Base
import Downloads
import Testing

@testable import API

@Suite struct DownloadTests {
    private let unknown = "/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"

    @Test func unknownDownloadsAre404() async throws {
        try await APIWorld.with { world in
            await world.send("GET", unknown).expectProblem("not-found", status: 404)
            await world.send("GET", unknown + "/content").expectProblem("not-found", status: 404)
            await world.send("DELETE", unknown).expectProblem("not-found", status: 404)
            await world.send("POST", unknown + "/cancel").expectProblem("not-found", status: 404)
        }
    }

    @Test func ifNoneMatchAnswers304() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            let tag = try #require(await world.send("GET", path)["ETag"])
            let same = await world.send("GET", path, headers: [("If-None-Match", "\"x\", \(tag)")])
            #expect(same.status == 304 && same["ETag"] == tag && same.bytes.isEmpty)
            #expect(same["X-Request-Id"] != nil && same["Retry-After"] != nil)
            let other = await world.send(
                "GET", path, headers: [("If-None-Match", "W/\"0-0\"")])
            #expect(other.status == 200)
        }
    }

    @Test func waitReturnsAtTheEndOfADownload() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            async let held = world.send("GET", path + "?wait=60")
            await #expect(world.send("POST", path + "/cancel").status == 200)
            let reply = await held
            #expect(reply.status == 200 && reply.json["state"] == "canceled")
            #expect(reply["Retry-After"] == nil)
        }
    }

    @Test func waitReturnsAtAChangeOfTheETag() async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let path = try #require(created["Location"])
            let tag = try #require(created["ETag"])
            async let held = world.send(
                "GET", path + "?wait=60", headers: [("If-None-Match", tag)])
            await #expect(world.send("POST", path + "/suspend").status == 200)
            let reply = await held
            #expect(reply.status == 200 && reply.json["state"] == "suspended")
        }
    }

    @Test func waitReturnsWhenItIsOver() async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let path = try #require(created["Location"])
            let tag = try #require(created["ETag"])
            await #expect(world.send("GET", path + "?wait=1").status == 200)
            let known = [("If-None-Match", tag)]
            await #expect(world.send("GET", path + "?wait=1", headers: known).status == 304)
            world.told.change { $0.isDraining = true }
            let last = await world.send("GET", path + "?wait=60")
            #expect(last.json["blockers"]?[0]?["code"] == "draining")
        }
    }

    @Test func actionsAreIdempotent() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            for (action, state) in [
                ("suspend", "suspended"), ("resume", "waiting"), ("cancel", "canceled"),
            ] {
                for body in [nil, "{}"] {
                    let reply = await world.send("POST", "\(path)/\(action)", body)
                    #expect(reply.status == 200)
                    #expect(reply.json["state"]?.stringValue == state)
                }
            }
            #expect(world.told.now.hints == 3)
            let late = await world.send("POST", path + "/resume")
            late.expectProblem("invalid-state-transition", status: 409)
            #expect(late.json["state"] == "canceled")
            #expect(late.json["allowed"] == ["cancel", "retry", "delete"])
        }
    }

    @Test func actionsRefuseMembers() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            let reply = await world.send("POST", path + "/cancel", #"{"now":true}"#)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == ["#/now"])
            await world.send("POST", path + "/cancel", "[]")
                .expectProblem("validation-failed", status: 422)
            await #expect(world.send("GET", path).json["state"] == "waiting")
        }
    }

    @Test func actionsOnARunningDownloadOrderItToStop() async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let path = try #require(created["Location"])
            let id = try #require(created.json["id"]?.stringValue)
            try await world.run(id, bytes: 512)
            let running = await world.send("GET", path)
            #expect(running.json["state"] == "running" && running["ETag"] == "W/\"2-512\"")
            #expect(running.json["blockers"] == [])
            await #expect(world.send("POST", path + "/suspend").status == 200)
            let reply = await world.send("POST", path + "/cancel")
            #expect(reply.status == 200 && reply.json["state"] == "canceling")
            let orders = world.told.now.orders
            #expect(
                orders.map(\.0) == [
                    Identifier(id, kind: .download), Identifier(id, kind: .download),
                ])
            #expect(orders.map(\.1) == [.suspend, .cancel])
        }
    }

    @Test func deleteNeedsAnEndedDownload() async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let path = try #require(created["Location"])
            let id = try #require(created.json["id"]?.stringValue)
            let early = await world.send("DELETE", path)
            early.expectProblem("invalid-state-transition", status: 409)
            #expect(early.json["allowed"]?.arrayValue?.contains("delete") == false)
            try await world.succeed(id, result: [:])
            let gone = await world.send("DELETE", path)
            #expect(gone.status == 204 && gone.bytes.isEmpty)
            let removed = world.told.now.removed
            #expect(removed.count == 1 && removed[0].0 == Identifier(id, kind: .download))
            #expect(removed.first?.1 == 7)
            await world.send("GET", path).expectProblem("not-found", status: 404)
            await world.send("DELETE", path).expectProblem("not-found", status: 404)
        }
    }
}
