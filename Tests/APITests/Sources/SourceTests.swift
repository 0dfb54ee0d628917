// Sources: put, patched, suspended, asked to look, removed; and the looks that a replica begins.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@testable import API

@Suite struct SourceTests {
    static let path = "/v1/sources/list"
    static let type = [("Content-Type", "application/merge-patch+json")]

    static func document(_ members: String = "") -> String {
        #"{"url":"https://mirror.example/list.csv","schedule":{"every":"6h"}"#
            + (members.isEmpty ? "" : "," + members) + "}"
    }

    /// Handles the due sources, as the duty of a replica does.
    func turn(_ world: APIWorld) async throws -> Int {
        let sources = world.dependencies.store.downloads.sources
        let looks = LookHandler(world.dependencies)
        let due = try await sources.due(limit: 10)
        for source in due.sources {
            var timetable = source.timetable
            let turn = timetable.turn(at: source.readAt, source.spec.rules, source.schedule)
            if turn.start != nil {
                _ = try await looks.begin(source, timetable, turn)
            } else {
                _ = try await sources.record(SourceStep(source, to: timetable, by: turn))
            }
        }
        return due.taken
    }

    /// Ends the running look with a file, and takes it in.
    func succeed(
        _ world: APIWorld, sha256: Character, etag: String = "\"a\"", url: String = "x"
    ) async throws -> LookOutcome? {
        let looks = await world.send("GET", Self.path + "/looks")
        let id = try #require(looks.json["data"]?[0]?["download"]?.stringValue, "\(looks.text)")
        try await world.succeed(
            id,
            result: [
                "content": ["length": 5, "sha256": .string(String(repeating: sha256, count: 64))],
                "response": ["status_code": 200, "url": .string(url), "etag": .string(etag)],
            ])
        // The statement of the tests records no event, which is what notes the end of a look.
        _ = try await world.pool.query(
            "INSERT INTO source_ends SELECT $1 ON CONFLICT DO NOTHING",
            [try #require(Identifier(id, kind: .download))])
        return try await close(world)
    }

    func close(_ world: APIWorld) async throws -> LookOutcome? {
        let sources = world.dependencies.store.downloads.sources
        var outcome: LookOutcome?
        for end in try await sources.ends(after: nil, limit: 10) {
            outcome = try await sources.close(end.id)?.outcome
        }
        return outcome
    }

    @Test func theSamePutChangesNothing() async throws {
        try await APIWorld.with { world in
            let body = Self.document(#""template":{"headers":{"X-Key":"secret"}}"#)
            let made = await world.send("PUT", Self.path, body)
            #expect(made.status == 201 && made.json["version"] == 1, "\(made.text)")
            #expect(made["Location"] == Self.path && made.json["state"] == "active")
            #expect(made.json["template"]?["headers"] == ["X-Key": "redacted"])
            #expect(made.json["interval"] == ["seconds": 21600, "reason": "schedule"])
            let same = await world.send("PUT", Self.path, body)
            #expect(same.status == 200 && same.json["version"] == 1)
            #expect(same.json["updated_at"] == made.json["updated_at"])
            // Values of secrets are compared, too.
            let other = await world.send(
                "PUT", Self.path, Self.document(#""template":{"headers":{"X-Key":"new"}}"#))
            #expect(other.status == 200 && other.json["version"] == 2)
            let stale = [("If-Match", "W/\"1-0\"")]
            await world.send("PUT", Self.path, body, headers: stale)
                .expectProblem("precondition-failed", status: 412)
            let read = await world.send("GET", Self.path)
            let tag = try #require(read["ETag"])
            #expect(
                await world.send("GET", Self.path, headers: [("If-None-Match", tag)]).status == 304)
        }
    }

    @Test(
        arguments: [
            (#"{"schedule":{"every":"6h"}}"#, "#/url"),
            (#"{"url":"https://m.example/"}"#, "#/schedule"),
            (#"{"url":"ftp://m.example/","schedule":{"every":"6h"}}"#, "#/url"),
            (#"{"url":"https://m.example/","schedule":{"every":"1s"}}"#, "#/schedule/every"),
            (#"{"url":"https://m.example/","schedule":{"cron":"0 0 31 2 *"}}"#, "#/schedule/cron"),
            (document(#""kind":"page""#), "#/kind"),
            (document(#""first":"all""#), "#/first"),
            (document(#""kind":"feed","select":{"newest":0}"#), "#/select/newest"),
            (document(#""kind":"feed","spacing":"8d""#), "#/spacing"),
            (document(#""kind":"feed","template":{"url":"x"}"#), "#/template/url"),
            (document(#""kind":"feed","template":{"priority":7}"#), "#/template/priority"),
            (document(#""overlap":"x""#), "#/overlap"),
            (document(#""catch_up_window":"1s""#), "#/catch_up_window"),
            (document(#""template":[]"#), "#/template"), (document(#""keep":{}"#), "#/keep/last"),
            (document(#""keep":{"for":"1x"}"#), "#/keep/for"), (document(#""a":1"#), "#/a"),
            (document(#""template":{"url":"https://a.example/"}"#), "#/template/url"),
            (document(#""template":{"external_id":"a"}"#), "#/template/external_id"),
            (document(#""template":{"suspended":true}"#), "#/template/suspended"),
            (
                document(#""template":{"complete_by":"2030-01-01T00:00:00Z"}"#),
                "#/template/complete_by"
            ),
            (document(#""template":{"if_none_match":"a"}"#), "#/template/if_none_match"),
            (document(#""template":{"priority":2}"#), "#/template/priority"),
            (document(#""template":{"whatever":2}"#), "#/template/whatever"),
            (document(#""template":{"session":"none"}"#), "#/template/session"),
            (
                document(#""keep":{"last":1},"template":{"content_retention":9000}"#),
                "#/template/content_retention"
            ),
            (
                document(#""template":{"destination":{"name":"in","path":"a.csv"}}"#),
                "#/template/destination/path"
            ),
        ] as [(String, String)])
    func whatNoLookCouldUseIsRefusedWithItsPlace(_ body: String, _ pointer: String) async throws {
        try await APIWorld.with { world in
            let reply = await world.send("PUT", Self.path, body)
            let isScheme = body.contains("ftp:")
            reply.expectProblem(
                isScheme ? "unsupported-url-scheme" : "validation-failed", status: 422)
            let places = reply.json["errors"]?.arrayValue?.map { $0["pointer"]?.stringValue ?? "" }
            #expect(places?.contains(pointer) == true, "\(reply.text)")
            #expect(await world.send("GET", Self.path).status == 404)
        }
    }

    @Test func aPatchKeepsSecretsButNotForAnotherOrigin() async throws {
        try await APIWorld.with { world in
            _ = await world.send(
                "PUT", Self.path,
                Self.document(#""template":{"headers":{"X-Key":"secret"},"priority":1}"#))
            let changed = await world.send(
                "PATCH", Self.path, #"{"overlap":"queue_one","template":{"priority":null}}"#,
                headers: Self.type)
            #expect(changed.status == 200 && changed.json["version"] == 2, "\(changed.text)")
            #expect(changed.json["template"] == ["headers": ["X-Key": "redacted"]])
            let moved = await world.send(
                "PATCH", Self.path, #"{"url":"https://other.example/list.csv"}"#,
                headers: Self.type)
            #expect(moved.json["dropped"] == ["headers"] && moved.json["template"] == [:])
            await world.send("PATCH", Self.path, #"{"schedule":null}"#, headers: Self.type)
                .expectProblem("validation-failed", status: 422)
            await world.send("PATCH", "/v1/sources/none", "{}", headers: Self.type)
                .expectProblem("not-found", status: 404)
        }
    }

    @Test func sourcesAreListedInPagesByName() async throws {
        try await APIWorld.with { world in
            for name in ["b", "a", "c"] {
                _ = await world.send("PUT", "/v1/sources/" + name, Self.document())
            }
            let first = await world.send("GET", "/v1/sources?limit=2")
            let names = first.json["data"]?.arrayValue?.map { $0["identifier"]?.stringValue ?? "" }
            #expect(names == ["a", "b"] && first.json["next_cursor"] == "b")
            let second = await world.send("GET", "/v1/sources?limit=2&cursor=b")
            #expect(second.json["data"]?.arrayValue?.count == 1)
            #expect(second.json["next_cursor"] == .null)
            #expect(await world.send("DELETE", "/v1/sources/b").status == 204)
            await world.send("DELETE", "/v1/sources/b").expectProblem("not-found", status: 404)
        }
    }

    @Test func versionsAreWhatDiffersFromTheLatest() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document(#""keep":{"last":1}"#))
            var outcomes: [LookOutcome?] = []
            for digest in ["a", "b", "a", "a"] as [Character] {
                #expect(try await turn(world) == 1)
                outcomes.append(try await succeed(world, sha256: digest))
                let asked = await world.send("POST", Self.path + "/look")
                #expect(asked.status == 202, "\(asked.text)")
            }
            #expect(outcomes == [.changed, .changed, .changed, .unchangedDigest])
            let versions = await world.send("GET", Self.path + "/versions?limit=2")
            #expect(versions.json["data"]?[0]?["version"] == 3)
            #expect(versions.json["next_cursor"] == "2")
            let rest = await world.send("GET", Self.path + "/versions?cursor=2")
            #expect(rest.json["data"]?.arrayValue?.count == 1)
            let read = await world.send("GET", Self.path)
            #expect(read.json["latest"]?["version"] == 3)
            #expect(read.json["last_look"]?["outcome"] == "unchanged_digest")
            let downloads = await world.send("GET", "/v1/downloads?source=list")
            #expect(downloads.json["data"]?.arrayValue?.count == 4)
            #expect(downloads.json["data"]?[0]?["source"] == "list")
            let none = await world.send("GET", "/v1/downloads?source=other")
            #expect(none.json["data"] == [])
            let events = try await world.events(4, "/v1/events?types=source.*")
            let types = events.json["data"]?.arrayValue?.map { $0["type"]?.stringValue ?? "" }
            #expect(
                types == [
                    "source.changed", "source.changed", "source.changed", "source.unchanged",
                ])
        }
    }

    @Test func aStepOfTwoReplicasIsTakenOnce() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            let sources = world.dependencies.store.downloads.sources
            let source = try #require(try await sources.find(app: 1, identifier: "list"))
            let looks = LookHandler(world.dependencies)
            for _ in 0..<2 {
                var timetable = source.timetable
                let turn = timetable.turn(at: source.readAt, source.spec.rules, source.schedule)
                #expect(turn.start != nil)
                _ = try await looks.begin(source, timetable, turn)
            }
            let list = await world.send("GET", Self.path + "/looks")
            #expect(list.json["data"]?.arrayValue?.count == 1)
            #expect(
                await world.send("GET", "/v1/downloads").json["data"]?.arrayValue?.count == 1)
        }
    }

    @Test func aSuspendedSourceDoesNotLook() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            let suspended = await world.send("POST", Self.path + "/suspend")
            #expect(suspended.status == 200 && suspended.json["state"] == "suspended")
            #expect(suspended.json["next_look_at"] == .null)
            let none = try await turn(world)
            #expect(none == 0)
            await world.send("POST", Self.path + "/look")
                .expectProblem("source-conflict", status: 409)
            let resumed = await world.send("POST", Self.path + "/resume")
            #expect(resumed.status == 200 && resumed.json["state"] == "active")
            let one = try await turn(world)
            #expect(one == 1)
            let looks = await world.send("GET", Self.path + "/looks")
            #expect(looks.json["data"]?[0]?["outcome"] == "skipped")
            #expect(looks.json["data"]?[0]?["reason"] == "suspended")
            #expect(await world.send("GET", "/v1/downloads").json["data"] == [])
        }
    }

    @Test func aLookWithoutRoomIsSkippedBecauseOfTheQuota() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            _ = try await APIKeys(pool: world.pool).limit(
                app: "default", AppLimitChange(to: AppLimits(queued: 0)))
            #expect(try await turn(world) == 1)
            let looks = await world.send("GET", Self.path + "/looks")
            #expect(looks.json["data"]?[0]?["reason"] == "quota", "\(looks.text)")
            #expect(looks.json["data"]?[0]?["download"] == .null)
        }
    }

    @Test func aLookWhoseSessionHasEndedFails() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/a", "{}")
            _ = await world.send("PUT", Self.path, Self.document(#""template":{"session":"a"}"#))
            #expect(await world.send("DELETE", "/v1/sessions/a").status == 204)
            // The end of the session has suspended the source.
            #expect(await world.send("POST", Self.path + "/resume").status == 200)
            #expect(await world.send("POST", Self.path + "/look").status == 202)
            let one = try await turn(world)
            #expect(one == 1)
            let looks = await world.send("GET", Self.path + "/looks")
            #expect(looks.json["data"]?[0]?["outcome"] == "failed", "\(looks.text)")
            #expect(await world.send("GET", Self.path).json["failures"] == 1)
        }
    }

    @Test func tenFailedLooksAskForAttentionOnce() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document(#""overlap":"queue_one""#))
            for _ in 0..<11 {
                #expect(try await turn(world) == 1)
                let looks = await world.send("GET", Self.path + "/looks")
                let id = try #require(looks.json["data"]?[0]?["download"]?.stringValue)
                try await world.fail(id)
                _ = try await world.pool.query(
                    "INSERT INTO source_ends SELECT $1 ON CONFLICT DO NOTHING",
                    [try #require(Identifier(id, kind: .download))])
                #expect(try await close(world) == .failed)
                _ = await world.send("POST", Self.path + "/look")
            }
            let read = await world.send("GET", Self.path)
            #expect(read.json["state"] == "attention_required")
            #expect(read.json["interval"]?["reason"] == "attention_required")
            let events = try await world.events(1, "/v1/events?types=source.failing")
            #expect(events.json["data"]?.arrayValue?.count == 1)
        }
    }
}
