// Content: conditions, ranges, media types and header fields.
import Base
import Foundation
import HTTPWire
import Postgres
import Scheduling
import Testing

@testable import API

@Suite struct ContentTests {
    /// SHA-256 of `0123456789`.
    private static let digest = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
    private static let result: JSONObject = [
        "response": [
            "mime_type": "text/html", "suggested_filename": "Zürich.html",
            "last_modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        ],
        "content": ["length": 10, "sha256": .string(digest), "length_verified": true],
    ]
    private static let tag = "\"sha256-\(digest)\""

    /// A service with one download that has succeeded, and the path of its content.
    private func withContent(_ body: (APIWorld, String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "lull-content-\(UUID().uuidString)")
        try Data("0123456789".utf8).write(to: file)
        let handle = try FileHandle(forReadingFrom: file)
        try FileManager.default.removeItem(at: file)
        try await APIWorld.with { world in
            let created = await world.create()
            let id = try #require(created.json["id"]?.stringValue)
            try await world.succeed(id, result: ContentTests.result)
            world.told.change {
                $0.content = .open(
                    FileRegion(
                        descriptor: handle.fileDescriptor, offset: 0, length: 10,
                        close: { withExtendedLifetime(handle) {} }))
            }
            try await body(world, "/v1/downloads/\(id)/content")
        }
    }

    /// The bytes that the server would send.
    private func read(_ reply: Reply) throws -> String {
        let region = try #require(reply.file)
        let handle = FileHandle(fileDescriptor: region.descriptor, closeOnDealloc: false)
        try handle.seek(toOffset: UInt64(region.offset))
        return String(
            decoding: try handle.read(upToCount: Int(region.length)) ?? Data(), as: UTF8.self)
    }

    /// Whether a session is ephemeral, the request, and whether its content is gone after it.
    private static let reads: [(kind: String, method: String, range: String?, isGone: Bool)] = [
        ("ephemeral", "GET", nil, true), ("ephemeral", "GET", "bytes=0-8", false),
        ("ephemeral", "HEAD", nil, false), ("background", "GET", nil, false),
    ]

    @Test(arguments: reads)
    func contentOfAnEphemeralSessionGoesWithItsFirstWholeRead(
        _ kind: String, _ method: String, _ range: String?, _ isGone: Bool
    ) async throws {
        try await withContent { world, path in
            _ = await world.send("PUT", "/v1/sessions/a", #"{"kind":"\#(kind)"}"#)
            let created = await world.create(#""session":"a""#)
            let id = try #require(created.json["id"]?.stringValue)
            try await world.succeed(id, result: ContentTests.result)
            let path = "/v1/downloads/\(id)/content"
            let headers = range.map { [("Range", $0)] } ?? []
            let reply = await world.send(method, path, headers: headers)
            #expect(reply.status == (range == nil ? 200 : 206))
            // The server calls this when all of the file is sent.
            if method == "GET" { try #require(reply.file).sent() }
            for _ in 0..<12_000 {
                if !isGone || !world.told.now.removed.isEmpty { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            let later = await world.send("GET", path)
            #expect(later.status == (isGone ? 410 : 200))
            #expect(world.told.now.removed.count == (isGone ? 1 : 0))
        }
    }

    @Test func getContentSendsTheWholeFile() async throws {
        try await withContent { world, path in
            let reply = await world.send("GET", path)
            #expect(reply.status == 200)
            let bytes = try read(reply)
            #expect(bytes == "0123456789")
            #expect(reply["ETag"] == ContentTests.tag)
            #expect(reply["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(reply["Accept-Ranges"] == "bytes")
            #expect(
                reply["Repr-Digest"] == "sha-256=:hNiYd/DUBB77a/kaFvAkjy/Vc+avBcGflr7bn4gveII=:")
            #expect(reply["Content-Type"] == "text/html")
            #expect(
                reply["Content-Disposition"]
                    == "attachment; filename=\"Z_rich.html\"; filename*=UTF-8''Z%C3%BCrich.html")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            #expect(reply["Content-Security-Policy"] == "sandbox")
            let head = await world.send("HEAD", path, headers: [("Range", "bytes=0-1")])
            #expect(head.status == 200 && head.response.body.length == 10)
        }
    }

    @Test func getContentSendsOneRange() async throws {
        try await withContent { world, path in
            for (range, field, text) in [
                ("bytes=0-0", "bytes 0-0/10", "0"), ("bytes=4-", "bytes 4-9/10", "456789"),
                ("bytes=-3", "bytes 7-9/10", "789"), ("bytes=8-99", "bytes 8-9/10", "89"),
            ] {
                let reply = await world.send("GET", path, headers: [("Range", range)])
                #expect(reply.status == 206 && reply["Content-Range"] == field)
                let bytes = try read(reply)
                #expect(bytes == text)
                #expect(reply["Repr-Digest"]?.hasPrefix("sha-256=:hNiY") == true)
            }
            for range in ["bytes=0-1,3-4", "bytes=9-8", "lines=1-2"] {
                let reply = await world.send("GET", path, headers: [("Range", range)])
                #expect(reply.status == 200 && reply["Content-Range"] == nil)
            }
            let behind = await world.send("GET", path, headers: [("Range", "bytes=10-")])
            behind.expectProblem("range-not-satisfiable", status: 416)
            #expect(behind["Content-Range"] == "bytes */10")
        }
    }

    @Test func conditions() async throws {
        let old = "Sun, 06 Nov 1994 08:49:37 GMT", older = "Sat, 05 Nov 1994 08:49:37 GMT"
        let range = ("Range", "bytes=0-1")
        let cases: [([(String, String)], Int)] = [
            ([("If-None-Match", ContentTests.tag)], 304), ([("If-None-Match", "*")], 304),
            ([("If-None-Match", "W/\(ContentTests.tag)")], 304),
            ([("If-None-Match", "\"x\"")], 200), ([("If-Modified-Since", old)], 304),
            ([("If-Modified-Since", older)], 200), ([("If-Modified-Since", "yesterday")], 200),
            ([("If-None-Match", "\"x\""), ("If-Modified-Since", old)], 200),
            ([("If-Match", ContentTests.tag)], 200), ([("If-Match", "*")], 200),
            ([("If-Match", "\"x\"")], 412), ([("If-Match", "W/\(ContentTests.tag)")], 412),
            ([("If-Unmodified-Since", old)], 200), ([("If-Unmodified-Since", older)], 412),
            ([range, ("If-Range", ContentTests.tag)], 206), ([range, ("If-Range", old)], 206),
            ([range, ("If-Range", "W/\(ContentTests.tag)")], 200),
            ([range, ("If-Range", "\"x\"")], 200), ([range, ("If-Range", older)], 200),
            ([("Range", "bytes=99-"), ("If-Range", "\"x\"")], 200),
            ([range, ("If-None-Match", ContentTests.tag)], 304),
        ]
        try await withContent { world, path in
            for (headers, status) in cases {
                let reply = await world.send("GET", path, headers: headers)
                #expect(reply.status == status, "\(headers)")
                if status == 304 { #expect(reply["ETag"] == ContentTests.tag) }
                if status == 412 { reply.expectProblem("precondition-failed", status: 412) }
            }
        }
    }

    @Test func contentOfAnUnfinishedDownloadIs409() async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let id = try #require(created.json["id"]?.stringValue)
            let path = "/v1/downloads/\(id)/content"
            let early = await world.send("GET", path)
            early.expectProblem("content-not-ready", status: 409)
            #expect(early.json["state"] == "waiting")
            try await world.succeed(id, result: ContentTests.result)
            await world.send("GET", path).expectProblem("content-expired", status: 410)
            world.told.change { $0.content = .failed("input/output error") }
            await world.send("GET", path).expectProblem("content-unavailable", status: 503)
            #expect(world.told.now.reports == ["input/output error"])
        }
    }

    @Test func aFileOfAnotherLengthIsNotSent() async throws {
        try await withContent { world, path in
            world.told.change {
                $0.content = .open(FileRegion(descriptor: 0, offset: 0, length: 9, close: {}))
            }
            await world.send("GET", path).expectProblem("content-unavailable", status: 503)
            #expect(world.told.now.reports.count == 1)
            #expect(world.told.now.missed.count == 1)
        }
    }

    @Test func invalidMediaTypesBecomeOctetStream() async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let id = try #require(created.json["id"]?.stringValue)
            var result = ContentTests.result
            result["response"] = ["mime_type": "text/html\r\nX: y"]
            try await world.succeed(id, result: result)
            let path = "/v1/downloads/\(id)/content"
            let reply = await world.send(
                "GET", path, headers: [("If-None-Match", ContentTests.tag)])
            #expect(reply["Content-Type"] == "application/octet-stream")
            #expect(reply["Content-Disposition"] == "attachment; filename=\"a.iso\"")
        }
    }

    private func keep(_ world: APIWorld, _ path: String, instance: Identifier) async throws {
        let id = try #require(Identifier(String(path.split(separator: "/")[2]), kind: .download))
        _ = try await world.pool.query(
            """
            INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
            VALUES (($1::text)::uuid, ($2::text)::uuid, 1, 10, now() + interval '1 day', now())
            """, [id.hexadecimal, instance.hexadecimal])
    }

    @Test func releasedContentIs410() async throws {
        try await withContent { world, path in
            try await keep(world, path, instance: APIWorld.instance)
            #expect(await world.send("DELETE", path).status == 204)
            #expect(world.told.now.removed.count == 1)
            await world.send("GET", path).expectProblem("content-expired", status: 410)
            #expect(await world.send("DELETE", path).status == 204)
            let download = await world.send("GET", String(path.dropLast("/content".count)))
            #expect(download.json["state"] == "succeeded")
            #expect(download.json["content"]?["state"] == "released")
        }
    }

    @Test func missingContentIsUnavailableAndNotLostByAnAnswer() async throws {
        try await withContent { world, path in
            try await keep(world, path, instance: Identifier(high: 5, low: 5))
            world.told.change { $0.content = .missing }
            await world.send("GET", path).expectProblem("content-unavailable", status: 503)
        }
        try await withContent { world, path in
            try await keep(world, path, instance: APIWorld.instance)
            world.told.change { $0.content = .missing }
            for _ in 0..<5 {
                let reply = await world.send("GET", path)
                reply.expectProblem("content-unavailable", status: 503)
                #expect(reply["Retry-After"] != nil)
            }
            #expect(world.told.now.missed.count == 5, "the worker judges")
            let download = await world.send("GET", String(path.dropLast("/content".count)))
            #expect(download.json["content"]?["state"] == "held")
        }
    }

    @Test func aFullDiskIsABlocker() async throws {
        try await APIWorld.with { world in
            let disk = DiskReading(free: 1 << 30, total: 1 << 34, reserve: 1 << 29)
            world.told.change { $0.disk = disk }
            let reply = await world.create("\"count_of_bytes_client_expects_to_receive\":999999999")
            let blocker = reply.json["blockers"]?[0]
            #expect(blocker?["code"] == "disk_reserve")
            #expect(blocker?["detail"]?.stringValue?.hasSuffix("463.2 MB are missing") == true)
        }
    }
}
