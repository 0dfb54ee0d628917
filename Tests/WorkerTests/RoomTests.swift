// A full disk: no download begins, none fails, and no bytes that were there are lost.
import Base
import Content
import Downloads
import Platform
import Scheduling
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct RoomTests {
    @Test func nothingStartsBelowTheDiskReserve() async throws {
        let full: (inout WorkerSettings) -> Void = {
            $0.minimumFree = 1 << 60
            $0.diskInterval = .milliseconds(20)
        }
        try await Replica.with(change: full, { _ in Answer.whole(content(10)) }) {
            replica, origin in
            let id = try await replica.submit(origin.url("/a"))
            #expect(try await eventually { replica.worker.gauge.reading != nil })
            let reading = try #require(replica.worker.gauge.reading)
            #expect(reading.room == 0 && reading.reserve == 1 << 60)
            try await Task.sleep(for: .milliseconds(200))
            let record = try await replica.find(id)
            #expect(record.download.state == .waiting && record.download.attempt == 0)
            #expect(origin.requests.isEmpty)
        }
    }

    /// An attempt whose reservation fails, because the volume gives no room.
    private func attempt(_ lab: WorkerLab, _ claim: ClaimedDownload) -> AttemptRun {
        AttemptRun(
            Shared(claim), tools: lab.tools { $0.minimumFree = 1 << 60 },
            owner: ScriptedOwner())
    }

    @Test func aFullDiskCostsNoAttempt() async throws {
        try await WorkerLab.with { lab in
            let origin = try OriginServer { _ in Answer.whole(content(3_000_000)) }
            defer { origin.close() }
            let claim = try lab.claim(origin.url("/"), id: WorkerLab.identifier())
            let attempt = attempt(lab, claim)
            let report = await attempt.run()
            guard case .outOfRoom(nil) = report else {
                Issue.record("\(report)")
                return
            }
            #expect(try lab.files().isEmpty, "what it had written is given up")
            var random = SystemRandomNumberGenerator()
            let schedule = RetrySchedule(
                base: .seconds(60), cap: .seconds(600), maximumAttempts: 1)
            let run = try #require(
                attempt.finished(report, schedule: schedule, now: WorkerLab.now, using: &random))
            #expect(run.outcome == .retryScheduled && run.attemptsWithoutProgress == 0)
            #expect(run.runAt == WorkerLab.now + .seconds(30))
            #expect(run.download.bytesTotal == nil && run.download.bytesReceived == 0)
            #expect(run.download.result["error"]?["code"] == "insufficient_storage")
            let late = attempt.finished(
                report, schedule: schedule, now: claim.deadline, using: &random)
            #expect(late?.outcome == .failed)
        }
    }

    @Test func fullDiskKeepsEarlierBytes() async throws {
        let bytes = content(3_000_000)
        try await WorkerLab.with { lab in
            let origin = try OriginServer { request in
                guard let start = request.rangeStart else {
                    return Answer.whole(bytes, cutAfter: 1_000_000)
                }
                return Answer.part(bytes, from: start)
            }
            defer { origin.close() }
            let id = WorkerLab.identifier()
            let first = lab.attempt(try lab.claim(origin.url("/"), id: id))
            let point = try #require(await first.run().kept)
            let second = attempt(
                lab, try lab.claim(origin.url("/"), id: id, fence: 2, resume: point))
            guard case .outOfRoom(let kept?) = await second.run() else {
                Issue.record("no room was missed")
                return
            }
            #expect(kept.offset == point.offset && kept.fence == 2)
            let third = lab.attempt(
                try lab.claim(origin.url("/"), id: id, fence: 3, resume: kept))
            let body = try #require(await third.run().body)
            #expect(body.sha256 == sha256(bytes))
            #expect(third.detail["resumed_from"] == .integer(kept.offset))
        }
    }

    @Test func reservedBytesShrinkAsBytesArrive() async throws {
        try await WorkerLab.with { lab in
            let claim = try lab.claim(
                "http://127.0.0.1:9/", id: WorkerLab.identifier(),
                members: ["count_of_bytes_client_expects_to_receive": 1000])
            let attempt = lab.attempt(claim)
            #expect(attempt.need == 1000)
            let bytes = content(400)
            _ = unsafe bytes.withUnsafeBytes { unsafe attempt.writer.intake.take($0).answer }
            #expect(attempt.need == 600)
            _ = await attempt.run()
            #expect(attempt.need == 0)
        }
    }
}
