// Changes under one condition at one moment: one is done, the others get 412.
import Base
import HTTPWire
import Postgres
import Testing

@testable import API

@Suite struct PreconditionRaceTests {
    private static let runners = 8

    /// The statuses of one request that is sent several times at once.
    private func race(
        _ send: @escaping @Sendable (Int) async -> Int
    ) async -> [Int] {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<PreconditionRaceTests.runners {
                group.addTask { await send(number) }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }.sorted()
        }
    }

    private func oneOf(_ status: Int) -> [Int] {
        [status] + Array(repeating: 412, count: PreconditionRaceTests.runners - 1)
    }

    @Test func oneOfTwoConditionalPatchesSucceeds() async throws {
        try await APIWorld.with { world in
            for round in 0..<4 {
                let made = await world.create()
                let path = try #require(made["Location"])
                let known = [("If-Match", try #require(made["ETag"]))]
                // In odd rounds odd runners suspend and even ones change.
                let seen = await race { number in
                    let isAction = round % 2 == 1 && number % 2 == 1
                    return await world.send(
                        isAction ? "POST" : "PATCH", path + (isAction ? "/suspend" : ""),
                        isAction ? nil : "{\"priority\":0.\(number)}", headers: known
                    ).status
                }
                #expect(seen == oneOf(200))
            }
        }
    }

    @Test func oneOfTwoConditionalPolicyPutsSucceeds() async throws {
        try await APIWorld.with { world in
            for (headers, tag) in [
                ([("If-None-Match", "*")], "\"1\""), ([("If-Match", "\"1\"")], "\"2\""),
            ] {
                let seen = await race { _ in
                    await world.send("PUT", "/v1/policy", "{}", headers: headers).status
                }
                #expect(seen == oneOf(200))
                #expect(await world.send("GET", "/v1/policy")["ETag"] == tag)
            }
            // A list that also names the next tag lets the next change pass too.
            let seen = await race { _ in
                await world.send(
                    "PUT", "/v1/policy", "{}", headers: [("If-Match", "\"2\", \"3\"")]
                ).status
            }
            #expect(seen == [200, 200] + Array(repeating: 412, count: 6))
        }
    }

    @Test func oneOfTwoConditionalSessionPutsSucceeds() async throws {
        try await APIWorld.with { world in
            // Each request has another member: an equal configuration is no change.
            for (headers, member, status) in [
                ([("If-None-Match", "*")], "segments", 201),
                ([("If-Match", "W/\"1-0\"")], "max_bytes", 200),
            ] {
                let seen = await race { number in
                    await world.send(
                        "PUT", "/v1/sessions/a", "{\"\(member)\":\(number + 1)}",
                        headers: headers
                    ).status
                }
                #expect(seen == oneOf(status))
            }
        }
    }

    @Test func aTagFromGetIsValidForIfMatch() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let id = try #require(made.json["id"]?.stringValue)
            try await world.run(id, bytes: 5)
            let path = "/v1/downloads/\(id)"
            let seen = await world.send("GET", path)
            // The download receives bytes; nothing else changes.
            try await world.run(id, bytes: 4096)
            _ = try await world.pool.query("UPDATE queue SET sequence = sequence - 1")
            #expect(await world.send("GET", path)["ETag"] != seen["ETag"])
            let known = [("If-Match", try #require(seen["ETag"]))]
            let reply = await world.send("PATCH", path, #"{"priority":1}"#, headers: known)
            #expect(reply.status == 200)
            await world.send("PATCH", path, #"{"priority":0}"#, headers: known)
                .expectProblem("precondition-failed", status: 412)
        }
    }
}
