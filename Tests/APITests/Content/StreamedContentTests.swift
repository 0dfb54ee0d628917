// Content of a place without files is sent as it is read, by the rules of files.
import Base
import HTTPWire
import Synchronization
import Testing

@testable import API

@Suite struct StreamedContentTests {
    /// SHA-256 of `0123456789`.
    private static let digest = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
    private static let result: JSONObject = [
        "content": ["length": 10, "sha256": .string(digest), "length_verified": true]
    ]

    /// A service with one download that has succeeded, and the path of its content.
    private func withContent(
        _ members: String = "", _ body: (APIWorld, String) async throws -> Void
    ) async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/a", #"{"kind":"ephemeral"}"#)
            let id = try #require(await world.create(members).json["id"]?.stringValue)
            try await world.succeed(id, result: Self.result)
            world.told.change { $0.pieces = [Array("0123".utf8), Array("456789".utf8)] }
            try await body(world, "/v1/downloads/\(id)/content")
        }
    }

    /// The bytes that the server would send; a client may go away after some pieces.
    private func read(_ reply: Reply, pieces: Int = .max) async throws -> String {
        guard case .stream(let stream) = reply.response.body else {
            Issue.record("no stream")
            return ""
        }
        let sent = Mutex<(bytes: [UInt8], pieces: Int)>(([], 0))
        await stream.produce(
            BodyWriter { piece in
                sent.withLock { sent in
                    guard sent.pieces < pieces else { return false }
                    sent.bytes += piece
                    sent.pieces += 1
                    return true
                }
            })
        return String(decoding: sent.withLock(\.bytes), as: UTF8.self)
    }

    private static let reads: [(range: String?, status: Int, bytes: String, field: String?)] = [
        (nil, 200, "0123456789", nil), ("bytes=2-5", 206, "2345", "bytes 2-5/10"),
        ("bytes=-1", 206, "9", "bytes 9-9/10"), ("bytes=0-", 206, "0123456789", "bytes 0-9/10"),
    ]

    @Test(arguments: reads.indices)
    func rangesAreReadFromThePlace(_ index: Int) async throws {
        let (range, status, bytes, field) = Self.reads[index]
        try await withContent { world, path in
            let reply = await world.send("GET", path, headers: range.map { [("Range", $0)] } ?? [])
            #expect(reply.status == status && reply["Content-Range"] == field)
            #expect(reply.response.body.length == Int64(bytes.utf8.count))
            #expect(reply["ETag"] == "\"sha256-\(Self.digest)\"")
            let sent = try await read(reply)
            #expect(sent == bytes)
        }
    }

    @Test func headSendsTheLengthAndNoByte() async throws {
        try await withContent { world, path in
            let reply = await world.send("HEAD", path)
            #expect(reply.status == 200 && reply.response.body.length == 10)
            let sent = try await read(reply)
            #expect(sent == "")
        }
    }

    @Test func contentOfAnotherLengthThanItsRowIsUnavailable() async throws {
        try await withContent { world, path in
            world.told.change { $0.pieces = [Array("012".utf8)] }
            let reply = await world.send("GET", path)
            reply.expectProblem("content-unavailable", status: 503)
            #expect(world.told.now.missed.count == 1)
        }
    }

    @Test(arguments: [(pieces: 1, isGone: false), (pieces: 2, isGone: true)])
    func contentOfAnEphemeralSessionGoesWithItsFirstWholeRead(
        _ read: (pieces: Int, isGone: Bool)
    ) async throws {
        try await withContent(#""session":"a""#) { world, path in
            _ = try await self.read(await world.send("GET", path), pieces: read.pieces)
            #expect(await world.send("GET", path).status == (read.isGone ? 410 : 200))
            #expect(world.told.now.removed.count == (read.isGone ? 1 : 0))
        }
    }

    /// Each replica reads such a place itself, so none passes its content on.
    @Test func otherReplicasGetNoStream() async throws {
        let world = try APIWorld.alone()
        world.told.change { $0.pieces = [[1]] }
        let id = world.dependencies.makeIdentifier(.epoch).text(.download)
        let path = "/internal/content/\(id)/7/\(APIWorld.instance.hexadecimal)/any/0-0"
        let question = PeerQuestion(path: path, nonce: String(repeating: "a", count: 32))
        let signature = PeerKeys(APIWorld.box).authorization(
            "GET", question, at: world.dependencies.now())
        let reply = await world.send("GET", path, headers: [("Authorization", signature)])
        reply.expectProblem("content-unavailable", status: 503)
    }
}
