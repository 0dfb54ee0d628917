// Sessions patched, suspended, ended, attached to; wakes completed by their tokens.
import Base
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct SessionLifeTests {
    private static let type = [("Content-Type", "application/merge-patch+json")]

    @Test func aPatchKeepsWhatItDoesNotName() async throws {
        try await APIWorld.with { world in
            let path = "/v1/sessions/a"
            let made = await world.send(
                "PUT", path,
                #"{"max_running":3,"http_additional_headers":{"X-A":"one","X-B":"two"}}"#)
            #expect(made.status == 201)
            let changed = await world.send(
                "PATCH", path, #"{"max_running":null,"segments":2}"#, headers: Self.type)
            #expect(changed.status == 200 && changed.json["version"] == 2)
            let shown = changed.json["configuration"]
            #expect(shown?["max_running"]?.isNull == true && shown?["segments"] == 2)
            #expect(shown?["http_additional_headers"] == ["X-A": "redacted", "X-B": "redacted"])
            // Values are compared, too: equal ones make no new version.
            let same = await world.send(
                "PATCH", path, #"{"http_additional_headers":{"x-a":"one"}}"#, headers: Self.type)
            #expect(same.status == 200)
            let merged = await world.send(
                "PATCH", path, #"{"http_additional_headers":{"X-B":null,"X-C":"three"}}"#,
                headers: Self.type)
            let names = merged.json["configuration"]?["http_additional_headers"]?.objectValue
            #expect(Set(names?.members.map { $0.key.lowercased() } ?? []) == ["x-a", "x-c"])
            let before = try #require(merged.json["version"]?.integerValue)
            #expect(
                await world.send("PATCH", path, "{}", headers: Self.type).json["version"]
                    == .integer(before))
            await world.send("PATCH", path, #"{"max_running":0}"#, headers: Self.type)
                .expectProblem("validation-failed", status: 422)
            let old = Self.type + [("If-Match", "W/\"1-0\"")]
            await world.send("PATCH", path, #"{"segments":3}"#, headers: old)
                .expectProblem("precondition-failed", status: 412)
            await world.send("PATCH", "/v1/sessions/none", "{}", headers: Self.type)
                .expectProblem("not-found", status: 404)
        }
    }

    @Test func aSuspendedSessionTakesDownloadsThatWait() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/a", "{}")
            let suspended = await world.send("POST", "/v1/sessions/a/suspend")
            #expect(suspended.status == 200 && suspended.json["state"] == "suspended")
            let made = await world.create(#""session":"a""#)
            #expect(made.status == 201)
            let read = await world.send("GET", try #require(made["Location"]))
            #expect(read.json["blockers"]?[0]?["code"] == "session_suspended")
            let shown = await world.send("GET", "/v1/sessions/a")
            #expect(shown.json["counts"]?["waiting"] == 1)
            let resumed = await world.send("POST", "/v1/sessions/a/resume")
            #expect(resumed.json["state"] == "active")
            let again = await world.send("GET", try #require(made["Location"]))
            #expect(again.json["blockers"]?[0]?["code"] == "slots")
        }
    }

    @Test func deleteEndsAnEmptySessionAndModesEndOthers() async throws {
        try await APIWorld.with { world in
            let path = "/v1/sessions/a"
            await world.send("DELETE", path).expectProblem("not-found", status: 404)
            _ = await world.send("PUT", path, "{}")
            let made = await world.create(#""session":"a""#)
            await world.send("DELETE", path).expectProblem("session-not-empty", status: 409)
            await world.send("DELETE", path + "?mode=now")
                .expectProblem("validation-failed", status: 422)
            let ending = await world.send("DELETE", path + "?mode=finish")
            #expect(ending.status == 202 && ending.json["state"] == "invalidating")
            await world.create(#""session":"a""#).expectProblem("session-invalidated", status: 409)
            await world.send("PUT", path, #"{"segments":2}"#)
                .expectProblem("session-invalidated", status: 409)
            let canceled = await world.send("DELETE", path + "?mode=cancel")
            #expect(canceled.status == 202)
            let location = try #require(made["Location"])
            #expect(await world.send("GET", location).json["state"] == "canceled")
            _ = try await Wakes(pool: world.pool).look(.standard)
            #expect(await world.send("GET", path).json["state"] == "invalidated")
            await world.create(#""session":"a""#).expectProblem("session-invalidated", status: 409)
            #expect(await world.send("PUT", path, "{}").status == 201)
            #expect(await world.create(#""session":"a""#).status == 201)
            for mode in ["", "?mode=finish", "?mode=cancel"] {
                await world.send("DELETE", "/v1/sessions/default" + mode)
                    .expectProblem("session-conflict", status: 409)
            }
            _ = await world.send("PUT", "/v1/sessions/b", "{}")
            #expect(await world.send("DELETE", "/v1/sessions/b").status == 204)
            await world.send("GET", "/v1/sessions/b").expectProblem("not-found", status: 404)
        }
    }

    @Test func forceQuitCancelsAndMutesUntilForeground() async throws {
        try await APIWorld.with { world in
            let body = #"{"webhook_url":"https://hooks.example/"}"#
            _ = await world.send("PUT", "/v1/sessions/a", body)
            let made = await world.create(#""session":"a""#)
            let quit = await world.send("POST", "/v1/sessions/a/force_quit")
            #expect(quit.status == 200 && quit.json["wake"]?["is_muted"] == true)
            #expect(quit.json["counts"]?["canceled"] == 1)
            let gone = await world.send("GET", try #require(made["Location"]))
            #expect(gone.json["state"] == "canceled")
            #expect(gone.json["cancel_reason"] == "force_quit")
            let event = try await world.events(1, "/v1/events?types=download.canceled")
            #expect(event.json["data"]?[0]?["data"]?["cancel_reason"] == "force_quit")
            let retried = await world.send("POST", try #require(made["Location"]) + "/retry")
            #expect(retried.json["cancel_reason"]?.isNull == true)
            _ = await world.send("POST", try #require(made["Location"]) + "/cancel")
            let alone = await world.send("GET", try #require(made["Location"]))
            #expect(alone.json["cancel_reason"]?.isNull == true)
            let forced = await world.create(#""session":"a""#)
            #expect(forced.json["is_discretionary"] == true)
            #expect(forced.json["discretionary_forced_by"] == "wake")
            let path = try #require(forced["Location"])
            let patched = await world.send(
                "PATCH", path, #"{"is_discretionary":false}"#, headers: Self.type)
            #expect(patched.json["is_discretionary"] == true)
            let back = await world.send("POST", "/v1/sessions/a/foreground")
            #expect(back.json["wake"]?["is_muted"] == false)
            let free = await world.create(#""session":"a""#)
            #expect(free.json["discretionary_forced_by"]?.isNull == true)
        }
    }

    @Test func theKindOfASessionNeverChanges() async throws {
        try await APIWorld.with { world in
            let path = "/v1/sessions/a"
            #expect(await world.send("PUT", path, #"{"kind":"ephemeral"}"#).status == 201)
            for (method, body) in [
                ("PUT", "{}"), ("PUT", #"{"kind":"background"}"#), ("PATCH", #"{"kind":null}"#),
            ] {
                await world.send(
                    method, path, body, headers: method == "PATCH" ? Self.type : []
                ).expectProblem("session-conflict", status: 409)
            }
            let same = await world.send("PATCH", path, #"{"segments":2}"#, headers: Self.type)
            #expect(same.status == 200 && same.json["configuration"]?["kind"] == "ephemeral")
            #expect(same.json["effective"]?["content_retention"] == 600)
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://mirror.example/a?sig=1","session":"a"}"#)
            #expect(made.json["url"] == "https://mirror.example/a")
        }
    }

    @Test func attachAnswersLiveDownloadsAndTheCursor() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/a", "{}")
            var ids: [JSON] = []
            for _ in 0..<3 {
                ids.append(try #require(await world.create(#""session":"a""#).json["id"]))
            }
            _ = await world.create()
            let first = await world.send("POST", "/v1/sessions/a/attach?limit=2")
            #expect(first.status == 200)
            let beginning = PublicNames.withoutKey.cursor(
                JournalPosition(transaction: 0, number: 0))
            #expect(first.json["cursor"] == .string(beginning))
            #expect(first.json["data"]?.arrayValue?.compactMap { $0["id"] } == Array(ids.prefix(2)))
            let next = try #require(first.json["next_cursor"]?.stringValue)
            let second = await world.send("POST", "/v1/sessions/a/attach?limit=2&cursor=\(next)")
            #expect(second.json["data"]?.arrayValue?.compactMap { $0["id"] } == [ids[2]])
            #expect(second.json["next_cursor"]?.isNull == true)
            await world.send("POST", "/v1/sessions/a/attach?cursor=x")
                .expectProblem("validation-failed", status: 422)
        }
    }

    @Test func anOpenWakeForcesAndDelaysAndItsTokenNeedsNoKey() async throws {
        try await APIWorld.with { world in
            let body = #"{"webhook_url":"https://hooks.example/","webhook_events":["session.*"]}"#
            _ = await world.send("PUT", "/v1/sessions/a", body)
            let made = await world.create(#""session":"a""#)
            _ = await world.send("POST", try #require(made["Location"]) + "/cancel")
            // A cancel alone is no reason for a wake; a success is.
            _ = try await world.pool.query(
                """
                SELECT lull_note_sessions(ARRAY[session_no], ARRAY[lull_session_news('completed')])
                FROM sessions WHERE identifier = 'a'
                """)
            let wakes = Wakes(pool: world.pool)
            let sent = try await wakes.look(.standard).sent
            let token = try #require(sent.first).token
            _ = try await world.pool.query("UPDATE wakes SET state = 1, expires_at = now()")
            let forced = await world.create(#""session":"a","is_discretionary":false"#)
            #expect(forced.status == 201 && forced.json["is_discretionary"] == true)
            #expect(forced.json["discretionary_forced_by"] == "wake")
            let blocker = forced.json["blockers"]?[0]
            #expect(blocker?["code"] == "wake_delay" && blocker?["until"]?.stringValue != nil)
            #expect(blocker?["detail"]?.stringValue?.contains("one batch") == true)
            let shown = await world.send("GET", "/v1/sessions/a").json["wake"]
            #expect(shown?["delay_seconds"] == 60 && shown?["is_open"] == true)
            let path = "/v1/wakes/" + token.text(.wake)
            let extended = await world.send("POST", path + "/extend", #"{"seconds":30}"#)
            #expect(extended.status == 200 && extended.json["expires_at"]?.stringValue != nil)
            for seconds in ["0", "31", "1.5", "null"] {
                await world.send("POST", path + "/extend", "{\"seconds\":\(seconds)}")
                    .expectProblem("validation-failed", status: 422)
            }
            for _ in 0..<2 {
                let done = await world.send("POST", path + "/complete")
                #expect(done.status == 200 && done.json["state"] == "completed")
            }
            await world.send("POST", path + "/extend", #"{"seconds":1}"#)
                .expectProblem("wake-expired", status: 410)
            _ = try await world.pool.query("UPDATE wakes SET state = 3")
            await world.send("POST", path + "/complete").expectProblem("wake-expired", status: 410)
            for other in ["wk_01JZ8Q2M9V7T4K3H2G1F0E9D8C", "wk_1", "dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"]
            {
                await world.send("POST", "/v1/wakes/\(other)/complete")
                    .expectProblem("not-found", status: 404)
            }
            let free = await world.create(#""session":"a""#)
            #expect(free.json["discretionary_forced_by"]?.isNull == true)
        }
    }
}
