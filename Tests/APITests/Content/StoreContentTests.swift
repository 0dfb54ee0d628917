// Content in an object store: an address for the client, or the bytes through the service.
import Base
import HTTPWire
import Postgres
import Testing

@testable import API

@Suite struct StoreContentTests {
    /// SHA-256 of `0123456789`.
    private static let digest = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
    private static let store = Identifier(high: 3, low: 4)
    private static let url = "https://s3.example/bucket/a.bin?X-Amz-Signature=1"
    private static let result: JSONObject = [
        "content": [
            "length": 10, "sha256": .string(digest), "length_verified": true,
            "location": "store", "object_tag": "\"abc\"",
            "destination": ["name": "cold", "path": "2026/a.bin"],
        ]
    ]

    /// A service with a download whose content is in a store, and the path of the content.
    private func withContent(
        _ members: String = "", address: ObjectAccess.Address = .url(url),
        _ body: (APIWorld, String) async throws -> Void
    ) async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/a", #"{"kind":"ephemeral"}"#)
            let id = try #require(await world.create(members).json["id"]?.stringValue)
            try await world.succeed(id, result: Self.result)
            let name = try #require(Identifier(id, kind: .download)).hexadecimal
            _ = try await world.pool.query(
                """
                INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
                VALUES (($1::text)::uuid, ($2::text)::uuid, 7, 10, 'infinity', 'infinity')
                """, [name, Self.store.hexadecimal])
            world.told.change {
                $0.address = address
                $0.pieces = [Array("0123456789".utf8)]
            }
            try await body(world, "/v1/downloads/\(id)/content")
        }
    }

    @Test(arguments: [nil, "bytes=2-5"])
    func aReaderIsSentToTheStore(_ range: String?) async throws {
        try await withContent { world, path in
            let reply = await world.send("GET", path, headers: range.map { [("Range", $0)] } ?? [])
            #expect(reply.status == 307 && reply["Location"] == Self.url)
            #expect(reply["ETag"] == "\"sha256-\(Self.digest)\"")
            #expect(reply["Repr-Digest"]?.hasPrefix("sha-256=:") == true)
            #expect(reply["Cache-Control"] == "no-store" && reply.response.body.length == 0)
            let asked = try #require(world.told.now.objects.first)
            #expect(
                asked.store == Self.store && asked.path == "2026/a.bin" && asked.tag == "\"abc\"")
            #expect(asked.disposition.hasPrefix("attachment"))
        }
    }

    @Test func theDownloadTellsWhereItsContentLies() async throws {
        try await withContent { world, path in
            let reply = await world.send("GET", String(path.dropLast("/content".count)))
            let content = reply.json["content"]
            #expect(content?["location"] == "store" && content?["state"] == "held")
            #expect(content?["object_tag"] == nil)
        }
    }

    private static let passed:
        [(query: String, headers: [(String, String)], status: Int, length: Int64)] = [
            ("?via=lull", [], 200, 10),
            ("?via=lull", [("Range", "bytes=2-5")], 206, 4),
            ("", [("Range", "bytes=2-5"), ("If-Range", "\"sha256-\(digest)\"")], 206, 4),
            ("", [("Range", "bytes=2-5"), ("If-Range", "\"other\"")], 200, 10),
        ]

    @Test(arguments: passed.indices)
    func bytesComeThroughTheServiceWhereTheyHaveTo(_ index: Int) async throws {
        let (query, headers, status, length) = Self.passed[index]
        try await withContent { world, path in
            let reply = await world.send("GET", path + query, headers: headers)
            #expect(reply.status == status && reply.response.body.length == length)
            #expect(reply["Location"] == nil && reply["Content-Disposition"] != nil)
        }
    }

    @Test func contentOfAnEphemeralSessionComesThroughTheService() async throws {
        try await withContent(#""session":"a""#) { world, path in
            #expect(await world.send("GET", path).status == 200)
        }
    }

    private static let judged: [(method: String, headers: [(String, String)], status: Int)] = [
        ("HEAD", [], 200), ("GET", [("If-None-Match", "\"sha256-\(digest)\"")], 304),
        ("GET", [("If-Match", "\"other\"")], 412),
        ("GET", [("Range", "bytes=10-")], 416), ("GET", [], 307),
    ]

    @Test(arguments: judged.indices)
    func conditionsAreJudgedWithoutTheStore(_ index: Int) async throws {
        let (method, headers, status) = Self.judged[index]
        try await withContent { world, path in
            let reply = await world.send(method, path, headers: headers)
            #expect(reply.status == status)
            #expect(world.told.now.objects.isEmpty == (status != 307))
        }
    }

    @Test func anotherWayThanViaLullIsRefused() async throws {
        try await withContent { world, path in
            let reply = await world.send("GET", path + "?via=store")
            reply.expectProblem("validation-failed", status: 422)
        }
    }

    @Test(arguments: [ObjectAccess.Address.unknownStore, .failed("no credentials")])
    func aStoreThatCannotBeUsedMakesContentUnavailable(
        _ address: ObjectAccess.Address
    ) async throws {
        try await withContent(address: address) { world, path in
            let reply = await world.send("GET", path)
            reply.expectProblem("content-unavailable", status: 503)
            #expect(reply["Retry-After"] != nil)
            #expect(world.told.now.missed.isEmpty, "no replica has to look for it")
        }
    }

    @Test func anObjectOfSomebodyElseIsNotServed() async throws {
        try await withContent { world, path in
            world.told.change { $0.hasChangedInStore = true }
            let reply = await world.send("GET", path + "?via=lull")
            reply.expectProblem("content-changed", status: 410)
        }
        try await withContent { world, path in
            world.told.change { $0.pieces = [[1]] }
            let reply = await world.send("GET", path + "?via=lull")
            reply.expectProblem("content-changed", status: 410)
        }
    }

    @Test func missingObjectsAreUnavailableAndNotLost() async throws {
        try await withContent { world, path in
            world.told.change { ($0.pieces, $0.content) = (nil, .missing) }
            let reply = await world.send("GET", path + "?via=lull")
            reply.expectProblem("content-unavailable", status: 503)
        }
    }
}
