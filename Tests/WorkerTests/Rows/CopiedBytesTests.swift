// Continuing with bytes of another download, as a download made from resume data does.
import Base
import Content
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct CopiedBytesTests {
    private static let bytes = content(9000)

    /// The result of an attempt that was made from another download's resume data.
    private struct Outcome {
        let report: AttemptReport
        let requests: [OriginRequest]
        let attempt: AttemptRun
        /// The file of the other download.
        let source: String
    }

    /// An attempt of another download over the first 4000 bytes of one that was cut.
    private func copy(
        _ lab: WorkerLab, change: (inout ResumePoint) -> Void = { _ in },
        holds: @escaping @Sendable () -> Bool = { true }
    ) async throws -> Outcome {
        let bytes = CopiedBytesTests.bytes
        let origin = try OriginServer { request in
            request.target == "/first"
                ? Answer.whole(bytes, etag: "\"v1\"", cutAfter: 4000, [])
                : request.rangeStart.map { Answer.part(bytes, from: $0) } ?? Answer.whole(bytes)
        }
        defer { origin.close() }
        let first = try lab.claim(origin.url("/first"), id: WorkerLab.identifier())
        var point = try #require(await lab.attempt(first).run().kept)
        point.source = first.download.id
        change(&point)
        let claim = try lab.claim(
            origin.url("/second"), id: WorkerLab.identifier(), fence: 7, resume: point)
        let second = lab.attempt(claim, source: holds)
        let report = await second.run()
        return Outcome(
            report: report, requests: origin.requests.filter { $0.target == "/second" },
            attempt: second,
            source: "\(ContentName(download: first.download.id, fence: 1)).part")
    }

    private func expectWhole(_ outcome: Outcome, _ lab: WorkerLab) throws {
        let body = try #require(outcome.report.body)
        #expect(body.sha256 == sha256(CopiedBytesTests.bytes))
        #expect(try lab.bytes(of: body) == CopiedBytesTests.bytes)
        #expect(try lab.bytes(outcome.source) == Array(CopiedBytesTests.bytes[..<4000]))
    }

    @Test func bytesAreCopiedAndTheOtherFileStays() async throws {
        try await WorkerLab.with { lab in
            let outcome = try await copy(lab)
            #expect(outcome.requests.map { $0["range"] } == ["bytes=4000-"])
            #expect(outcome.requests.map { $0["if-range"] } == ["\"v1\""])
            try expectWhole(outcome, lab)
            #expect(outcome.attempt.detail["resumed_from"] == 4000)
            let moved = try #require(lab.remembered.withLock { $0.compactMap(\.self) }.first)
            #expect(moved.source == nil && moved.fence == 7 && moved.offset == 4000)
        }
    }

    @Test(arguments: ["another replica", "no such file", "a shorter file", "void"])
    func beginsAt0WhereTheBytesAreElsewhere(_ row: String) async throws {
        try await WorkerLab.with { lab in
            let outcome = try await copy(
                lab,
                change: { point in
                    switch row {
                    case "another replica": point.instance = "other"
                    case "no such file": point.source = WorkerLab.identifier()
                    case "a shorter file": point.offset = 4001
                    default: point.void = "bytes_elsewhere"
                    }
                })
            #expect(outcome.requests.map { $0["range"] } == [nil])
            try expectWhole(outcome, lab)
            #expect(outcome.attempt.resumeSummary?["reason"] == "bytes_elsewhere")
        }
    }

    /// Checked before the bytes are copied and after it: the other download may begin anew
    /// meanwhile.
    @Test(arguments: [0, 1])
    func beginsAt0WhereTheOtherOneHasOtherBytesBy(_ question: Int) async throws {
        try await WorkerLab.with { lab in
            let asked = Mutex(0)
            let outcome = try await copy(
                lab,
                holds: {
                    asked.withLock { count in
                        count += 1
                        return count <= question
                    }
                })
            #expect(outcome.requests.map { $0["range"] } == [nil])
            try expectWhole(outcome, lab)
            #expect(outcome.attempt.resumeSummary?["reason"] == "bytes_elsewhere")
        }
    }
}
