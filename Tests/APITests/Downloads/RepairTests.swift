// The members that a PATCH may change in downloads that ended, wait or have succeeded, and the
// values that the retry uses.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct RepairTests {
    /// Every member that a repair may name, with a value.
    private static let members: [(name: String, value: String, shown: JSON)] = [
        ("url", #""https://other.example/b.iso""#, "https://other.example/b.iso"),
        ("headers", #"{"X-Api-Key":"s3cret-1"}"#, ["X-Api-Key": "redacted"]),
        ("authorization", #"{"type":"bearer","token":"s3cret-2"}"#, ["type": "bearer"]),
        (
            "expected_digest", #""md5:\#(String(repeating: "0", count: 32))""#,
            .string("md5:" + String(repeating: "0", count: 32))
        ),
        ("webhook_url", #""https://hooks.example/x""#, "https://hooks.example/x"),
        ("webhook_events", #"["download.failed"]"#, ["download.failed"]),
        ("max_bytes_per_second", "1000", 1000), ("max_bytes", "77", 77),
        ("min_bytes", "7", 7), ("accept_content_types", #"["Text/CSV"]"#, ["text/csv"]),
        ("segments", "3", 3), ("content_retention", "60", 60),
        ("timeout_interval_for_request", "7", 7), ("timeout_interval_for_resource", "900", 900),
        ("priority", "0.75", .number(0.75)), ("is_discretionary", "true", true),
        ("earliest_begin_date", #""2099-01-01T00:00:00Z""#, "2099-01-01T00:00:00.000Z"),
        (
            "begin_hook", #"{"url":"https://hooks.example/ask"}"#,
            [
                "url": "https://hooks.example/ask", "timeout_seconds": 10,
                "on_no_answer": "continue",
            ]
        ),
        (
            "retry", #"{"statuses":[404,403],"attempts":12,"for_seconds":21600}"#,
            ["statuses": [403, 404], "attempts": 12, "for_seconds": 21_600]
        ),
    ]

    private func patch(_ world: APIWorld, _ path: String, _ body: String) async -> Reply {
        await world.send(
            "PATCH", path, body, headers: [("Content-Type", "application/merge-patch+json")])
    }

    private func end(_ state: DownloadState, _ id: String, _ world: APIWorld) async throws {
        switch state {
        case .failed:
            try await world.fail(id)
            _ = try await world.pool.query("DELETE FROM download_secrets")
        case .canceled: _ = await world.send("POST", "/v1/downloads/\(id)/cancel")
        case .suspended: _ = await world.send("POST", "/v1/downloads/\(id)/suspend")
        case .succeeded: try await world.succeed(id, result: [:])
        default: break
        }
    }

    /// The deployment's bounds hold wherever a rule may be given.
    @Test func aRetryRuleBeyondTheSettingsIsRefused() async throws {
        try await APIWorld.with { world in
            let id = try #require((await world.create()).json["id"]?.stringValue)
            let (url, good, bad) = (
                #""url":"https://a.example/""#,
                #""retry":{"statuses":[404],"attempts":100,"for_seconds":604800}"#,
                #""retry":{"statuses":[404],"attempts":101,"for_seconds":604801}"#
            )
            for (rule, status) in [(good, 200), (bad, 422)] {
                let replies = [
                    await world.send("POST", "/v1/downloads", "{\(url),\(rule)}"),
                    await patch(world, "/v1/downloads/\(id)", "{\(rule)}"),
                    await world.send("PUT", "/v1/sessions/s", "{\(rule)}"),
                ]
                for reply in replies {
                    #expect(reply.status / 100 == status / 100)
                    guard status == 422 else { continue }
                    let pointers = reply.json["errors"]?.arrayValue?.compactMap {
                        $0["pointer"]?.stringValue
                    }
                    #expect(pointers == ["#/retry/attempts", "#/retry/for_seconds"])
                }
            }
        }
    }

    @Test(arguments: [DownloadState.failed, .canceled, .waiting, .suspended])
    func everyMemberOfARepairMayChangeUnlessItSucceeded(_ state: DownloadState) async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let id = try #require(made.json["id"]?.stringValue)
            try await end(state, id, world)
            for (name, value, shown) in Self.members {
                let reply = await patch(world, "/v1/downloads/\(id)", "{\"\(name)\":\(value)}")
                #expect(reply.status == 200, "\(name): \(reply.text)")
                #expect(reply.json["state"]?.stringValue == state.rawValue)
                #expect(reply.json[name] == shown, "\(name)")
            }
            let found = await world.send("GET", "/v1/downloads/\(id)")
            for (name, _, shown) in Self.members { #expect(found.json[name] == shown, "\(name)") }
        }
    }

    @Test func noMemberOfARepairMayChangeOnceItSucceeded() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let id = try #require(made.json["id"]?.stringValue)
            try await end(.succeeded, id, world)
            for (name, value, _) in Self.members {
                await patch(world, "/v1/downloads/\(id)", "{\"\(name)\":\(value)}")
                    .expectProblem("invalid-state-transition", status: 409)
            }
        }
    }

    @Test(arguments: [DownloadState.failed, .canceled])
    func theRetryUsesWhatARepairChangedAndTheTerminalEventStays(
        _ state: DownloadState
    ) async throws {
        try await APIWorld.with { world in
            let made = await world.create(#""headers":{"A":"1"}"#)
            let id = try #require(made.json["id"]?.stringValue)
            let path = "/v1/downloads/\(id)"
            try await end(state, id, world)
            let before = await world.send("GET", path + "/events").json["data"]
            // Every erased secret has to be given again.
            await patch(world, path, #"{"authorization":null}"#)
                .expectProblem("validation-failed", status: 422)
            let reply = await patch(
                world, path,
                #"{"url":"https://other.example/","headers":{"B":"2"},"max_bytes":9}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(await world.send("GET", path + "/events").json["data"] == before)
            #expect(reply.json["completed_at"]?.isNull == false)
            let again = await patch(world, path, #"{"headers":{"C":"3"}}"#)
            #expect(again.json["headers"] == ["B": "redacted", "C": "redacted"])
            let retried = await world.send("POST", path + "/retry")
            #expect(retried.status == 200, "\(retried.text)")
            #expect(retried.json["state"] == "waiting" && retried.json["max_bytes"] == 9)
            #expect(retried.json["url"] == "https://other.example/")
            let name = try #require(Identifier(id, kind: .download))
            let sealed = try #require(
                await world.dependencies.store.downloads.secrets(of: name))
            let associatedData = RequestSecrets.associatedData(of: name, app: 1)
            let opened = try #require(APIWorld.box.open(sealed, for: associatedData))
            let secrets = BoundSecrets(plain: opened, of: "https://other.example/")
            let kept = secrets?.kept(for: "https://other.example/")
            #expect(kept?.headers.map(\.name) == ["B", "C"])
            let rows = try await world.pool.query(
                "SELECT kept_until IS NULL FROM download_secrets")
            #expect(try rows.map { try $0.get(0, as: Bool.self) } == [true])
        }
    }

    @Test func secretsThatNoRetryUsesAreErased() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let id = try #require(made.json["id"]?.stringValue)
            let path = "/v1/downloads/\(id)"
            try await end(.canceled, id, world)
            _ = await patch(world, path, #"{"headers":{"B":"2"}}"#)
            let downloads = world.dependencies.store.downloads
            #expect(try await downloads.eraseOrphanedSecrets() == 0)
            #expect(try await downloads.eraseUnusedSecrets() == 0)
            _ = try await world.pool.query(
                "UPDATE download_secrets SET kept_until = now() - interval '1 s'")
            await world.send("POST", path + "/retry").expectProblem("secrets-erased", status: 409)
            #expect(try await downloads.eraseUnusedSecrets() == 1)
            _ = await patch(world, path, #"{"headers":{"B":"2"}}"#)
            #expect(await world.send("DELETE", path).status == 204)
            let left = try await world.pool.query("SELECT count(*) FROM download_secrets")
            #expect(try left[0].get(0, as: Int64.self) == 0)
        }
    }

    @Test func nullTakesTheSessionsValue() async throws {
        try await APIWorld.with { world in
            _ = await world.send(
                "PUT", "/v1/sessions/s",
                #"{"timeout_interval_for_request":5,"webhook_url":"https://hooks.example/s"}"#)
            let made = await world.create(
                #""session":"s","timeout_interval_for_request":9,"webhook_url":"https://h.example""#
            )
            let path = try #require(made["Location"])
            let reply = await patch(
                world, path, #"{"timeout_interval_for_request":null,"webhook_url":null}"#)
            #expect(reply.json["timeout_interval_for_request"] == 5)
            #expect(reply.json["webhook_url"] == "https://hooks.example/s")
            await patch(world, path, #"{"webhook_url":"http://127.0.0.1/"}"#)
                .expectProblem("destination-not-allowed", status: 422)
        }
    }

    @Test func aNewURLForgetsTheBackoffButNotThePauseOfItsOrigin() async throws {
        let cases: [(url: String, codes: [String])] = [
            // An equal URL, a URL of this origin, and one of another origin.
            ("https://mirror.example/a.iso", ["retry_backoff", "origin_pushback"]),
            ("https://mirror.example/b.iso", ["origin_pushback"]),
            ("https://other.example/a.iso", []),
        ]
        for (url, codes) in cases {
            try await APIWorld.with { world in
                let made = await world.create()
                let path = try #require(made["Location"])
                _ = try await world.pool.query(
                    """
                    UPDATE queue SET attempt = 3, attempts_without_progress = 5,
                        run_at = now() + interval '1 hour'
                    """)
                _ = try await world.pool.query(
                    """
                    UPDATE gates g SET not_before = now() + interval '2 hours' FROM origins o
                    WHERE g.kind = lull_gate('origin') AND g.key = o.origin_key
                        AND o.origin = 'https://mirror.example:443'
                    """)
                let reply = await patch(world, path, "{\"url\":\"\(url)\"}")
                let found = reply.json["blockers"]?.arrayValue?.compactMap {
                    $0["code"]?.stringValue
                }
                let kinds = ["retry_backoff", "origin_pushback"]
                #expect(found?.filter(kinds.contains) == codes, "\(url): \(reply.text)")
                let rows = try await world.pool.query(
                    "SELECT attempts_without_progress FROM queue")
                let isSame = codes.count == 2
                #expect(try rows[0].get(0, as: Int32.self) == (isSame ? 5 : 0))
            }
        }
    }
}
