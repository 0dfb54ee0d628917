// Content of other replicas: requested from them, and sent to them.
import Base
import Crypto
import Foundation
import HTTPWire
import Platform
import Postgres
import Store
import Synchronization
import Testing

@testable import API

@Suite struct PeerContentTests {
    private static let other = Identifier(high: 5, low: 5)
    private static let digest = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"

    /// A service whose download has succeeded on another replica, which is reachable or not.
    private func withContent(
        address: String? = "10.0.0.9:8080", isAlive: Bool = true,
        _ body: (APIWorld, Identifier, String) async throws -> Void
    ) async throws {
        try await APIWorld.with { world in
            let created = await world.create()
            let text = try #require(created.json["id"]?.stringValue)
            try await world.succeed(
                text,
                result: [
                    "content": [
                        "length": 10, "sha256": .string(Self.digest), "length_verified": true,
                    ]
                ])
            let id = try #require(Identifier(text, kind: .download))
            _ = try await world.pool.query(
                """
                INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
                VALUES (($1::text)::uuid, ($2::text)::uuid, 7, 10, now() + interval '1 day',
                    now())
                """, [id.hexadecimal, Self.other.hexadecimal])
            _ = try await world.pool.query(
                """
                INSERT INTO replicas (instance, node, address, expires_at)
                VALUES (($1::text)::uuid, 'n', $2, now() + $3 * interval '1 minute')
                """, [Self.other.hexadecimal, address, isAlive ? 1 : -1])
            try await body(world, id, "/v1/downloads/\(text)/content")
        }
    }

    /// The bytes of a streamed body.
    private func read(_ reply: Reply) async throws -> String {
        guard case .stream(let stream) = reply.response.body else { return "no stream" }
        let bytes = Mutex<[UInt8]>([])
        await stream.produce(
            BodyWriter { part in
                bytes.withLock { $0 += part }
                return true
            })
        return bytes.withLock { String(decoding: $0, as: UTF8.self) }
    }

    private func answer(_ text: String) -> PeerAnswer {
        .body(
            BodyStream(length: Int64(text.utf8.count)) {
                _ = await $0.write(Array(text.utf8))
            })
    }

    @Test func contentOfAnotherReplicaIsPassedOn() async throws {
        try await withContent { world, id, path in
            world.told.change { $0.peer = answer("0123456789") }
            let whole = await world.send("GET", path)
            #expect(whole.status == 200 && whole.response.body.length == 10)
            #expect(try await read(whole) == "0123456789")
            #expect(whole["ETag"] == "\"sha256-\(Self.digest)\"")
            let asked = try #require(world.told.now.asked.first)
            #expect(asked.address == "10.0.0.9:8080" && asked.instance == Self.other)
            #expect(asked.download == id && asked.fence == 7 && asked.length == 10)
            #expect(asked.range == 0...9)
            world.told.change { $0.peer = answer("456") }
            let part = await world.send("GET", path, headers: [("Range", "bytes=4-6")])
            #expect(part.status == 206 && part["Content-Range"] == "bytes 4-6/10")
            #expect(try await read(part) == "456")
            #expect(world.told.now.asked.last?.range == 4...6)
            // A refusal that follows from the row needs no request to the other replica.
            let count = world.told.now.asked.count
            let tag = ("If-None-Match", "\"sha256-\(Self.digest)\"")
            #expect(await world.send("GET", path, headers: [tag]).status == 304)
            #expect(await world.send("GET", path, headers: [("Range", "bytes=10-")]).status == 416)
            #expect(world.told.now.asked.count == count)
            // HEAD asks the other replica whether the file is there, without any byte of it.
            let head = await world.send("HEAD", path)
            #expect(head.status == 200 && head.response.body.length == 10)
            #expect(world.told.now.asked.last?.range == nil)
        }
    }

    @Test func contentOfAnAbsentReplicaIsAwaited() async throws {
        for (address, isAlive) in [("10.0.0.9:8080", false), (nil, true)] {
            try await withContent(address: address, isAlive: isAlive) { world, _, path in
                let reply = await world.send("GET", path)
                reply.expectProblem("content-unavailable", status: 503)
                #expect(reply["Retry-After"] != nil)
                #expect(world.told.now.asked.isEmpty)
            }
        }
        for answer in [PeerAnswer.unavailable("nobody"), .unproven("status 410")] {
            try await withContent { world, _, path in
                world.told.change { $0.peer = answer }
                for method in ["HEAD", "GET"] {
                    let reply = await world.send(method, path)
                    reply.expectProblem("content-unavailable", status: 503)
                    #expect(reply["Retry-After"] != nil)
                }
                #expect(world.told.now.reports.count == 2)
                // The content is not lost: the next answer counts.
                world.told.change { $0.peer = self.answer("0123456789") }
                #expect(await world.send("GET", path).status == 200)
            }
        }
    }

    @Test func contentThatItsReplicaDoesNotFindIsNotLostByItsAnswer() async throws {
        try await withContent { world, id, path in
            world.told.change { $0.peer = .missing }
            for _ in 0..<3 {
                let reply = await world.send("GET", path)
                reply.expectProblem("content-unavailable", status: 503)
                #expect(reply["Retry-After"] != nil)
            }
            world.told.change { $0.peer = answer("0123456789") }
            #expect(await world.send("GET", path).status == 200)
            let contents = Downloads(pool: world.pool, changes: ChangeHub()).contents
            let isLost = try await contents.markLost(id, instance: Self.other)
            #expect(isLost)
            world.told.change { $0.peer = .missing }
            await world.send("GET", path).expectProblem("content-lost", status: 410)
            let retried = await world.send("POST", "/v1/downloads/\(id.text(.download))/retry")
            #expect(retried.status == 200 && retried.json["state"] == "waiting")
        }
    }

    private static let file = "0123456789"

    /// A service with a file, and the path at which replicas ask for it.
    private func withFile(
        _ body: (APIWorld, String) async throws -> Void
    ) async throws {
        let place = FileManager.default.temporaryDirectory.appending(
            path: "lull-peer-\(UUID().uuidString)")
        try Data(Self.file.utf8).write(to: place)
        let handle = try FileHandle(forReadingFrom: place)
        try FileManager.default.removeItem(at: place)
        let world = try APIWorld.alone()
        world.told.change {
            $0.content = .open(
                FileRegion(
                    descriptor: handle.fileDescriptor, offset: 0, length: 10,
                    close: { withExtendedLifetime(handle) {} }))
        }
        let id = world.dependencies.makeIdentifier(.epoch)
        try await body(
            world,
            "/internal/content/\(id.text(.download))/7/\(APIWorld.instance.hexadecimal)/any")
    }

    private static func now() -> Timestamp {
        Timestamp(microseconds: SystemClock.wallMicroseconds())
    }

    /// The signature of a request at present.
    private func signed(
        _ path: String, _ nonce: String = String(repeating: "a", count: 32)
    ) -> (PeerQuestion, (String, String)) {
        let question = PeerQuestion(path: path, nonce: nonce)
        return (
            question,
            (
                "Authorization",
                PeerKeys(APIWorld.box).authorization("GET", question, at: Self.now())
            )
        )
    }

    @Test func replicasGetFilesOfThisDirectoryWithTheirProof() async throws {
        try await withFile { world, path in
            let keys = PeerKeys(APIWorld.box)
            for (range, bytes) in [
                (0...9, "0123456789"), (2...5, "2345"), (9...9, "9"), (nil, ""), (5...10, ""),
                (10...10, ""),
            ] as [(ClosedRange<Int64>?, String)] {
                let end = range.map { "/\($0.lowerBound)-\($0.upperBound)" } ?? "/none"
                let (question, field) = signed(path + end)
                let reply = await world.send("GET", path + end, headers: [field])
                #expect(reply.status == 200 && reply[PeerProof.lengthField] == "10")
                let proof = try #require(
                    keys.proof(
                        reply[PeerProof.field], of: question, status: 200, length: 10))
                // The proof of one answer does not hold for another status, length, path or nonce.
                for (status, length, other) in [
                    (410, 10, question), (200, 11, question),
                    (200, 10, PeerQuestion(path: path + end + "0", nonce: question.nonce)),
                    (200, 10, PeerKeys.question(question.path)),
                ] {
                    let wrong = keys.proof(
                        reply[PeerProof.field], of: other, status: status, length: Int64(length))
                    #expect(wrong == nil)
                }
                guard !bytes.isEmpty, let range else {
                    #expect(reply.response.body.length == 0)
                    continue
                }
                #expect(reply.response.body.length == Int64(bytes.utf8.count) + 32)
                var blocks = ProvenBlocks(proof, range)
                guard case .stream(let stream) = reply.response.body else {
                    Issue.record("no stream")
                    continue
                }
                let sent = Mutex<[UInt8]>([])
                await stream.produce(
                    BodyWriter { part in
                        sent.withLock { $0 += part }
                        return true
                    })
                #expect(blocks.take(sent.withLock(\.self)) == Array(bytes.utf8))
                #expect(blocks.isWhole)
            }
            // A file that is not here is not looked for elsewhere, and the refusal is proved as
            // well.
            world.told.change { $0.content = .missing }
            let (question, field) = signed(path + "/0-9")
            let absent = await world.send("GET", path + "/0-9", headers: [field])
            absent.expectProblem("content-unavailable", status: 503)
            #expect(world.told.now.missed.count == 1)
            let proof = absent[PeerProof.field]
            #expect(keys.proof(proof, of: question, status: 503, length: nil) != nil)
            #expect(keys.proof(proof, of: question, status: 200, length: nil) == nil)
            #expect(world.told.now.asked.isEmpty)
            let elsewhere = path.dropLast(36) + String(repeating: "0", count: 32) + "/any/none"
            let misled = await world.send(
                "GET", String(elsewhere), headers: [signed(String(elsewhere)).1])
            misled.expectProblem("content-unavailable", status: 503)
            #expect(misled[PeerProof.field] == nil)
            for range in ["", "0", "-", "5-4", "-1-4", "0-9-", "all", "0-99999999999999999999"] {
                let path = path + "/" + range
                let reply = await world.send("GET", path, headers: [signed(path).1])
                #expect(reply.status == 404, "\(range)")
            }
        }
    }

    @Test func onlySignedRequestsOfThisMinuteGetFiles() async throws {
        try await withFile { world, base in
            let path = base + "/0-9"
            let keys = PeerKeys(APIWorld.box)
            let others = PeerKeys(SecretBox(keys: [Array(repeating: 8, count: 32)]))
            let now = Self.now()
            let question = PeerQuestion(path: path, nonce: String(repeating: "a", count: 32))
            func wrong(_ path: String) -> PeerQuestion {
                PeerQuestion(path: path, nonce: question.nonce)
            }
            let good = keys.authorization("GET", question, at: now)
            let seconds = good.split(separator: " ")[1].split(separator: ":")[0]
            let nonce = question.nonce
            let refused: [String?] = [
                nil, "", "Bearer lull_x", "Lull-Replica", "Lull-Replica ", "Lull-Replica :",
                "Lull-Replica ::", "Lull-Replica \(seconds):", "Lull-Replica \(seconds):\(nonce):",
                "Lull-Replica \(seconds):\(nonce):00", "Lull-Replica \(seconds):\(good.suffix(64))",
                "Lull-Replica \(seconds)::\(good.suffix(64))",
                "Lull-Replica \(seconds):\(nonce.dropLast())b:\(good.suffix(64))",
                "Lull-Replica \(Int64.min):\(nonce):\(good.suffix(64))",
                "Lull-Replica \(Int64.max):\(nonce):\(good.suffix(64))", good + "00",
                others.authorization("GET", question, at: now),
                keys.authorization("HEAD", question, at: now),
                keys.authorization("GET", wrong(base + "/0-1"), at: now),
                keys.authorization("GET", wrong(base + "/none"), at: now),
                keys.authorization("GET", question, at: now + .seconds(70)),
                keys.authorization("GET", question, at: now + .seconds(-70)),
            ]
            for field in refused {
                let reply = await world.send(
                    "GET", path, headers: field.map { [("Authorization", $0)] } ?? [])
                reply.expectProblem("unauthorized", status: 401)
            }
            #expect(
                await world.send("GET", path, headers: [("Authorization", good)]).status == 200)
            let early = keys.authorization("GET", question, at: now + .seconds(-30))
            #expect(
                await world.send("GET", path, headers: [("Authorization", early)]).status == 200)
            // During a rotation the older key is accepted, and the answer to it is proved with it.
            let both = PeerKeys(
                SecretBox(keys: [
                    Array(repeating: 8, count: 32), Array(repeating: 7, count: 32),
                ]))
            var fields = HeaderFields()
            fields.append("Authorization", good)
            let request = Request(
                method: "GET", path: path, query: nil, headers: fields, body: [], authority: "a",
                peer: "")
            let admission = try #require(both.admit(request, at: now))
            let proof = admission.proof(status: 200, length: 10).headText
            #expect(keys.proof(proof, of: question, status: 200, length: 10) != nil)
            #expect(both.proof(proof, of: question, status: 200, length: 10) != nil)
            #expect(others.proof(proof, of: question, status: 200, length: 10) == nil)
            #expect(others.admit(request, at: now) == nil)
        }
    }
}
