// Continuing with bytes of an earlier attempt: every row of the resume table, with real bytes.
import Base
import Content
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct ResumeTests {
    private static let bytes = content(9000)
    private static let other = content(9000, seed: 5)

    /// A second attempt over the first 4000 bytes.
    private func resume(
        _ lab: WorkerLab, bytes: [UInt8] = bytes, kept: Int = 4000,
        members: JSONObject = JSONObject(), etag: String? = "\"v1\"", more: [String] = [],
        change: (inout ResumePoint) -> Void = { _ in },
        _ script: @escaping @Sendable (OriginRequest) -> [OriginStep]
    ) async throws -> (report: AttemptReport, requests: [OriginRequest], attempt: AttemptRun) {
        let id = WorkerLab.identifier()
        let origin = try OriginServer { request in
            request.target == "/first"
                ? Answer.whole(bytes, etag: etag, cutAfter: kept, more) : script(request)
        }
        defer { origin.close() }
        let first = lab.attempt(try lab.claim(origin.url("/first"), id: id, members: members))
        var point = try #require(await first.run().kept)
        #expect(point.offset == Int64(kept))
        change(&point)
        let second = lab.attempt(
            try lab.claim(
                origin.url("/second"), id: id, fence: 2, resume: point, members: members))
        let report = await second.run()
        return (report, origin.requests.filter { $0.target == "/second" }, second)
    }

    private func expectWhole(
        _ report: AttemptReport, _ bytes: [UInt8], _ lab: WorkerLab,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let body = try #require(report.body, sourceLocation: sourceLocation)
        #expect(body.length == Int64(bytes.count), sourceLocation: sourceLocation)
        #expect(body.sha256 == sha256(bytes), sourceLocation: sourceLocation)
        #expect(
            try lab.bytes(of: body) == bytes, sourceLocation: sourceLocation)
    }

    @Test func partIsAppended() async throws {
        try await WorkerLab.with { lab in
            let (report, requests, attempt) = try await resume(lab) { request in
                Answer.part(ResumeTests.bytes, from: request.rangeStart ?? 0)
            }
            #expect(requests.map { $0["range"] } == ["bytes=4000-"])
            #expect(requests.map { $0["if-range"] } == ["\"v1\""])
            try expectWhole(report, ResumeTests.bytes, lab)
            #expect(attempt.resumeSummary?["outcome"] == "continued")
            #expect(attempt.detail["resumed_from"] == 4000)
            // The row names the file before its first byte is written.
            let remembered = lab.remembered.withLock { $0 }
            #expect(remembered.map { $0?.fence } == [2])
            #expect(remembered.first??.offset == 4000)
        }
    }

    @Test func earlierPartIsWrittenAtItsOffset() async throws {
        try await WorkerLab.with { lab in
            let (report, _, _) = try await resume(lab) { _ in
                Answer.part(ResumeTests.bytes, from: 1000)
            }
            try expectWhole(report, ResumeTests.bytes, lab)
        }
    }

    @Test func changedSourceIsFetchedWholeAtOnce() async throws {
        try await WorkerLab.with { lab in
            let (report, requests, attempt) = try await resume(lab) { _ in
                Answer.whole(ResumeTests.other, etag: "\"v2\"")
            }
            #expect(requests.count == 1, "the answer is the file; nothing is asked again")
            try expectWhole(report, ResumeTests.other, lab)
            #expect(attempt.resumeSummary?["outcome"] == "restarted")
            #expect(attempt.resumeSummary?["bytes_discarded"] == 4000)
            let remembered = lab.remembered.withLock { $0 }
            #expect(remembered.map { $0?.offset } == [4000, 0], "forgotten before overwritten")
            #expect(remembered.last??.furthest == 4000)
        }
    }

    /// The origin answers with another version, then the connection breaks before a byte came.
    @Test func answerWithoutBytesDoesNotChangeTheValidator() async throws {
        try await WorkerLab.with { lab in
            let (report, _, _) = try await resume(lab) { _ in
                Answer.whole(ResumeTests.other, etag: "\"v2\"", cutAfter: 0)
            }
            #expect(report.failure != nil)
            #expect(report.kept == nil, "old bytes under a new ETag are nobody's file")
        }
    }

    @Test func refusedAnswerDoesNotChangeTheValidator() async throws {
        try await WorkerLab.with { lab in
            let (report, _, _) = try await resume(lab) { _ in
                [
                    .send(
                        "HTTP/1.1 200 OK\r\nETag: \"v2\"\r\nContent-Length: 9000\r\n"
                            + "Content-Length: 9001\r\n\r\n"),
                    .close,
                ]
            }
            #expect(report.failure != nil)
            #expect(report.kept?.etag == "\"v1\"" || report.kept == nil)
        }
    }

    @Test(arguments: ["other total", "other etag", "behind", "multipart", "before", "no range"])
    func mismatchingRangeIsRefused(kind: String) async throws {
        try await WorkerLab.with { lab in
            let (report, requests, attempt) = try await resume(lab) { request in
                guard request.rangeStart != nil else {
                    return Answer.whole(ResumeTests.other, etag: "\"v2\"")
                }
                switch kind {
                case "other total": return Answer.part(ResumeTests.other, from: 4000, total: 9500)
                case "other etag":
                    return Answer.part(ResumeTests.other, from: 4000, etag: "\"v2\"")
                case "behind": return Answer.part(ResumeTests.other, from: 4001)
                default: break
                }
                let headers = [
                    "multipart": "Content-Type: multipart/byteranges; boundary=x",
                    "before": "Content-Range: bytes 2000-2999/9000", "no range": "X: y",
                ]
                return [
                    .send(
                        "HTTP/1.1 206 Partial Content\r\nContent-Length: 1000\r\n"
                            + (headers[kind] ?? "") + "\r\n\r\n"),
                    .fill(1, count: 1000),
                ]
            }
            #expect(requests.count == 2, "once more, for everything")
            #expect(requests.last?["range"] == nil)
            try expectWhole(report, ResumeTests.other, lab)
            #expect(attempt.resumeSummary?["outcome"] == "restarted")
        }
    }

    @Test func secondRequestMayFail() async throws {
        try await WorkerLab.with { lab in
            let (report, _, _) = try await resume(lab) { request in
                request.rangeStart == nil
                    ? [.reset] : Answer.part(ResumeTests.other, from: 4000, etag: "\"v2\"")
            }
            #expect(report.failure != nil)
            #expect(report.kept?.etag != "\"v2\"")
        }
    }

    @Test func completeFileIsNotFetchedAgain() async throws {
        try await WorkerLab.with { lab in
            let (report, requests, _) = try await resume(
                lab, kept: 8999, change: { $0.total = 9000 }
            ) { request in
                request.rangeStart == 8999
                    ? Answer.part(ResumeTests.bytes, from: 8999, cutAfter: 0)
                    : Answer.status("500 X")
            }
            #expect(requests.count == 1)
            #expect(report.kept?.offset == 8999)
            // The whole file is here, but no answer has said so yet.
            let whole = content(3000)
            let (equal, _, _) = try await resume(
                lab, bytes: whole + [0], kept: 3000, change: { $0.total = nil }
            ) { _ in Answer.status("416 X", ["Content-Range: bytes */3000"]) }
            let body = try #require(equal.body)
            #expect(body.sha256 == sha256(whole))
            #expect(body.isLengthVerified)
            #expect(body.response == nil, "a 416 does not describe the file")
        }
    }

    @Test(arguments: ["Content-Range: bytes */3500", "X: y", "Content-Range: bytes */4000"])
    func shorterSourceIsFetchedWhole(header: String) async throws {
        try await WorkerLab.with { lab in
            let short = content(3500, seed: 8)
            let (report, requests, _) = try await resume(lab) { request in
                request.rangeStart != nil
                    ? Answer.status("416 X", [header]) : Answer.whole(short, etag: "\"v3\"")
            }
            #expect(requests.count == 2)
            try expectWhole(report, short, lab)
        }
    }

    @Test func missingPartFileRestarts() async throws {
        try await WorkerLab.with { lab in
            let (report, requests, attempt) = try await resume(lab, change: { $0.fence = 0 }) {
                request in
                request.rangeStart == nil
                    ? Answer.whole(ResumeTests.bytes) : Answer.status("500 X")
            }
            #expect(requests.count == 1)
            try expectWhole(report, ResumeTests.bytes, lab)
            #expect(attempt.resumeSummary?["reason"] == "the part file is gone")
        }
    }

    @Test func partFileOfAnotherReplicaIsNotUsed() async throws {
        try await WorkerLab.with { lab in
            let (report, requests, attempt) = try await resume(
                lab, change: { $0.instance = "other" }
            ) { _ in Answer.whole(ResumeTests.bytes) }
            #expect(requests.map { $0["range"] } == [nil])
            try expectWhole(report, ResumeTests.bytes, lab)
            #expect(attempt.resumeSummary?["reason"] == "another replica has the bytes")
        }
    }

    @Test func truncatedPartKeepsBytesAndValidator() async throws {
        try await WorkerLab.with { lab in
            let (report, _, _) = try await resume(lab) { _ in
                Answer.part(ResumeTests.bytes, from: 4000, cutAfter: 2000)
            }
            let kept = try #require(report.kept)
            #expect(kept.offset == 6000)
            #expect(kept.fence == 2)
            #expect(kept.total == 9000)
            #expect(kept.etag == "\"v1\"")
        }
    }

    /// A part that repeats the date is taken, and so are its next bytes; a part without the date
    /// may be of any version.
    @Test(arguments: [true, false])
    func partMustRepeatLastModified(isRepeated: Bool) async throws {
        try await WorkerLab.with { lab in
            let date = "Wed, 01 Oct 2025 00:00:00 GMT"
            let more = ["Last-Modified: \(date)", "Date: Thu, 02 Oct 2025 00:00:00 GMT"]
            let (report, requests, _) = try await resume(lab, etag: nil, more: more) {
                request in
                Answer.part(
                    ResumeTests.bytes, from: request.rangeStart ?? 0, etag: nil, cutAfter: 2000,
                    isRepeated ? more : [])
            }
            #expect(requests.first?["if-range"] == date)
            #expect(requests.count == (isRepeated ? 1 : 2))
            #expect(report.kept?.offset == (isRepeated ? 6000 : 4000))
            #expect(report.kept?.ifRange?.text == date)
        }
    }

    @Test(arguments: [500, 503, 404, 403])
    func errorBetweenPartsKeepsTheBytes(status: Int) async throws {
        try await WorkerLab.with { lab in
            let (report, _, _) = try await resume(lab) { _ in Answer.status("\(status) X") }
            let kept = try #require(report.kept)
            #expect(kept.offset == 4000)
            #expect(kept.etag == "\"v1\"")
            #expect(kept.fence == 2)
        }
    }

    @Test func expectedDigestProvesBytesWithoutAValidator() async throws {
        try await WorkerLab.with { lab in
            let digest: JSONObject = [
                "expected_digest": .string("sha256:" + sha256(ResumeTests.bytes))
            ]
            let (report, requests, _) = try await resume(lab, members: digest, etag: nil) { _ in
                Answer.part(ResumeTests.bytes, from: 4000, etag: nil)
            }
            #expect(requests.map { $0["if-range"] } == [nil])
            try expectWhole(report, ResumeTests.bytes, lab)
            let (mixed, _, _) = try await resume(lab, members: digest, etag: nil) { _ in
                Answer.part(ResumeTests.other, from: 4000, etag: nil)
            }
            #expect(mixed.failure?.code == .digestMismatch)
            #expect(mixed.failure?.isRetryable == true, "once from the start decides")
            #expect(mixed.kept == nil)
        }
    }

    @Test func ignoredIfRangeIsRetriedOnce() async throws {
        try await WorkerLab.with { lab in
            let kept = Int(ResumeRules.worthAsking)
            let bytes = content(kept + 1000)
            let (report, requests, _) = try await resume(lab, bytes: bytes, kept: kept) { request in
                request["if-range"] == nil
                    ? Answer.part(bytes, from: kept) : Answer.whole(bytes)
            }
            #expect(requests.count == 2)
            #expect(requests.last?.rangeStart == kept)
            try expectWhole(report, bytes, lab)
        }
    }

    /// A crash costs the bytes after the last checkpoint, and the record says so.
    @Test(arguments: [4000, 4001, 9000, 0] as [Int64], [true, false])
    func bytesLostInACrashAreReported(reported: Int64, isKept: Bool) async throws {
        try await WorkerLab.with { lab in
            let id = WorkerLab.identifier()
            let origin = try OriginServer { request in
                request.target == "/first"
                    ? Answer.whole(ResumeTests.bytes, cutAfter: 4000)
                    : Answer.part(ResumeTests.bytes, from: request.rangeStart ?? 0)
            }
            defer { origin.close() }
            let point = try #require(
                await lab.attempt(try lab.claim(origin.url("/first"), id: id)).run().kept)
            var claim = try lab.claim(
                origin.url(isKept ? "/second" : "/first"), id: id, fence: 2,
                resume: isKept ? point : nil)
            claim.download.bytesReceived = reported
            let attempt = lab.attempt(claim)
            _ = await attempt.run()
            let lost = max(0, reported - (isKept ? 4000 : 0))
            let summary = attempt.resumeSummary
            #expect((summary == nil) == (!isKept && lost == 0))
            guard let summary else { return }
            #expect(summary["outcome"] == (isKept ? "continued" : "restarted"))
            #expect(summary["bytes_discarded"] == .integer(lost))
            #expect(
                summary.reason == (lost > 0 ? AttemptMachine.lostWithAttempt : nil))
            #expect(attempt.detail["bytes_discarded"] == .integer(lost))
        }
    }
}
