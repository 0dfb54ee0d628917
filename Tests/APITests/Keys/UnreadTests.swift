// A key without the right to read learns nothing from replays, refusals, tags and counts either.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct UnreadTests {
    private static let writer = [("Authorization", "Bearer w")]
    private static let both = [("Authorization", "Bearer b")]

    private func with(
        _ body: (_ open: APIWorld, _ gated: APIWorld) async throws -> Void
    )
        async throws
    {
        try await APIWorld.with { world in
            let keys = APIKeys(pool: world.pool)
            for (name, scopes) in [("w", [.writeDownloads]), ("b", KeyScope.standard)]
                as [(String, Set<KeyScope>)]
            {
                _ = try await keys.create(
                    app: "default", digest: SHA256.digest(of: name), scopes: scopes)
            }
            var gated = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            try await body(world, gated)
        }
    }

    private static let body = #"{"url":"https://a.example/","metadata":{"owner":"someone"}}"#

    /// The answer is stored once; each key sees the members that it may read.
    @Test func aStoredAnswerIsShownByTheScopesOfTheKeyThatAsks() async throws {
        try await with { _, gated in
            for (first, then) in [(Self.writer, Self.both), (Self.both, Self.writer)] {
                for path in ["/v1/downloads", "/v1/downloads/batch"] {
                    let once = [("Idempotency-Key", String(first[0].1.suffix(1)) + path)]
                    let text =
                        path.hasSuffix("batch") ? "{\"downloads\":[\(Self.body)]}" : Self.body
                    let made = await gated.send("POST", path, text, headers: first + once)
                    let again = await gated.send("POST", path, text, headers: then + once)
                    #expect(again["Idempotent-Replayed"] == "true")
                    for (reply, headers) in [(made, first), (again, then)] {
                        #expect(reply.status == 201)
                        let isWriter = headers[0].1 == Self.writer[0].1
                        #expect(reply.text.contains("someone") == !isWriter)
                        #expect(reply.text.contains("dl_"))
                    }
                }
            }
        }
    }

    /// A count for a filter would tell properties of the downloads.
    @Test(arguments: ["", "?dry_run=true"])
    func aBulkActionTellsNothing(_ query: String) async throws {
        try await with { open, gated in
            _ = await open.send("POST", "/v1/downloads", Self.body)
            for owner in ["someone", "nobody"] {
                let reply = await gated.send(
                    "POST", "/v1/downloads/bulk" + query,
                    #"{"action":"resume","filter":{"metadata":{"owner":"\#(owner)"}}}"#,
                    headers: Self.writer)
                #expect(reply.status == 200 && reply.json == [:])
            }
        }
    }

    @Test func aRefusalTellsNoTagAndNoValueOfTheDownload() async throws {
        try await with { open, gated in
            let made = await open.create(
                #""earliest_begin_date":"2098-07-06T05:04:03Z","expected_digest":null"#)
            let path = try #require(made["Location"])
            let other = [("If-Match", "W/\"77-0\"")]
            let refused = await gated.send(
                "POST", path + "/suspend", headers: Self.writer + other)
            refused.expectProblem("precondition-failed", status: 412)
            #expect(!refused.text.contains("ETag"))
            let patch = #"{"complete_by":"2097-01-01T00:00:00Z"}"#
            for (headers, isQuoted) in [(Self.both, true), (Self.writer, false)] {
                let reply = await gated.send("PATCH", path, patch, headers: headers)
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers == ["#/complete_by"])
                #expect(reply.text.contains("2098-07-06") == isQuoted)
            }
        }
    }

    /// The tag in its answers can be used in a condition.
    @Test func theTagThatIsLeftNamesTheSequence() async throws {
        try await with { open, gated in
            let made = await gated.send(
                "POST", "/v1/downloads", Self.body, headers: Self.writer)
            let (path, tag) = try (#require(made["Location"]), #require(made["ETag"]))
            let id = try #require(made.json["id"]?.stringValue)
            try await open.run(id, bytes: 1234)
            let stale = await gated.send(
                "POST", path + "/suspend", headers: Self.writer + [("If-Match", tag)])
            #expect(stale.status == 412)
            let canceled = await gated.send("POST", path + "/cancel", headers: Self.writer)
            #expect(canceled.json == ["id": .string(id), "state": "canceling"])
            #expect(canceled["ETag"] == "W/\"2-0\"")
        }
    }
}
