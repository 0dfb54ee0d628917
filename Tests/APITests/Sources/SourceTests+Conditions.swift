// The conditions of looks: which validators are sent, when they are forgotten, and what is kept.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@testable import API

extension SourceTests {
    private static let url = "https://mirror.example/list.csv"
    private static let digest = String(repeating: "a", count: 64)

    /// The running or last look's download.
    private func download(_ world: APIWorld) async throws -> Download {
        let looks = await world.send("GET", Self.path + "/looks")
        let text = try #require(looks.json["data"]?[0]?["download"]?.stringValue, "\(looks.text)")
        let id = try #require(Identifier(text, kind: .download))
        let found = try await world.dependencies.store.downloads.find([id], app: 1)
        return try #require(found[id]?.download)
    }

    /// Lets the next look begin, and returns its condition.
    private func nextCondition(_ world: APIWorld) async throws -> ChangeCondition? {
        #expect(await world.send("POST", Self.path + "/look").status == 202)
        #expect(try await turn(world) == 1)
        return try await download(world).spec.condition
    }

    @Test(
        arguments: [
            ("", true, true), (#""template":{"method":"GET"}"#, true, true),
            (#""template":{"method":"POST"}"#, false, true),
            (#""template":{"headers":{"If-None-Match":"\"x\""}}"#, false, true),
            (#""template":{"headers":{"if-match":"\"x\""}}"#, false, true),
            (#""template":{"headers":{"Accept":"text/csv"}}"#, true, true),
            (#""template":{"on_duplicate_url":"join"}"#, false, false),
        ] as [(String, Bool, Bool)])
    func validatorsAreSentOnlyWithTheRequestThatTheyAreFor(
        _ members: String, _ hasValidators: Bool, _ hasDigest: Bool
    ) async throws {
        try await APIWorld.with { world in
            let made = await world.send("PUT", Self.path, Self.document(members))
            #expect(made.status == 201, "\(made.text)")
            #expect(try await turn(world) == 1)
            #expect(try await download(world).spec.condition == nil)
            #expect(try await succeed(world, sha256: "a", url: Self.url) == .changed)
            let condition = try await nextCondition(world)
            #expect(condition?.etag == (hasValidators ? "\"a\"" : nil))
            #expect(condition?.digest == (hasDigest ? Self.digest : nil))
        }
    }

    @Test(
        arguments: [
            (#"{"url":"https://mirror.example/other.csv"}"#, true, true),
            (#"{"template":{"headers":{"Accept":"text/csv"}}}"#, true, false),
            (#"{"overlap":"queue_one"}"#, false, false),
        ] as [(String, Bool, Bool)])
    func anotherRequestForgetsTheValidatorsAndAnotherURLTheRunningLook(
        _ patch: String, _ isForgotten: Bool, _ isCanceled: Bool
    ) async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            #expect(try await turn(world) == 1)
            #expect(try await succeed(world, sha256: "a", url: Self.url) == .changed)
            #expect(try await nextCondition(world)?.etag == "\"a\"")
            // A look runs while the source is changed.
            let changed = await world.send("PATCH", Self.path, patch, headers: Self.type)
            #expect(changed.status == 200, "\(changed.text)")
            let outcome = try await succeed(world, sha256: "b", etag: "\"b\"", url: Self.url)
            #expect(outcome == (isCanceled ? .canceled : .changed))
            let looks = await world.send("GET", Self.path + "/looks")
            #expect(looks.json["data"]?[0]?["reason"] == (isCanceled ? "url_changed" : .null))
            let known = await world.send("GET", Self.path)
            #expect(known.json["latest"]?["version"] == (isCanceled ? 1 : 2))
            // The new URL gets a look of its own, without being asked for.
            #expect(try await turn(world) == (isCanceled ? 1 : 0))
            if !isCanceled { _ = try await nextCondition(world) }
            let condition = try await download(world).spec.condition
            #expect(condition?.etag == (isForgotten ? nil : "\"b\""))
            #expect(condition?.digest != nil)
        }
    }

    @Test func theDownloadsOfUnchangedLooksAreDeletedAfterAWeekAndNoOthers() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            for digest in ["a", "a", "b"] as [Character] {
                #expect(try await turn(world) == 1)
                _ = try await succeed(world, sha256: digest, url: Self.url)
                _ = await world.send("POST", Self.path + "/look")
            }
            let sources = world.dependencies.store.downloads.sources
            let now = try #require(try await sources.find(app: 1, identifier: "list")).readAt
            let early = try await sources.forgetLooks(
                limit: 10, until: now + .seconds(6 * 86_400))
            #expect(early == 0)
            let late = try await sources.forgetLooks(
                limit: 10, until: now + .seconds(8 * 86_400))
            #expect(late == 3)
            let left = await world.send("GET", "/v1/downloads?source=list")
            let digests = left.json["data"]?.arrayValue?.map {
                $0["content"]?["sha256"]?.stringValue?.first
            }
            #expect(digests == ["b", "a"])
            #expect(await world.send("GET", Self.path + "/looks").json["data"] == [])
        }
    }

    @Test func anUnchangedLookThatEndsLastEndsItsSession() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/a", "{}")
            _ = await world.send("PUT", Self.path, Self.document(#""template":{"session":"a"}"#))
            #expect(try await turn(world) == 1)
            #expect(try await succeed(world, sha256: "a", url: Self.url) == .changed)
            _ = try await world.pool.query("DELETE FROM session_news")
            _ = try await nextCondition(world)
            let finished = await world.send("DELETE", "/v1/sessions/a?mode=finish")
            #expect(finished.status == 202 || finished.status == 200, "\(finished.text)")
            _ = try await world.pool.query("DELETE FROM session_news")
            #expect(try await succeed(world, sha256: "a", url: Self.url) == .unchangedDigest)
            let news: Int = try await world.pool.query(
                "SELECT count(*) FROM session_news WHERE kind = lull_session_news('ended')")[0]
                .only()
            #expect(news == 1)
        }
    }
}
