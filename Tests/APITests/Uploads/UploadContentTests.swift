// The bytes of uploads through the API, over files in memory.
import Base
import Crypto
import Downloads
import Foundation
import HTTPWire
import Seeds
import Store
import Synchronization
import Testing

@testable import API

@Suite struct UploadContentTests {
    /// The file of one upload.
    private final class Memory: UploadBytes, UploadChunk {
        let bytes = Mutex<[UInt8]>([])
        let syncs = Mutex(0)

        func length() async throws(UploadRefusal) -> Int64 { Int64(bytes.withLock { $0.count }) }

        func append(_ more: [UInt8]) async throws(UploadRefusal) {
            bytes.withLock { $0 += more }
        }

        func restart(length: Int64) async throws(UploadRefusal) { bytes.withLock { $0 = [] } }

        func sync() async throws(UploadRefusal) { syncs.withLock { $0 += 1 } }

        func digest(_ algorithm: DigestAlgorithm) async throws(UploadRefusal) -> String {
            let all = bytes.withLock { $0 }
            let kind: RunningDigest.Algorithm =
                switch algorithm {
                case .sha1: .sha1
                case .sha512: .sha512
                default: .sha256
                }
            let digest = RunningDigest(kind)
            unsafe all.withUnsafeBytes { unsafe digest.update($0) }
            return Hex.encode(digest.finished())
        }

        func beginChunk() async throws(UploadRefusal) -> any UploadChunk { Memory() }

        func append(_ chunk: any UploadChunk) async throws(UploadRefusal) {
            guard let other = chunk as? Memory else { return }
            let more = other.bytes.withLock { $0 }
            bytes.withLock { $0 += more }
        }

        func discard() async { bytes.withLock { $0 = [] } }
    }

    /// Content that a test gives out piece by piece.
    private final class Pieces: Sendable {
        private let state = Mutex<(pieces: [IncomingBody.Piece], waiter: Waiter?)>(([], nil))
        typealias Waiter = CheckedContinuation<IncomingBody.Piece, Never>

        func body(_ length: Int64?) -> IncomingBody {
            IncomingBody(length: length) {
                await withCheckedContinuation { waiter in
                    let piece = self.state.withLock { state -> IncomingBody.Piece? in
                        guard let first = state.pieces.first else {
                            state.waiter = waiter
                            return nil
                        }
                        if case .bytes = first { state.pieces.removeFirst() }
                        return first
                    }
                    if let piece { waiter.resume(returning: piece) }
                }
            } stop: {
                self.give(.broken($0))
            }
        }

        func give(_ piece: IncomingBody.Piece) {
            let waiter = state.withLock { state -> Waiter? in
                defer { state.waiter = nil }
                let keeps = if case .bytes = piece { state.waiter == nil } else { true }
                if keeps { state.pieces.append(piece) }
                return state.waiter
            }
            waiter?.resume(returning: piece)
        }
    }

    private struct Upload: Sendable {
        let world: APIWorld
        let text: String
        let file: Memory

        /// Sends a request about the bytes.
        func send(
            _ method: String, _ content: String = "", _ headers: [(String, String)] = [],
            isChunked: Bool = false
        ) async -> Reply {
            guard !content.isEmpty else { return await send(method, body: nil, headers) }
            let pieces = Pieces()
            for byte in content.utf8 { pieces.give(.bytes([byte])) }
            pieces.give(.end)
            let length = isChunked ? nil : Int64(content.utf8.count)
            return await send(method, body: pieces.body(length), headers)
        }

        func send(
            _ method: String, body: IncomingBody?, _ headers: [(String, String)] = []
        ) async -> Reply {
            var fields = HeaderFields()
            for (name, value) in headers { fields.append(name, value) }
            let request = Request(
                method: method, path: "/v1/uploads/\(text)/content", headers: fields,
                authority: "lull.example", peer: "p", incoming: body)
            switch world.handler(request) {
            case .now(let response): return Reply(response: response)
            case .later(let work): return Reply(response: await work())
            }
        }

        /// The same upload behind a service with keys, one of which has these scopes.
        func behindKeys(_ key: String, _ scopes: Set<KeyScope>) async throws -> Upload {
            let keys = APIKeys(pool: world.pool)
            _ = try await keys.create(
                app: "default", digest: SHA256.digest(of: key), scopes: scopes)
            var gated = world
            var dependencies = world.dependencies
            dependencies.uploads.open = { _, _ in .success(file) }
            let authenticator = KeyAuthenticator(dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            return Upload(world: gated, text: text, file: file)
        }

        /// A PATCH with the fields of tus; nil leaves one out.
        func patch(
            _ content: String, at offset: Int, _ more: [(String, String)] = []
        ) async -> Reply {
            await send("PATCH", content, UploadContentTests.fields(offset) + more)
        }
    }

    private static func fields(_ offset: Int) -> [(String, String)] {
        [
            ("Tus-Resumable", "1.0.0"), ("Content-Type", "application/offset+octet-stream"),
            ("Upload-Offset", "\(offset)"),
        ]
    }

    private static let version = [("Tus-Resumable", "1.0.0")]

    private static func with(
        _ members: String = "", length: Int = 9, _ test: (Upload) async throws -> Void
    ) async throws {
        try await APIWorld.with { world in
            var world = world
            var dependencies = world.dependencies
            let file = Memory()
            dependencies.uploads.open = { _, _ in .success(file) }
            let router = Router(dependencies)
            world.handler = { router.answer($0) }
            let made = await world.send(
                "POST", "/v1/uploads",
                #"{"destination":{"url":"https://files.example/in/a"},"length":\#(length)"#
                    + members + "}")
            #expect(made.status == 201, "\(made.text)")
            let text = try #require(made.json["id"]?.stringValue)
            try await test(Upload(world: world, text: text, file: file))
        }
    }

    private static func digest(_ text: String) -> String {
        "sha-256=:\(Base64.encode(SHA256.digest(of: text))):"
    }

    @Test func bytesComeInOrderAndTheLastOnesStageTheFile() async throws {
        try await Self.with { upload in
            let first = await upload.send("HEAD", "", Self.version)
            #expect(first.status == 200 && first["Upload-Offset"] == "0")
            #expect(first["Upload-Length"] == "9" && first["Cache-Control"] == "no-store")
            #expect(first["Upload-Expires"] != nil)
            for (offset, part) in [(0, "abc"), (3, ""), (3, "d"), (4, "efghi")] {
                let reply = await upload.patch(part, at: offset)
                #expect(reply.status == 204, "\(reply.text)")
                #expect(reply["Upload-Offset"] == "\(offset + part.utf8.count)")
                #expect(reply["Tus-Resumable"] == "1.0.0")
            }
            #expect(upload.file.syncs.withLock { $0 } == 4, "each answer is for durable bytes")
            let shown = await upload.world.send("GET", "/v1/uploads/\(upload.text)")
            #expect(shown.json["state"] == "waiting", "\(shown.text)")
            #expect(await upload.send("HEAD", "", Self.version)["Upload-Offset"] == "9")
            #expect(await upload.patch("x", at: 9).status == 409)
        }
    }

    @Test func aKeyThatMayOnlyLookLearnsTheOffsetAndEndsNothing() async throws {
        try await Self.with { upload in
            let reader = try await upload.behindKeys("looks", [.readUploads])
            let key = [("Authorization", "Bearer looks")]
            #expect(await upload.patch("abc", at: 0).status == 204)
            let pieces = Pieces()
            async let slow = upload.send("PATCH", body: pieces.body(2), Self.fields(3))
            pieces.give(.bytes(Array("d".utf8)))
            for _ in 0..<4000 where upload.file.bytes.withLock({ $0.count }) < 4 {
                try await Task.sleep(for: .milliseconds(5))
            }
            let told = await reader.send("HEAD", "", Self.version + key)
            #expect(told.status == 200 && told["Upload-Offset"] == "3")
            #expect(told["Upload-Length"] == "9" && told["Upload-Expires"] != nil)
            #expect(await reader.send("HEAD", "", key).status == 412)
            #expect(await reader.send("OPTIONS", "", key).status == 204)
            for (method, fields) in [
                ("PATCH", Self.fields(3)), ("PUT", []), ("DELETE", Self.version),
            ] {
                let reply = await reader.send(method, "", fields + key)
                #expect(reply.status == 403, "\(method)")
            }
            pieces.give(.bytes(Array("e".utf8)))
            pieces.give(.end)
            #expect(await slow.status == 204)
            #expect(await upload.patch("fghi", at: 5).status == 204)
            #expect(await reader.send("HEAD", "", Self.version + key)["Upload-Offset"] == "9")
            _ = await upload.world.send("POST", "/v1/uploads/\(upload.text)/cancel")
            #expect(await reader.send("HEAD", "", Self.version + key).status == 410)
        }
    }

    @Test func aKeyThatMayOnlyBringBytesIsToldWhereToGoOn() async throws {
        try await Self.with { upload in
            let writer = try await upload.behindKeys("brings", [.writeUploads])
            let key = [("Authorization", "Bearer brings")]
            let options = await writer.send("OPTIONS", "", key)
            #expect(options["Tus-Version"] == "1.0.0" && options["Tus-Max-Size"] != nil)
            #expect(await writer.patch("abc", at: 0, key)["Upload-Offset"] == "3")
            let offset = await writer.send("HEAD", "", Self.version + key)
            #expect(offset.status == 200 && offset["Upload-Offset"] == "3")
            #expect(offset["Upload-Length"] == "9" && offset["Upload-Expires"] != nil)
            #expect(offset["Tus-Resumable"] == "1.0.0" && offset["Cache-Control"] == "no-store")
            let other = await writer.send("HEAD", "", [("Tus-Resumable", "0.2.2")] + key)
            #expect(other.status == 412 && other["Tus-Version"] == "1.0.0")
            let ended = await writer.send("DELETE", "", Self.version + key)
            #expect(ended.status == 204 && ended["Tus-Resumable"] == "1.0.0")
        }
    }

    @Test func tusFieldsThatAreWrongAreRefusedBeforeAByteIsRead() async throws {
        let type = ("Content-Type", "application/offset+octet-stream")
        let (version, offset) = (("Tus-Resumable", "1.0.0"), ("Upload-Offset", "0"))
        let sum = ("Upload-Checksum", "sha1 \(Base64.encode([UInt8](repeating: 0, count: 20)))")
        let rows: [([(String, String)], Int)] = [
            ([type, offset], 412), ([("Tus-Resumable", "1.0"), type, offset], 412),
            ([version, version, type, offset], 412), ([version, offset], 415),
            ([version, ("Content-Type", "text/plain"), offset], 415),
            ([version, type, type, offset], 415), ([version, type], 422),
            ([version, type, offset, offset], 422), ([version, type, offset, sum, sum], 422),
            ([version, type, ("Upload-Offset", "1")], 409),
            ([version, type, ("Upload-Offset", "999999999999999999")], 409),
            ([version, type, offset, sum], 460),
        ]
        let offsets = ["", "-1", "+0", "0x0", "1e1", " 0", "00 ", "1000000000000000000", "a"]
        let sums = [
            "", "sha1", "sha1 ", "sha1 AAAA", "md5 AAAA", "sha1  AAAA", "SHA1 AAAA", "sha1 *",
        ]
        try await Self.with { upload in
            for (fields, status) in rows
                + offsets.map({ ([version, type, ("Upload-Offset", $0)], 422) })
                + sums.map({ ([version, type, offset, ("Upload-Checksum", $0)], 422) })
            {
                let reply = await upload.send("PATCH", "abc", fields)
                #expect(reply.status == status, "\(fields): \(reply.text)")
                #expect(reply["Tus-Resumable"] == "1.0.0")
                if status == 412 { #expect(reply["Tus-Version"] == "1.0.0") }
            }
            for method in ["HEAD", "DELETE"] {
                #expect(await upload.send(method).status == 412)
            }
            #expect(upload.file.bytes.withLock { $0.isEmpty })
            let options = await upload.send("OPTIONS")
            #expect(options.status == 204 && options["Tus-Version"] == "1.0.0")
            #expect(options["Tus-Extension"] == "checksum,expiration,termination")
            #expect(options["Tus-Checksum-Algorithm"] == "sha1,sha256")
            #expect(options["Tus-Max-Size"] == "\(5 << 40)")
        }
    }

    /// Changes fields as a confused or hostile client has them: one is left out, repeated, made
    /// long, or takes the value of another; characters are changed, added and left out.
    private static func mutate(
        _ fields: inout [(String, String)], _ numbers: inout SplitMix64
    ) {
        func below(_ count: Int) -> Int { Int(numbers.next() % UInt64(count)) }
        let letters = Array("0123456789 \t,;=+-/.aAxX*")
        guard !fields.isEmpty else { return }
        let place = below(fields.count)
        var value = Array(fields[place].1)
        let letter = letters[below(letters.count)]
        switch below(7) {
        case 0: fields.remove(at: place)
        case 1: fields.append(fields[place])
        case 2: fields[place].1 = fields[below(fields.count)].1
        case 3: fields[place].1 += String(repeating: letter, count: 1 << below(12))
        case 4:
            value.insert(letter, at: below(value.count + 1))
            fields[place].1 = String(value)
        case 5 where !value.isEmpty:
            value.remove(at: below(value.count))
            fields[place].1 = String(value)
        case 6 where !value.isEmpty:
            value[below(value.count)] = letter
            fields[place].1 = String(value)
        default: break
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func whateverItsFieldsAreAPatchBringsAllItsBytesToTheirPlaceOrNone(_ seed: UInt64) async throws
    {
        var numbers = SplitMix64(seed: seed)
        try await Self.with(length: 1 << 20) { upload in
            var taken = 0
            for _ in 0..<500 {
                let before = upload.file.bytes.withLock { $0 }
                var fields = Self.fields(before.count)
                if numbers.next() % 2 == 0 {
                    fields.append(("Upload-Checksum", "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0="))
                }
                for _ in 0..<(numbers.next() % 4) { Self.mutate(&fields, &numbers) }
                let reply = await upload.send("PATCH", "abc", fields)
                let after = upload.file.bytes.withLock { $0 }
                guard reply.status == 204 else {
                    #expect([409, 412, 415, 422, 460].contains(reply.status), "\(fields)")
                    #expect(after == before, "\(fields)")
                    continue
                }
                taken += 1
                #expect(after == before + Array("abc".utf8), "\(fields)")
                #expect(reply["Upload-Offset"] == "\(after.count)", "\(fields)")
                let offsets = fields.filter { $0.0 == "Upload-Offset" }
                #expect(offsets.map { Int($0.1) } == [before.count], "\(fields)")
                let offset = await upload.send("HEAD", "", Self.version)["Upload-Offset"]
                #expect(offset == "\(after.count)", "\(fields)")
            }
            #expect((100...450).contains(taken), "\(taken)")
        }
    }

    @Test(arguments: ["sha1", "sha256"])
    func aChunkCountsWithItsChecksumOnly(_ name: String) async throws {
        try await Self.with { upload in
            let chunk = Memory()
            try await chunk.append(Array("abc".utf8))
            let algorithm: DigestAlgorithm = name == "sha1" ? .sha1 : .sha256
            let digits = try await chunk.digest(algorithm)
            let sum = "\(name) \(Base64.encode(Hex.decode(digits) ?? []))"
            let lie = await upload.patch("abd", at: 0, [("Upload-Checksum", sum)])
            #expect(lie.status == 460 && upload.file.bytes.withLock { $0.isEmpty })
            let reply = await upload.patch("abc", at: 0, [("Upload-Checksum", sum)])
            #expect(reply.status == 204 && reply["Upload-Offset"] == "3")
        }
    }

    @Test func moreBytesThanTheLengthAreRefused() async throws {
        try await Self.with(length: 3) { upload in
            #expect(await upload.patch("abcd", at: 0).status == 413)
            let chunked = await upload.send("PATCH", "abcd", Self.fields(0), isChunked: true)
            #expect(chunked.status == 413)
            for isChunked in [false, true] {
                for content in ["ab", "abcd"] {
                    let reply = await upload.send("PUT", content, isChunked: isChunked)
                    let isOver = isChunked && content.utf8.count > 3
                    #expect(reply.status == (isOver ? 413 : 422), "\(reply.text)")
                    #expect(reply.text.contains("3"))
                }
            }
            #expect(await upload.send("PUT", "abc", isChunked: true).status == 204)
        }
    }

    @Test func aRepeatedPUTGetsTheFirstAnswerForTheSameBytesOnly() async throws {
        try await Self.with(length: 3) { upload in
            let right = ("Repr-Digest", Self.digest("abc"))
            let first = await upload.send("PUT", "abc", [right])
            #expect(first.status == 204 && first["Repr-Digest"] == right.1, "\(first.text)")
            let again = await upload.send("PUT", "abc", [right])
            #expect(again.status == 204 && again["Repr-Digest"] == right.1)
            #expect(await upload.send("PUT", "abc").status == 409)
            let other = ("Repr-Digest", Self.digest("abd"))
            #expect(await upload.send("PUT", "abd", [other]).status == 409)
        }
    }

    @Test func aWrongDigestRemovesTheBytes() async throws {
        let wrong = "sha256:" + String(repeating: "0", count: 64)
        try await Self.with(#","expected_digest":"\#(wrong)""#, length: 3) { upload in
            for reply in [await upload.send("PUT", "abc"), await upload.patch("abc", at: 0)] {
                #expect(reply.status == 422 && reply.json["code"] == "digest-mismatch")
                #expect(upload.file.bytes.withLock { $0.isEmpty })
            }
        }
        try await Self.with(length: 3) { upload in
            for field in ["sha-256=abc", "sha-256=:AAAA:", "sha-512=::", "sha-256=:*:"] {
                #expect(await upload.send("PUT", "abc", [("Repr-Digest", field)]).status == 422)
            }
            let other = ("Repr-Digest", "md5=:AAAA:, \(Self.digest("abd"))")
            #expect(await upload.send("PUT", "abc", [other]).status == 422)
            #expect(upload.file.bytes.withLock { $0.isEmpty })
            let right = ("Repr-Digest", "md5=:AAAA:, \(Self.digest("abc"));q=1")
            #expect(await upload.send("PUT", "abc", [right]).status == 204)
        }
    }

    @Test func aNewerRequestEndsOneThatHangs() async throws {
        try await Self.with { upload in
            let hanging = Pieces()
            hanging.give(.bytes(Array("abc".utf8)))
            async let older = upload.send("PATCH", body: hanging.body(9), Self.fields(0))
            for _ in 0..<4000 where upload.file.bytes.withLock({ $0.count }) < 3 {
                try await Task.sleep(for: .milliseconds(5))
            }
            let head = await upload.send("HEAD", "", Self.version)
            #expect(head["Upload-Offset"] == "3")
            #expect(await older.status == 409)
            #expect(await upload.patch("defghi", at: 3).status == 204)
            #expect(upload.file.bytes.withLock { $0 } == Array("abcdefghi".utf8))
        }
    }

    @Test func anEmptyFileIsStagedByAnEmptyRequest() async throws {
        try await Self.with(length: 0) { upload in
            #expect(await upload.send("PUT").status == 204)
        }
        try await Self.with(length: 0) { upload in
            #expect(await upload.patch("", at: 0).status == 204)
        }
    }

    @Test func suspendedUploadsTakeBytesAndEndedOnesDoNot() async throws {
        try await Self.with { upload in
            let path = "/v1/uploads/\(upload.text)"
            #expect(await upload.world.send("POST", path + "/suspend").status == 200)
            #expect(await upload.patch("abc", at: 0).status == 204)
            #expect(await upload.world.send("POST", path + "/cancel").status == 200)
            for reply in [
                await upload.patch("d", at: 3), await upload.send("PUT", "abcdefghi"),
                await upload.send("HEAD", "", Self.version),
            ] { #expect(reply.status == 410) }
        }
        try await Self.with { upload in
            #expect(await upload.send("DELETE", "", Self.version).status == 204)
            #expect(await upload.send("HEAD", "", Self.version).status == 404)
            #expect(await upload.patch("abc", at: 0).status == 404)
        }
    }
}
