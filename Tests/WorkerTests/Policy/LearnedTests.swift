// The values that a replica learns of origins and sessions from real attempts.
import Base
import Downloads
import Platform
import Scheduling
import Store
import Support
import Testing
import Transfers

@testable import Worker

@Suite struct LearnedTests {
    /// A file in pieces with pauses between them: an origin that is slow by itself.
    private static func slow(_ pieces: Int, of bytes: Int) -> [OriginStep] {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(pieces * bytes)\r\n\r\n"
        return [.send(head)]
            + (0..<pieces).flatMap { _ in
                [OriginStep.rest(milliseconds: 30), .fill(7, count: bytes)]
            }
    }

    /// The sum of the stored weights of a measure.
    private static func weight(
        _ measure: LearnedMeasure, _ replica: Replica
    ) async throws -> Double {
        var cursor = Learning.Cursor()
        let page = try await replica.downloads.learning.changes(since: &cursor)
        return page.entries.first { $0.measure == measure && $0.key == .all }?.sketch.weight ?? 0
    }

    @Test func sizesAndRatesOfEndedDownloadsAreKnownToWhatDecides() async throws {
        let change: (inout WorkerSettings) -> Void = { $0.learnInterval = .milliseconds(20) }
        try await Replica.with(change: change, { _ in Self.slow(6, of: 50_000) }) {
            replica, origin in
            for number in 0..<6 {
                let id = try await replica.submit(origin.url("/\(number)"))
                _ = try await replica.reached(.succeeded, id)
            }
            let isKnown = try await eventually {
                await replica.worker.facts.learned[.size].mean(
                    of: [.all], at: replica.lab.clock.now) != nil
            }
            #expect(isKnown)
            let facts = await replica.worker.facts.learned
            let now = replica.lab.clock.now
            let size = try #require(facts.size(session: 1, origin: -1, at: now))
            #expect(size.key == .session(1))
            #expect(abs(size.quantile(0.5) - 300_000) < 0.06 * 300_000)
            #expect(facts.progress(origin: -1, at: now) > 0.9)
            #expect(facts.rate(origin: -1, at: now) != nil)
            // The conductor judges by this value, too.
            let isTaken = try await eventually {
                await replica.worker.conductor.learned.count == facts.count
            }
            #expect(isTaken)
            #expect(replica.worker.learnedGauge.keys == facts.count)
            #expect(replica.worker.learnedGauge.samples >= 24)
        }
    }

    @Test func aRateThatALimitHeldBackIsNotLearned() async throws {
        let change: (inout WorkerSettings) -> Void = { $0.learnInterval = .milliseconds(20) }
        let bytes = content(1_500_000)
        try await Replica.with(change: change, { _ in Answer.whole(bytes) }) { replica, origin in
            let id = try await replica.submit(
                origin.url(), ["max_bytes_per_second": 1_000_000])
            _ = try await replica.reached(.succeeded, id)
            let isWritten = try await eventually {
                try await Self.weight(.size, replica) == 1
            }
            #expect(isWritten)
            #expect(try await Self.weight(.rate, replica) == 0)
        }
    }

    @Test func interruptedAttemptsAndHonouredRangesAreLearned() async throws {
        let change: (inout WorkerSettings) -> Void = { $0.learnInterval = .milliseconds(20) }
        let bytes = content(400_000)
        try await Replica.with(
            change: change,
            { request in
                request.rangeStart.map { Answer.part(bytes, from: $0) }
                    ?? Answer.whole(bytes, cutAfter: 200_000)
            }
        ) { replica, origin in
            let id = try await replica.submit(origin.url())
            _ = try await replica.reached(.succeeded, id)
            let isWritten = try await eventually {
                let resumes = try await Self.weight(.resume, replica)
                let progress = try await Self.weight(.progress, replica)
                return resumes == 1 && progress == 2
            }
            #expect(isWritten)
        }
    }

    @Test func whatIsNotWrittenYetIsWrittenAtTheStop() async throws {
        let change: (inout WorkerSettings) -> Void = { $0.learnInterval = .seconds(3600) }
        let bytes = content(1000)
        try await Replica.with(change: change, { _ in Answer.whole(bytes) }) { replica, origin in
            for number in 0..<3 {
                let id = try await replica.submit(origin.url("/\(number)"))
                _ = try await replica.reached(.succeeded, id)
            }
            await replica.worker.writeLearned()
            #expect(try await Self.weight(.size, replica) == 3)
        }
    }

    /// A turn of the duty that watches the link.
    private static func watchLink(_ worker: isolated DownloadWorker) async throws {
        var watch = LinkWatch()
        _ = try await watch.turn(worker)
        await worker.writeLearned()
    }

    /// Turns of the duty that watches the link, a minute apart.
    private static func watchLink(
        _ worker: isolated DownloadWorker, minutes: Int
    ) async throws {
        var watch = LinkWatch()
        for _ in 0..<minutes {
            worker.clock.set(now: worker.clock.now + .seconds(60))
            _ = try await watch.turn(worker)
        }
    }

    /// The transfers have about 33 kB a second, where 10 MB are usual.
    @Test(.timeLimit(.minutes(15)))
    func whileAllTransfersAreSlowDeadlinesCountOnLess() async throws {
        let change: (inout WorkerSettings) -> Void = { $0.learnInterval = .seconds(3600) }
        try await Replica.with(change: change, { _ in Self.slow(20_000, of: 1000) }) {
            replica, origin in
            for name in ["/a", "/b", "/c"] { _ = try await replica.submit(origin.url(name)) }
            let areMoving = try await eventually {
                await replica.worker.runs.values.count { ($0.speed.bytesPerSecond ?? 0) > 0 } == 3
            }
            #expect(areMoving)
            let claim = try #require(await replica.worker.runs.values.first?.attempt.claim)
            let now = await replica.worker.clock.now
            var learned = await replica.worker.facts.learned
            for _ in 0..<20 {
                for quarter in 0..<4 {
                    let keys = LearnedKey.rates(origin: claim.originKey, quarter: quarter)
                    learned.add(10_000_000, .rate, to: keys, at: now)
                }
            }
            await replica.worker.takeLearned(learned)
            try await Self.watchLink(replica.worker, minutes: 120)
            let pace = await replica.worker.facts.learned.pace
            #expect(pace < 0.3)
            #expect(await replica.worker.conductor.learned.pace == pace)
            // A transfer under a limit of Lull says nothing about the usual rate.
            try await replica.enforce(["bandwidth": "50MiB"])
            try await Self.watchLink(replica.worker, minutes: 600)
            #expect(await replica.worker.facts.learned.pace == 1)
        }
    }

    /// Two slots: one run leaves a slot free, two use the whole link.
    @Test(.timeLimit(.minutes(15)))
    func whatTheLinkCarriesIsLearnedWhileNoSlotIsFree() async throws {
        let change: (inout WorkerSettings) -> Void = {
            $0.slots = 2
            $0.learnInterval = .seconds(3600)
        }
        // The runs last for ten minutes, and end with the replica.
        try await Replica.with(change: change, { _ in Self.slow(20_000, of: 1000) }) {
            replica, origin in
            func runs(_ count: Int) async throws {
                let isMoving = try await eventually {
                    await replica.worker.runs.values.count {
                        ($0.speed.bytesPerSecond ?? 0) > 0
                    } == count
                }
                #expect(isMoving)
            }
            _ = try await replica.submit(origin.url("/a"))
            try await runs(1)
            try await Self.watchLink(replica.worker)
            #expect(try await Self.weight(.link, replica) == 0)
            _ = try await replica.submit(origin.url("/b"))
            try await runs(2)
            try await Self.watchLink(replica.worker)
            #expect(try await Self.weight(.link, replica) >= 1)
            // A limited transfer says nothing about the link.
            try await replica.enforce(["bandwidth": "50MiB"])
            await replica.worker.writeLearned()
            let before = try await Self.weight(.link, replica)
            try await Self.watchLink(replica.worker)
            #expect(try await Self.weight(.link, replica) == before)
        }
    }
}
