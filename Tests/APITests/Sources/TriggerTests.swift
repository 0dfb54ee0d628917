// Triggers: made, listed and removed; calls with each signature, and their effects on a source.
import Base
import Crypto
import Downloads
import HTTPWire
import Platform
import Postgres
import Scheduling
import Store
import Testing

@testable import API

@Suite struct TriggerTests {
    private static let path = "/v1/sources/list/triggers"

    /// A trigger as its creation shows it.
    private struct Made {
        let id: String
        let token: String
        let secret: String?

        var call: String { "/v1/triggers/" + token }
    }

    private func put(_ world: APIWorld, every: String = "6h") async throws {
        let answer = await world.send(
            "PUT", "/v1/sources/list",
            #"{"url":"https://mirror.example/list.csv","schedule":{"every":"\#(every)"}}"#)
        try #require(answer.status < 300, "\(answer.text)")
    }

    private func make(_ world: APIWorld, _ signature: String) async throws -> Made {
        let answer = await world.send("POST", Self.path, #"{"signature":"\#(signature)"}"#)
        try #require(answer.status == 201, "\(answer.text)")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer.json["signature"] == .string(signature))
        return Made(
            id: try #require(answer.json["id"]?.stringValue),
            token: try #require(answer.json["token"]?.stringValue),
            secret: answer.json["secret"]?.stringValue)
    }

    /// The looks of the source, the latest first.
    private func looks(_ world: APIWorld) async -> Int {
        await world.send("GET", "/v1/sources/list/looks").json["data"]?.arrayValue?.count ?? -1
    }

    private static func github(_ secret: String, _ body: String) -> (String, String) {
        let own = HMAC.sha256(key: Array(secret.utf8), message: Array(body.utf8))
        return ("X-Hub-Signature-256", "sha256=" + Hex.encode(own))
    }

    private static func standard(
        _ secret: String, _ body: String, id: String = "msg_1", at seconds: Int64
    ) throws -> [(String, String)] {
        let key = try #require(EndpointSecret(secret)).key
        let own = HMAC.sha256(key: key, message: Array("\(id).\(seconds).\(body)".utf8))
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", "v1,AAAA v1," + Base64.encode(own)),
        ]
    }

    private static func now() -> Int64 {
        Timestamp(microseconds: SystemClock.wallMicroseconds()).seconds
    }

    @Test func onlyItsCreationShowsTokenAndSecret() async throws {
        try await APIWorld.with { world in
            try await put(world)
            for (signature, form) in [
                ("none", #/^$/#), ("github", #/^[0-9a-f]{64}$/#),
                ("standard_webhooks", #/^whsec_.+$/#),
            ] {
                let made = try await make(world, signature)
                #expect((made.secret ?? "").firstMatch(of: form) != nil)
                let list = await world.send("GET", Self.path)
                #expect(list.text.contains(made.id) && !list.text.contains(made.token))
                if let secret = made.secret { #expect(!list.text.contains(secret)) }
                let rows = try await world.pool.query("SELECT t::text FROM triggers t")
                for row in rows {
                    let text = try row.get(0, as: String.self)
                    #expect(!text.contains(made.token))
                    if let secret = made.secret { #expect(!text.contains(secret)) }
                }
            }
            let plain = await world.send("POST", Self.path, "{}")
            #expect(plain.status == 201 && plain.json["signature"] == "none")
            for body in [#"{"signature":"md5"}"#, #"{"more":1}"#, "[]"] {
                let answer = await world.send("POST", Self.path, body)
                #expect(answer.status == 422, "\(answer.text)")
            }
        }
    }

    @Test func aSourceHasTenTriggersAndTheyEndWithIt() async throws {
        try await APIWorld.with { world in
            let missing = await world.send("POST", Self.path, "{}")
            #expect(missing.status == 404)
            #expect(await world.send("GET", Self.path).status == 404)
            try await put(world)
            var made: [Made] = []
            for _ in 0..<Triggers.countAtMost { made.append(try await make(world, "none")) }
            let more = await world.send("POST", Self.path, "{}")
            #expect(more.status == 409 && more.json["code"] == "source-conflict")
            #expect(await world.send("DELETE", Self.path + "/" + made[0].id).status == 204)
            #expect(await world.send("DELETE", Self.path + "/" + made[0].id).status == 404)
            #expect(await world.send("DELETE", Self.path + "/x").status == 404)
            #expect(await world.send("POST", made[0].call).status == 404)
            #expect(await world.send("POST", made[1].call).status == 202)
            #expect(await world.send("DELETE", "/v1/sources/list").status == 204)
            #expect(await world.send("POST", made[1].call).status == 404)
            #expect(try await world.pool.query("SELECT 1 FROM triggers").isEmpty)
        }
    }

    @Test func aCallLooksNowAndFurtherOnesOnceMoreAfterwards() async throws {
        let source = SourceTests()
        try await APIWorld.with { world in
            try await put(world)
            let made = try await make(world, "none")
            // The first look of the schedule is the one that the call asks for.
            #expect(try await source.turn(world) == 1)
            let first = await world.send("POST", made.call)
            #expect(first.status == 202 && first.json["coalesced"] == true)
            _ = try await source.succeed(world, sha256: "a")
            #expect(try await source.turn(world) == 0)
            // The pause is over: one look for all calls.
            _ = try await world.pool.query(
                """
                UPDATE sources SET timetable = timetable - 'begun_at' - 'asked_at',
                    asked_by = NULL
                """)
            let call = await world.send(
                "POST", made.call, "release 2", headers: [("Content-Type", "text/plain")])
            #expect(call.status == 202 && call.json["coalesced"] == false, "\(call.text)")
            let again = await world.send(
                "POST", made.call, #"{"tag":"v3"}"#)
            #expect(again.json["coalesced"] == true)
            #expect(try await source.turn(world) == 1)
            #expect(await looks(world) == 2)
            _ = try await source.succeed(world, sha256: "b")
            let events = try await world.pool.query(
                "SELECT payload FROM events WHERE type = 26 ORDER BY journal_no DESC LIMIT 1")
            let data = try JSON.parse(Array(try events[0].get(0, as: String.self).utf8))
            #expect(data["trigger"]?["id"] == .string(made.id))
            #expect(data["trigger"]?["body"] == #"{"tag":"v3"}"#)
            let list = await world.send("GET", Self.path)
            #expect(list.json["data"]?[0]?["called_at"]?.stringValue != nil)
        }
    }

    @Test func aSuspendedSourceIsRefusedAndOneInNeedLooks() async throws {
        try await APIWorld.with { world in
            try await put(world)
            let made = try await make(world, "none")
            #expect(await world.send("POST", "/v1/sources/list/suspend").status == 200)
            let refused = await world.send("POST", made.call)
            #expect(refused.status == 409 && refused.text.contains("suspended"))
            #expect(!refused.text.contains(made.token))
            #expect(await world.send("POST", "/v1/sources/list/resume").status == 200)
            _ = try await world.pool.query(
                "UPDATE sources SET timetable = timetable || '{\"needs_attention\":true}'")
            #expect(await world.send("POST", made.call).status == 202)
        }
    }

    @Test func aWrongTokenIsNotFoundAndNotRepeated() async throws {
        try await APIWorld.with { world in
            try await put(world)
            let made = try await make(world, "none")
            let changed = made.token.dropLast() + (made.token.last == "A" ? "B" : "A")
            for token in [
                String(changed), made.token + "A", String(made.token.dropLast()), "ltr_",
                made.token.replacing("ltr_", with: "lxr_"), made.id,
            ] {
                let answer = await world.send("POST", "/v1/triggers/" + token)
                #expect(answer.status == 404, "\(token): \(answer.text)")
                #expect(!answer.text.contains(token))
            }
            // The token opens nothing else.
            for (method, path) in [
                ("GET", "/v1/sources/list"), ("DELETE", "/v1/sources/list"), ("GET", made.call),
            ] {
                let authenticator = KeyAuthenticator(
                    world.dependencies, keys: APIKeys(pool: world.pool))
                var closed = world
                closed.handler = { authenticator.answer($0) }
                let answer = await closed.send(
                    method, path, headers: [("Authorization", "Bearer \(made.token)")])
                #expect([401, 405].contains(answer.status), "\(method) \(path): \(answer.text)")
                let call = await closed.send("POST", made.call)
                #expect(call.status == 202)
            }
        }
    }

    @Test func githubsSignatureIsThatOfTheBody() async throws {
        try await APIWorld.with { world in
            try await put(world)
            let made = try await make(world, "github")
            let secret = try #require(made.secret)
            let body = #"{"action":"published"}"#
            let good = Self.github(secret, body)
            for (headers, status) in [
                ([good, ("X-GitHub-Event", "ping")], 200), ([good], 202),
                ([good, ("X-GitHub-Event", "release")], 202), ([], 401), ([good, good], 401),
                ([Self.github("x", body)], 401), ([Self.github(secret, body + " ")], 401),
                ([("X-Hub-Signature-256", "sha256=")], 401),
                ([("X-Hub-Signature-256", String(good.1.dropFirst(7)))], 401),
                ([("X-Hub-Signature-256", "sha256=zz")], 401),
                ([("X-GitHub-Event", "ping")], 401),
                ([("X-Hub-Signature", "sha1=0000000000000000000000000000000000000000")], 401),
            ] as [([(String, String)], Int)] {
                let answer = await world.send("POST", made.call, body, headers: headers)
                #expect(answer.status == status, "\(headers): \(answer.text)")
                #expect(!answer.text.contains(secret) && !answer.text.contains(made.token))
            }
            // A long body is taken, and is not in the event.
            let long = String(repeating: "x", count: 5000)
            let answer = await world.send(
                "POST", made.call, long, headers: [Self.github(secret, long)])
            #expect(answer.status == 202)
            let asked = try await world.pool.query("SELECT asked_by->>'body' FROM sources")
            #expect(try asked[0].get(0, as: String?.self) == nil)
        }
    }

    @Test func standardWebhooksAreFreshAndComeOnce() async throws {
        try await APIWorld.with { world in
            try await put(world)
            let made = try await make(world, "standard_webhooks")
            let secret = try #require(made.secret)
            let now = Self.now()
            let other = EndpointSecret(key: Array(repeating: 1, count: 32)).text
            func send(_ headers: [(String, String)], _ body: String = "b") async -> (Int, JSON?) {
                let answer = await world.send(
                    "POST", made.call, body,
                    headers: headers + [("Content-Type", "application/json")])
                return (answer.status, answer.json["coalesced"])
            }
            func signed(
                _ secret: String, id: String = "msg_1", at seconds: Int64
            ) throws -> [(String, String)] {
                try Self.standard(secret, "b", id: id, at: seconds)
            }
            #expect(await send([]).0 == 401)
            #expect(await send(try signed(other, at: now)).0 == 401)
            #expect(await send(try signed(secret, at: now), "c").0 == 401)
            #expect(await send(try signed(secret, at: now - 400)).0 == 401)
            #expect(await send(try signed(secret, at: now + 400)).0 == 401)
            #expect(await send(try signed(secret, at: .min)).0 == 401)
            var renamed = try signed(secret, at: now)
            renamed[0].1 = "msg_2"
            #expect(await send(renamed).0 == 401)
            for place in 0..<3 {
                var less = try signed(secret, at: now)
                less.remove(at: place)
                #expect(await send(less).0 == 401)
            }
            #expect(await send(try signed(secret, at: now - 20)).0 == 202)
            #expect(await send(try signed(secret, at: now - 20)).0 == 401)
            // The sender repeats the message, because it lost the answer.
            #expect(await send(try signed(secret, at: now - 10)) == (202, true))
            #expect(await send(try signed(secret, at: now - 10)).0 == 401)
            #expect(await send(try signed(secret, at: now - 20)).0 == 401)
            #expect(await send(try signed(secret, id: "msg_2", at: now)).0 == 202)
            let asked = try await world.pool.query("SELECT cardinality(messages) FROM triggers")
            #expect(try asked[0].get(0, as: Int32.self) == 2)
        }
    }

    @Test func aBodyIsShortTextInUTF8() async throws {
        try await APIWorld.with { world in
            try await put(world)
            let made = try await make(world, "none")
            let limit = TriggerEndpoints.bodyAtMost
            for (count, status) in [(0, 202), (1, 202), (limit, 202), (limit + 1, 413)] {
                let answer = await world.send(
                    "POST", made.call, String(repeating: "x", count: count),
                    headers: [("Content-Type", "application/x-www-form-urlencoded")])
                #expect(answer.status == status, "\(count): \(answer.text)")
            }
            let answer = await world.send("POST", made.call, "a\0b")
            #expect(answer.status == 422)
        }
    }
}
