// Uploads through the API: announced, shown, listed, changed, acted on, and told of.
import Base
import Crypto
import Downloads
import Store
import Testing

@testable import API

@Suite struct UploadTests {
    private static let places = "cold=s3://bucket/pre?endpoint=http://127.0.0.1:9,media=/srv/media"

    private static let zeros = String(repeating: "0", count: 64)

    private static func with(_ test: (APIWorld) async throws -> Void) async throws {
        try await APIWorld.with { world in
            var world = world
            var dependencies = world.dependencies
            dependencies.settings.folders = try AllowedPlaces.parse(places)
            let router = Router(dependencies)
            world.handler = { router.answer($0) }
            try await test(world)
        }
    }

    private static func body(_ members: String = "", length: Int = 9) -> String {
        #"{"destination":{"url":"https://files.example/in/a?sig=s1gned"},"length":\#(length)"#
            + members + "}"
    }

    private static func announce(_ world: APIWorld, _ members: String = "") async throws -> String {
        let reply = await world.send("POST", "/v1/uploads", body(members))
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(reply.json["id"]?.stringValue)
    }

    private static func uploads(_ world: APIWorld) -> Uploads {
        Uploads(world.dependencies.store.downloads)
    }

    private static func stage(_ world: APIWorld, _ text: String) async throws {
        let id = try #require(Identifier(text, kind: .upload))
        let outcome = try await uploads(world).stage(
            StagedFile(
                id: id, instance: APIWorld.instance, sha256: String(repeating: "ab", count: 32)))
        #expect(outcome == .staged)
    }

    @Test func anUploadIsAnnouncedAndSaysWhatItWaitsFor() async throws {
        try await Self.with { world in
            let reply = await world.send(
                "POST", "/v1/uploads",
                #"{"destination":{"name":"cold","path":"a.tar"},"length":9,"priority":0.9}"#)
            #expect(reply.status == 201, "\(reply.text)")
            let id = try #require(reply.json["id"]?.stringValue)
            #expect(id.hasPrefix("up_") && reply["Location"] == "/v1/uploads/" + id)
            let read = await world.send("GET", "/v1/uploads/" + id)
            for json in [reply.json, read.json] {
                #expect(json["state"] == "receiving" && json["length"] == 9)
                #expect(json["blockers"]?.arrayValue?.count == 1)
                let blocker = json["blockers"]?.arrayValue?.first
                #expect(blocker?["code"] == "awaiting_content")
                #expect(blocker?["detail"]?.stringValue?.contains("0 of 9 bytes") == true)
                let end = try #require(json["content"]?["expires_at"]?.stringValue)
                #expect(
                    json["content"] == [
                        "href": .string("/v1/uploads/\(id)/content"), "length": 9,
                        "state": "receiving", "sha256": .null, "expires_at": .string(end),
                    ])
                let made = try #require(json["created_at"]?.stringValue)
                let kept = try #require(json["content_retention"]?.integerValue)
                #expect(
                    try #require(Timestamp(rfc3339: end))
                        == #require(Timestamp(rfc3339: made)) + .seconds(kept))
                #expect(json["destination"]?["path"] == "a.tar" && json["url"] == nil)
            }
            let explained = await world.send("GET", "/v1/uploads/\(id)/explain")
            #expect(explained.status == 200, "\(explained.text)")
        }
    }

    @Test func aReceiverIsShownWithoutItsSignature() async throws {
        try await Self.with { world in
            let id = try await Self.announce(world)
            let read = await world.send("GET", "/v1/uploads/" + id)
            #expect(read.json["destination"]?["url"] == "https://files.example/in/a")
            #expect(!read.text.contains("s1gned"))
            let list = await world.send("GET", "/v1/uploads")
            #expect(list.text.contains(id) && !list.text.contains("s1gned"))
        }
    }

    @Test(arguments: [
        (#"{"length":9}"#, ["#/destination"]),
        (#"{"destination":{"url":"https://a.example/"}}"#, ["#/length"]),
        (#"{"destination":{"url":"https://a.example/"},"length":-1}"#, ["#/length"]),
        (#"{"destination":{"url":"https://a.example/"},"length":"9"}"#, ["#/length"]),
        (#"{"destination":{"url":"https://a.example/"},"length":9007199254740993}"#, ["#/length"]),
        (
            #"{"destination":{"url":"https://a.example/"},"length":9,"from":{"download":"dl_x"}}"#,
            ["#/length"]
        ),
        (#"{"destination":{"url":"https://a.example/"},"from":{"download":"dl_x"}}"#, ["#/from"]),
        (#"{"destination":{"name":"media"},"length":9}"#, ["#/destination"]),
        (#"{"destination":{"name":"warm"},"length":9}"#, ["#/destination/name"]),
        (
            #"{"destination":{"url":"https://a.example/","keep_content":true},"length":9}"#,
            ["#/destination"]
        ),
        (#"{"destination":{"name":"cold","keep":false},"length":9}"#, ["#/destination"]),
        (#"{"destination":{"url":"https://a.example/"},"length":9,"url":"https://b/"}"#, ["#/url"]),
        (#"{"destination":{"url":"https://a.example/"},"length":9,"urls":[]}"#, ["#/urls"]),
        (#"{"destination":{"url":"https://a.example/"},"length":9,"segments":2}"#, ["#/segments"]),
        (#"{"destination":{"url":"https://a.example/"},"length":9,"headers":{}}"#, ["#/headers"]),
        (
            #"{"destination":{"url":"https://a.example/"},"length":9,"begin_hook":{"url":"x"}}"#,
            ["#/begin_hook"]
        ),
        (#"{"destination":{"url":"https://a.example/"},"length":9,"typo":1}"#, ["#/typo"]),
        (#"{"destination":{"url":"ftp://a.example/"},"length":9}"#, ["#/destination/url"]),
        (#"{"destination":{"url":"http://127.0.0.1/"},"length":9}"#, []),
    ])
    func aBadUploadIsRefusedAtItsPlace(_ body: String, _ pointers: [String]) async throws {
        try await Self.with { world in
            let reply = await world.send("POST", "/v1/uploads", body)
            #expect(reply.status == 422, "\(reply.text)")
            if !pointers.isEmpty { #expect(reply.pointers == pointers, "\(reply.text)") }
            let list = await world.send("GET", "/v1/uploads")
            #expect(list.json["data"] == [])
        }
    }

    @Test func anIdentifierOpensTheResourceOfItsKindAlone() async throws {
        try await Self.with { world in
            let up = try await Self.announce(world)
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://files.example/a","suspended":true}"#)
            let down = try #require(made.json["id"]?.stringValue)
            for path in [
                "/v1/downloads/" + up, "/v1/uploads/" + down,
                "/v1/downloads/" + up.replacing("up_", with: "dl_"),
                "/v1/uploads/" + down.replacing("dl_", with: "up_"),
            ] {
                for method in ["GET", "DELETE"] {
                    let reply = await world.send(method, path)
                    #expect(reply.status == 404, "\(method) \(path): \(reply.text)")
                }
            }
            let ups = await world.send("GET", "/v1/uploads")
            let downs = await world.send("GET", "/v1/downloads")
            #expect(ups.text.contains(up) && !ups.text.contains(down))
            #expect(downs.text.contains(down) && !downs.text.contains(up))
            let receiving = await world.send("GET", "/v1/uploads?state=receiving")
            #expect(receiving.text.contains(up))
            let waiting = await world.send("GET", "/v1/uploads?state=waiting")
            #expect(waiting.json["data"] == [])
        }
    }

    @Test func actionsLeadToTheirStatesBeforeAndAfterTheBytes() async throws {
        try await Self.with { world in
            let id = try await Self.announce(world)
            func act(_ action: String) async -> Reply {
                await world.send("POST", "/v1/uploads/\(id)/\(action)")
            }
            #expect(await act("suspend").json["state"] == "suspended")
            #expect(await act("resume").json["state"] == "receiving")
            #expect(await act("retry").status == 409)
            #expect(await world.send("DELETE", "/v1/uploads/" + id).status == 409)
            try await Self.stage(world, id)
            let staged = await world.send("GET", "/v1/uploads/" + id)
            #expect(staged.json["state"] == "waiting", "\(staged.text)")
            #expect(staged.json["content"]?["state"] == "staged")
            #expect(staged.json["count_of_bytes_received"] == 9)
            #expect(await act("suspend").json["state"] == "suspended")
            #expect(await act("resume").json["state"] == "waiting")
            let canceled = await act("cancel")
            #expect(canceled.json["state"] == "canceled")
            #expect(canceled.json["content"]?["state"] == "gone")
            #expect(await world.send("DELETE", "/v1/uploads/" + id).status == 204)
            #expect(await world.send("GET", "/v1/uploads/" + id).status == 404)
        }
    }

    @Test func eventsHaveTheirOwnNamesAndAreFilteredByThem() async throws {
        try await Self.with { world in
            let id = try await Self.announce(world)
            try await Self.stage(world, id)
            _ = await world.send("POST", "/v1/uploads/\(id)/cancel")
            func types(_ path: String) async -> [String] {
                let reply = await world.send("GET", path)
                return reply.json["data"]?.arrayValue?.compactMap { $0["type"]?.stringValue } ?? []
            }
            // Events of an app appear once all older transactions of the server have ended.
            func expect(
                _ wanted: [String], at path: String, _ place: SourceLocation = #_sourceLocation
            ) async throws {
                for _ in 0..<200 {
                    if await types(path) == wanted { return }
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(await types(path) == wanted, "\(path)", sourceLocation: place)
            }
            let all = ["upload.created", "upload.staged", "upload.canceled"]
            #expect(await types("/v1/uploads/\(id)/events") == all)
            try await expect(all, at: "/v1/events")
            try await expect(all, at: "/v1/events?types=upload.*")
            try await expect(["upload.staged"], at: "/v1/events?types=upload.staged")
            try await expect([], at: "/v1/events?types=download.*")
            let page = await world.send("GET", "/v1/events")
            let first = page.json["data"]?.arrayValue?.first?["data"]
            #expect(first?["id"] == .string(id) && first?["state"] == "receiving", "\(page.text)")
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://files.example/a","suspended":true}"#)
            #expect(made.status == 201)
            try await expect(["download.created"], at: "/v1/events?types=download.*")
            try await expect(all, at: "/v1/events?types=upload.*")
        }
    }

    @Test func aKeyThatMayNotReadUploadsLearnsNothingOfThem() async throws {
        try await Self.with { world in
            let keys = APIKeys(pool: world.pool)
            let sets: [String: Set<KeyScope>] = [
                "reader": [.readDownloads], "writer": [.writeUploads],
                "both": [.readDownloads, .readUploads],
            ]
            for (name, scopes) in sets {
                _ = try await keys.create(
                    app: "default", digest: SHA256.digest(of: name), scopes: scopes)
            }
            var gated = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            let id = try await Self.announce(world)
            func get(_ name: String, _ path: String) async -> Reply {
                await gated.send("GET", path, headers: [("Authorization", "Bearer " + name)])
            }
            #expect(await get("reader", "/v1/events").json["data"] == [])
            #expect(await get("reader", "/v1/uploads").status == 403)
            #expect(await get("reader", "/v1/uploads/\(id)").status == 403)
            #expect(await get("both", "/v1/uploads/\(id)").status == 200)
            let made = await gated.send(
                "POST", "/v1/uploads", Self.body(),
                headers: [("Authorization", "Bearer writer")])
            #expect(made.status == 201)
            #expect(Set(made.json.objectValue?.members.map(\.key) ?? []) == ["id", "state"])
        }
    }

    @Test func anExternalIdNamesOneUpload() async throws {
        try await Self.with { world in
            let id = try await Self.announce(world, #","external_id":"e""#)
            let again = await world.send("POST", "/v1/uploads", Self.body(#","external_id":"e""#))
            #expect(again.status == 200 && again.json["id"] == .string(id))
            for other in [
                Self.body(#","external_id":"e""#, length: 8),
                Self.body(
                    #","external_id":"e","expected_digest":"sha256:\#(Self.zeros)""#
                ),
            ] {
                let reply = await world.send("POST", "/v1/uploads", other)
                #expect(reply.status == 409, "\(reply.text)")
            }
            let download = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"https://files.example/in/a","external_id":"e","suspended":true}"#)
            #expect(download.status == 409, "\(download.text)")
        }
    }

    @Test func theBytesOfAnAppAreLimitedUntilUploadsEnd() async throws {
        try await Self.with { world in
            _ = try await APIKeys(pool: world.pool).limit(
                app: "default", AppLimitChange(to: AppLimits(stagedBytes: 20)))
            let keys = APIKeys(pool: world.pool)
            _ = try await keys.create(
                app: "default", digest: SHA256.digest(of: "k"), scopes: KeyScope.standard)
            var gated = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            func announce() async -> Reply {
                await gated.send(
                    "POST", "/v1/uploads", Self.body(), headers: [("Authorization", "Bearer k")])
            }
            let first = await announce()
            #expect(first.status == 201, "\(first.text)")
            #expect(await announce().status == 201)
            let refused = await announce()
            #expect(
                refused.status == 429 && refused.text.contains("staged_bytes"), "\(refused.text)")
            let id = try #require(first.json["id"]?.stringValue)
            _ = await world.send("POST", "/v1/uploads/\(id)/cancel")
            #expect(await announce().status == 201)
            // The canceled one does not come back while there is no room for it.
            let retried = await world.send("POST", "/v1/uploads/\(id)/retry")
            #expect(retried.status == 429, "\(retried.text)")
            let bulk = await world.send(
                "POST", "/v1/uploads/bulk", #"{"action":"retry","filter":{"state":["canceled"]}}"#)
            #expect(bulk.json["over_quota"] == 1, "\(bulk.text)")
        }
    }

    /// The limit is exact for creates at once, of which each has an external id, a key or neither.
    @Test func createsAtOnceKeepToTheLimitTogether() async throws {
        try await Self.with { world in
            _ = try await APIKeys(pool: world.pool).limit(
                app: "default", AppLimitChange(to: AppLimits(stagedBytes: 40)))
            let statuses = await withTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let name = number % 3 == 0 ? #","external_id":"e\#(number)""# : ""
                        let key = [("Idempotency-Key", "k\(number)")]
                        return await world.send(
                            "POST", "/v1/uploads", Self.body(name),
                            headers: number % 3 == 1 ? key : []
                        ).status
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 4, "\(statuses)")
            #expect(statuses.count { $0 == 429 } == 36, "\(statuses)")
            #expect(try await Self.uploads(world).announcedBytes(of: 1) == 36)
        }
    }

    @Test(arguments: [
        (
            #"{"priority":0.9,"metadata":{"a":"b"},"earliest_begin_date":"2031-01-01T00:00:00Z"}"#,
            nil
        ),
        (#"{"destination":{"url":"https://other.example/in"}}"#, nil),
        (#"{"destination":{"name":"cold","path":"x"}}"#, nil),
        (#"{"destination":null}"#, "#/destination"),
        (#"{"destination":{"name":"media","path":"x"}}"#, "#/destination"),
        (#"{"url":"https://other.example/in"}"#, "#/url"),
        (#"{"headers":{"A":"b"}}"#, "#/headers"),
        (#"{"max_bytes":5}"#, "#/max_bytes"),
        (#"{"length":5}"#, "#/length"),
    ])
    func aPatchChangesTheMembersOfUploadsAlone(_ patch: String, _ pointer: String?) async throws {
        try await Self.with { world in
            let id = try await Self.announce(world)
            let reply = await world.send("PATCH", "/v1/uploads/" + id, patch)
            guard let pointer else {
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply.json["state"] == "receiving")
                try await Self.stage(world, id)
                let staged = await world.send("GET", "/v1/uploads/" + id)
                #expect(staged.json["state"] == "waiting", "\(staged.text)")
                return
            }
            #expect(reply.status == 422 && reply.pointers == [pointer], "\(reply.text)")
        }
    }

    @Test func bulkActionsAndAttachKnowBothKinds() async throws {
        try await Self.with { world in
            let up = try await Self.announce(world)
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://files.example/a","suspended":true}"#)
            let down = try #require(made.json["id"]?.stringValue)
            let attached = await world.send("POST", "/v1/sessions/default/attach")
            #expect(attached.text.contains(up) && attached.text.contains(down), "\(attached.text)")
            let bulk = await world.send(
                "POST", "/v1/uploads/bulk", #"{"action":"cancel","filter":{"session":"default"}}"#)
            #expect(bulk.json["changed"] == 1, "\(bulk.text)")
            #expect(await world.send("GET", "/v1/uploads/" + up).json["state"] == "canceled")
            let other = await world.send("GET", "/v1/downloads/" + down)
            #expect(other.json["state"] == "suspended")
        }
    }
}
