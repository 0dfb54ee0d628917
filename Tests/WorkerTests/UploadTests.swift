// Files that clients brought, or that are held as content, on their way to a receiver.
import Base
import Content
import Downloads
import Foundation
import Postgres
import Store
import Support
import Testing

@testable import Worker

@Suite struct UploadTests {
    private static let bytes = content(5000)

    /// A replica whose origin serves a file and takes every other request.
    private static func with(
        _ test: @escaping (Replica, OriginServer) async throws -> Void
    ) async throws {
        try await Replica.with(
            { request in
                request.method == "GET" ? Answer.whole(bytes) : OriginStep.answer("201 Created")
            }, sendsFiles: true
        ) { replica, origin in
            try await test(replica, origin)
        }
    }

    private static func sent(_ origin: OriginServer) -> [OriginRequest] {
        origin.requests.filter { $0.method != "GET" }
    }

    /// Announces an upload to the origin's receiver.
    private static func announce(
        _ replica: Replica, _ origin: OriginServer, source: Identifier? = nil
    ) async throws -> Identifier {
        let url = origin.url("/in")
        var new = try replica.draft(
            url, ["destination": ["url": .string(url)], "content_retention": 60])
        let id = WorkerLab.identifier().ofUpload
        var upload = Upload(length: Int64(bytes.count))
        upload.source = source?.hexadecimal
        new.download.id = id
        new.download.spec.upload = upload
        new.download.spec.relay?.keepsContent = false
        new.download.bytesExpectedByClient = upload.length
        new.resume = ResumePoint(stagingAt: replica.lab.store.instance.hexadecimal)
        _ = try await replica.intake.submit(new)
        return id
    }

    /// Brings the bytes of an upload, as the API does.
    private static func stage(_ replica: Replica, _ id: Identifier) async throws {
        let part = try replica.lab.store.create(ContentName(download: id, fence: 0))
        try part.write(bytes, at: 0)
        try part.checkpoint()
        let file = StagedFile(
            id: id, instance: replica.lab.store.instance, sha256: sha256(bytes))
        #expect(try await Uploads(replica.downloads).stage(file) == .staged)
        replica.worker.hint()
    }

    private static func contents(_ replica: Replica) async throws -> Int64 {
        try await replica.pool.query("SELECT count(*) FROM contents")[0].get(0)
    }

    @Test func aStagedFileIsSentOnceAndItsBytesGo() async throws {
        try await Self.with { replica, origin in
            let id = try await Self.announce(replica, origin)
            #expect(Self.sent(origin).isEmpty)
            try await Self.stage(replica, id)
            let record = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).map(\.body) == [Self.bytes])
            #expect(record.download.result.sent?.status == 201)
            #expect(record.download.result.content?.sha256 == sha256(Self.bytes))
            #expect(try await Self.contents(replica) == 0)
            #expect(try replica.lab.files().isEmpty)
        }
    }

    /// A crash after the file got the fence of its attempt, and before that was recorded.
    @Test(arguments: [1, 2, 100] as [Int64])
    func aFileWithTheFenceOfAnEndedAttemptIsSent(_ crashes: Int64) async throws {
        try await Self.with { replica, origin in
            let id = try await Self.announce(replica, origin)
            _ = try await replica.perform(.suspend, id)
            try await Self.stage(replica, id)
            for (away, home) in try replica.lab.takeAway() {
                #expect(home.hasSuffix(".0.part"))
                try FileManager.default.moveItem(
                    atPath: away, toPath: home.dropLast(".0.part".count) + ".1.part")
            }
            _ = try await replica.pool.query(
                "UPDATE queue SET fence = $2 WHERE id = $1", [id, crashes])
            await FileSweep.sweep(replica.worker)
            _ = try await replica.perform(.resume, id)
            _ = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).map(\.body) == [Self.bytes])
            #expect(try replica.lab.files().isEmpty)
        }
    }

    /// Other bytes are never sent: the client is asked, and brings the file again.
    @Test(arguments: [false, true])
    func aFileThatIsDamagedOrGoneAsksTheClient(_ isGone: Bool) async throws {
        try await Self.with { replica, origin in
            let id = try await Self.announce(replica, origin)
            _ = try await replica.perform(.suspend, id)
            try await Self.stage(replica, id)
            for (away, home) in try replica.lab.takeAway() {
                var bytes = try Data(contentsOf: URL(filePath: away))
                bytes[bytes.count / 2] ^= 1
                if !isGone { try bytes.write(to: URL(filePath: home)) }
                try FileManager.default.removeItem(atPath: away)
            }
            _ = try await replica.perform(.resume, id)
            let asked = try await replica.reached(.attentionRequired, id)
            #expect(asked.download.result.error?.code == .contentLost)
            #expect(Self.sent(origin).isEmpty)
            #expect(try await replica.perform(.resume, id) == .receiving)
            let held = try await Uploads(replica.downloads).hold(
                id, in: replica.lab.store.instance)
            #expect(held?.takesBytes == true)
            try await Self.stage(replica, id)
            _ = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).map(\.body) == [Self.bytes])
        }
    }

    @Test func bytesThatDoNotComeInTimeEndTheUpload() async throws {
        try await Self.with { replica, origin in
            let id = try await Self.announce(replica, origin)
            _ = try await replica.pool.query(
                "UPDATE queue SET state_since = state_since - interval '61 seconds'")
            // The replica looks for such uploads itself, and may have been first.
            _ = try await Uploads(replica.downloads).expire(limit: 9)
            let ended = try await replica.find(id).download
            #expect(ended.state == .failed && ended.result.error?.code == .contentExpired)
        }
    }

    @Test func heldContentIsSentAndStaysContent() async throws {
        try await Self.with { replica, origin in
            let source = try await replica.submit(origin.url("/a.bin"))
            let record = try await replica.reached(.succeeded, source)
            let id = try await Self.announce(replica, origin, source: source)
            replica.worker.sourcesChanged()
            _ = try await replica.reached(.succeeded, id)
            #expect(Self.sent(origin).map(\.body) == [Self.bytes])
            #expect(try replica.file(record) == Self.bytes)
            #expect(try await Self.contents(replica) == 1)
        }
    }

    @Test func contentThatIsGoneBeforeItIsTakenAsksTheClient() async throws {
        try await Self.with { replica, origin in
            let source = try await replica.submit(origin.url("/a.bin"))
            _ = try await replica.reached(.succeeded, source)
            for (away, _) in try replica.lab.takeAway() {
                try FileManager.default.removeItem(atPath: away)
            }
            let id = try await Self.announce(replica, origin, source: source)
            replica.worker.sourcesChanged()
            let asked = try await replica.reached(.attentionRequired, id)
            #expect(asked.download.result.error?.code == .contentLost)
            #expect(Self.sent(origin).isEmpty)
        }
    }
}
