// Begin hooks: the settings that a client may give, and the changes that an answer may make.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@testable import API

@Suite struct BeginHookTests {
    private static let date = #""earliest_begin_date":"2020-01-01T00:00:00Z""#
    private static let hook = #""begin_hook":{"url":"https://h.example/ask"}"#
    private static let shown: JSON = [
        "url": "https://h.example/ask", "timeout_seconds": 10, "on_no_answer": "continue",
    ]

    /// Makes a download whose hook was asked; returns it with its question.
    private static func asked(
        _ world: APIWorld, _ members: String = ""
    ) async throws -> (id: String, question: HookQuestion) {
        let made = await world.create("\(date),\(hook)\(members)")
        let id = try #require(made.json["id"]?.stringValue)
        return (id, try await ask(world, id))
    }

    /// Asks the hook as a worker does, and reads the question as the webhook sender does.
    private static func ask(_ world: APIWorld, _ id: String) async throws -> HookQuestion {
        let ledger = try await Ledger.register(
            pool: world.pool, instance: Identifier(high: 7, low: 7), node: "test",
            lease: .seconds(600), changes: world.dependencies.store.changes
        ).ledger
        let heads = try await ledger.lanes().page.heads
        let order = ClaimOrder(heads.map { LaneQuota(head: $0, count: 64) }, total: 64)
        let name = try #require(Identifier(id, kind: .download))
        let downloads = world.dependencies.store.downloads
        let found = try await ledger.beginHooks(of: downloads).ask(order.hooked)
        #expect(found.asked == [name])
        let outbox = Outbox(
            pool: world.pool, registration: Registration(replica: ledger.replica))
        let due = try await outbox.due(full: [], limit: 64).list
        let claim = try await outbox.claim(
            due.map { DeliveryPlaces.Grant(receiver: $0.number, count: 64) })
        let delivery = try #require(claim.due.last { $0.type == .willBegin })
        return try #require(
            HookQuestion(delivery.message, to: delivery.url, app: delivery.app))
    }

    private static func handler(_ world: APIWorld) -> HookAnswerHandler {
        HookAnswerHandler(world.dependencies) { world.told.change { $0.hints += 1 } }
    }

    private static func find(_ world: APIWorld, _ id: String) async -> JSON {
        await world.send("GET", "/v1/downloads/\(id)").json
    }

    /// The number of waiting downloads without an open question.
    private static func ready(_ world: APIWorld) async throws -> Int64 {
        let rows = try await world.pool.query(
            """
            SELECT count(*) FROM queue WHERE state = 0
                AND lane_flags & lull_lane_flag('hooked') = 0
            """)
        return try rows[0].get(0)
    }

    @Test func aHookIsShownOfDownloadsAndSessions() async throws {
        try await APIWorld.with { world in
            let made = await world.create("\(Self.date),\(Self.hook)")
            #expect(made.status == 201 && made.json["begin_hook"] == Self.shown)
            let plain = await world.create()
            #expect(plain.json["begin_hook"] == nil)
            let session = await world.send("PUT", "/v1/sessions/nightly", "{\(Self.hook)}")
            #expect(session.status == 201)
            #expect(session.json["configuration"]?["begin_hook"] == Self.shown)
            #expect(session.json["effective"]?["begin_hook"] == Self.shown)
            // A session's hook applies to those of its downloads that have a date.
            for (members, isAsked) in [("", false), ("," + Self.date, true)] {
                let reply = await world.create(#""session":"nightly"\#(members)"#)
                #expect(reply.status == 201 && reply.json["begin_hook"] == Self.shown)
                let id = try #require(reply.json["id"]?.stringValue)
                let name = try #require(Identifier(id, kind: .download))
                let flags = try await world.pool.query(
                    "SELECT lane_flags FROM queue WHERE id = $1", [UUIDValue(name)])[0]
                    .get(0, as: Int16.self)
                #expect(LaneFlags(rawValue: flags).contains(.unasked) == isAsked)
            }
            let changed = await world.send(
                "PATCH", "/v1/sessions/nightly", #"{"begin_hook":null}"#,
                headers: [("Content-Type", "application/merge-patch+json")])
            #expect(changed.json["effective"]?["begin_hook"] == .null)
        }
    }

    @Test(arguments: [
        (hook, "validation-failed", "#/begin_hook"),
        (
            date + #","begin_hook":{"url":"http://10.0.0.1/"}"#, "destination-not-allowed",
            "#/begin_hook/url"
        ),
        (
            date + #","begin_hook":{"url":"https://h.example/","on_no_answer":"x"}"#,
            "validation-failed", "#/begin_hook/on_no_answer"
        ),
    ])
    func aHookThatCannotBeAskedIsRefused(
        _ members: String, _ code: String, _ pointer: String
    ) async throws {
        try await APIWorld.with { world in
            let reply = await world.create(members)
            #expect(reply.status == 422 && reply.json["code"]?.stringValue == code)
            #expect(reply.json["errors"]?.arrayValue?.first?["pointer"]?.stringValue == pointer)
        }
    }

    private static let refusedSecrets: [(String, String)] = [
        (#""headers":{"Host":"1"}"#, "/headers/Host"),
        (#""headers":{"webhook-id":"1"}"#, "/headers"),
        (#""headers":{"X":"redacted"}"#, "/headers/X"),
        (#""authorization":{"type":"x"}"#, "/authorization/type"),
        (
            #""authorization":{"type":"digest","username":"u","password":"p"}"#,
            "/authorization"
        ),
    ]

    @Test(arguments: refusedSecrets)
    func aRefusalOfSecretsNamesThePlace(_ member: String, _ pointer: String) async throws {
        try await APIWorld.with { world in
            let hook = #"\#(Self.date),"begin_hook":{"url":"https://h.example/",\#(member)}"#
            let one = await world.create(hook)
            #expect(one.status == 422 && one.pointers == ["#/begin_hook" + pointer])
            let batch = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"defaults":{\#(hook)},"downloads":[{"url":"https://a.example/"}]}"#)
            #expect(batch.pointers == ["#/defaults/begin_hook" + pointer], "\(batch.text)")
            let made = await world.create(
                Self.date + #","begin_hook":{"url":"https://h.example/"}"#)
            let id = try #require(made.json["id"]?.stringValue)
            let patched = await world.send(
                "PATCH", "/v1/downloads/" + id, #"{"begin_hook":{\#(member)}}"#,
                headers: [("Content-Type", "application/merge-patch+json")])
            #expect(patched.status == 422 && patched.pointers == ["#/begin_hook" + pointer])
        }
    }

    @Test func theHookAnswersWithAnotherRequest() async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(world)
            let before = try await world.pool.query("SELECT origin_key, lane_no FROM queue")[0]
            #expect(try await Self.ready(world) == 0)
            let blockers = await Self.find(world, id)["blockers"]?.arrayValue
            #expect(blockers?.map { $0["code"] } == ["begin_hook"])
            #expect(blockers?.first?["until"]?.stringValue != nil)
            let answer = BeginAnswer.useNewRequest([
                "url": "https://other.example/fresh?sig=1", "headers": ["X-Token": "t"],
            ])
            #expect(await Self.handler(world).take(answer, to: question) == .taken)
            let found = await Self.find(world, id)
            #expect(found["url"] == "https://other.example/fresh?sig=1")
            #expect(found["headers"] == ["X-Token": "redacted"])
            #expect(found["state"] == "waiting")
            // The download waits in the lane of its new origin, whose rules and limits apply to it.
            #expect(try await Self.ready(world) == 1)
            let after = try await world.pool.query(
                """
                SELECT q.origin_key, q.lane_no, o.origin FROM queue q
                JOIN origins o ON o.origin_key = q.origin_key
                """)[0]
            #expect(try after.get(2, as: String.self) == "https://other.example:443")
            for column in 0...1 {
                #expect(
                    try after.get(column, as: Int64.self) != before.get(column, as: Int64.self))
            }
            #expect(world.told.now.hints > 0)
            // A second answer to that question, from any replica, comes too late.
            for late in [BeginAnswer.cancel, .continueLoading, answer] {
                #expect(await Self.handler(world).take(late, to: question) == .closed)
            }
            #expect(await Self.find(world, id)["state"] == "waiting")
        }
    }

    @Test(
        arguments: [
            (["url": "http://10.0.0.1/f"], "destination-not-allowed for its url;"),
            (["url": "ftp://other.example/f"], "unsupported-url-scheme for its url;"),
            (["url": 7], "for its url;"), (["headers": ["Host": "x"]], "for its headers;"),
            (["expected_digest": "md6:00"], "for its expected_digest;"),
        ] as [(JSONObject, String)])
    func aNewRequestIsJudgedAsThoseOfClients(_ members: JSONObject, _ words: String) async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(world)
            let outcome = await Self.handler(world).take(.useNewRequest(members), to: question)
            guard case .refused(let why) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(why.contains(words), "\(why)")
            // The answer is a secret: none of its values is in the reason.
            #expect(!why.contains("10.0") && !why.contains("ftp") && !why.contains("Host"))
            // The question is still open, and nothing has changed.
            #expect(await Self.handler(world).take(nil, to: question) == .taken)
            #expect(await Self.find(world, id)["url"] == "https://mirror.example/a.iso")
            #expect(await Self.handler(world).take(.continueLoading, to: question) == .taken)
            #expect(await Self.handler(world).take(nil, to: question) == .closed)
        }
    }

    @Test func aCancelNamesItsReason() async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(world)
            #expect(await Self.handler(world).take(.cancel, to: question) == .taken)
            let found = await Self.find(world, id)
            #expect(found["state"] == "canceled" && found["cancel_reason"] == "begin_hook")
            #expect(await Self.handler(world).take(.continueLoading, to: question) == .closed)
            // A retry leads to a begin of its own.
            let reply = await world.send("POST", "/v1/downloads/\(id)/retry")
            #expect(reply.status == 200 && reply.json["cancel_reason"] == .null)
            let again = try await Self.ask(world, id)
            #expect(again.sequence != question.sequence)
            #expect(await Self.handler(world).take(.continueLoading, to: question) == .closed)
            #expect(await Self.handler(world).take(.continueLoading, to: again) == .taken)
        }
    }

    @Test func ofTwoReplicasOnePutsItsAnswerIntoForce() async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(world)
            let outcomes = await withTaskGroup(of: HookOutcome.self) { group in
                for host in ["a", "b"] {
                    group.addTask {
                        await Self.handler(world).take(
                            .useNewRequest(["url": .string("https://\(host).example/f")]),
                            to: question)
                    }
                }
                return await group.reduce(into: [HookOutcome]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .taken } == 1)
            #expect(outcomes.allSatisfy { $0 == .taken || $0 == .closed })
            #expect(try await Self.ready(world) == 1)
            let url = await Self.find(world, id)["url"]?.stringValue
            #expect(url?.hasSuffix(".example/f") == true)
        }
    }

    @Test func anotherDateClosesTheQuestion() async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(world)
            let reply = await world.send(
                "PATCH", "/v1/downloads/\(id)", #"{"earliest_begin_date":"2099-01-01T00:00:00Z"}"#,
                headers: [("Content-Type", "application/merge-patch+json")])
            #expect(reply.status == 200)
            let codes = reply.json["blockers"]?.arrayValue?.map { $0["code"] }
            #expect(codes == ["earliest_begin_date"])
            for answer in [BeginAnswer.cancel, .useNewRequest(["url": "https://b.example/"])] {
                #expect(await Self.handler(world).take(answer, to: question) == .closed)
            }
            #expect(await Self.find(world, id)["url"] == "https://mirror.example/a.iso")
        }
    }

    /// Every secret that a download has, and a new request that does not give the secret.
    @Test(
        arguments: [
            ["url": "https://other.example/f"], ["url": "https://mirror.example/b"],
            ["headers": ["X-New": "1"]], ["authorization": ["type": "bearer", "token": "new"]],
            ["expected_digest": "md5:00000000000000000000000000000000"],
        ] as [JSONObject])
    func aNewRequestHasNothingOfTheOldOne(_ members: JSONObject) async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(
                world,
                #","headers":{"X-Old":"1","X-New":"0"},"#
                    + #""authorization":{"type":"basic","username":"u","password":"p"}"#)
            let outcome = await Self.handler(world).take(.useNewRequest(members), to: question)
            #expect(outcome == .taken)
            let found = await Self.find(world, id)
            let names = members["headers"] == nil ? [:] : ["X-New": "redacted"] as JSON
            #expect(found["headers"] == names)
            let type = members["authorization"] == nil ? .null : ["type": "bearer"] as JSON
            #expect(found["authorization"] == type)
        }
    }

    @Test(arguments: ["https://other.example/f", "https://mirror.example/b"])
    func aNewRequestOfAPostNeedsItsBody(_ url: String) async throws {
        try await APIWorld.with { world in
            let (id, question) = try await Self.asked(world, #","method":"POST","body":"s3cret""#)
            let bare = BeginAnswer.useNewRequest(["url": .string(url)])
            guard case .refused(let why) = await Self.handler(world).take(bare, to: question) else {
                Issue.record("the body went along, or away")
                return
            }
            #expect(why.contains("#/body"))
            let whole = BeginAnswer.useNewRequest(["url": .string(url), "body": "new"])
            #expect(await Self.handler(world).take(whole, to: question) == .taken)
            #expect(await Self.find(world, id)["body_bytes"] == 3)
        }
    }
}
