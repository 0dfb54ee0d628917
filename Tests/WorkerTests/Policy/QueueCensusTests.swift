// Metrics about the waiting downloads: each lane's first blocker, counted while a scraper asks.
import Base
import Downloads
import Platform
import Postgres
import Store
import Support
import Testing
import Transfers

@testable import Worker

@Suite struct QueueCensusTests {
    /// The census that shows the expected counts, or the last one if they do not come.
    private static func census(
        _ replica: Replica, _ isExpected: (QueueGauge.Census) -> Bool
    ) async throws -> QueueGauge.Census {
        let gauge = replica.worker.queueGauge
        let isThere = try await eventually {
            // The gauge is read again and again, as by a scraper.
            gauge.read().map(isExpected) ?? false
        }
        #expect(isThere, "\(String(describing: gauge.read()))")
        return try #require(gauge.read())
    }

    @Test func waitingDownloadsAreCountedByWhatHoldsTheirLaneBack() async throws {
        try await Replica.with({ _ in [] }, isRunning: true) { replica, origin in
            try await replica.enforce([
                "conditions": ["lan": ["type": "boolean"]],
                "rules": .array([
                    [
                        "name": "on-the-lan", "match": ["is_discretionary": true],
                        "require": .array(["lan = true"]),
                    ]
                ]),
            ])
            for number in 0..<3 {
                _ = try await replica.submit(
                    origin.url("/\(number)"), ["is_discretionary": true])
            }
            let later = (replica.lab.clock.now + .seconds(86_400)).rfc3339
            for number in 0..<2 {
                _ = try await replica.submit(
                    origin.url("/later-\(number)"), ["earliest_begin_date": .string(later)])
            }
            _ = try await replica.downloads.laneLoads.count { true }
            let census = try await Self.census(replica) { $0.figures.waitingInLanes == 5 }
            #expect(census.blocked == [.condition: 3, .earliestBeginDate: 2])
            #expect(census.unjudged == 0 && census.figures.waiting == 5)
            #expect(census.figures.live == 5 && census.figures.running == 0)
        }
    }

    /// Only the metrics ask for another count of these lanes: they are not due, so no claim reads
    /// them.
    @Test func whatIsCanceledIsNotCountedAnyMore() async throws {
        try await Replica.with({ _ in [] }, isRunning: true) { replica, origin in
            let later = (replica.lab.clock.now + .seconds(86_400)).rfc3339
            var ids: [Identifier] = []
            for number in 0..<3 {
                ids.append(
                    try await replica.submit(
                        origin.url("/\(number)"), ["earliest_begin_date": .string(later)]))
            }
            _ = try await Self.census(replica) { $0.blocked == [.earliestBeginDate: 3] }
            for id in ids {
                _ = try await replica.downloads.perform(.cancel, on: id, app: 1)
            }
            // The time between two counts is over.
            _ = try await replica.pool.query(
                "UPDATE lane_load_rounds SET begun_at = '-infinity'")
            let census = try await Self.census(replica) { $0.blocked.isEmpty }
            #expect(census.figures.waitingInLanes == 0 && census.figures.oldest.isEmpty)
        }
    }

    @Test func nothingIsCountedUntilSomebodyAsks() async throws {
        let bell = Alarm()
        let gauge = QueueGauge { bell.ring() }
        #expect(!gauge.isWanted)
        #expect(gauge.read() == nil)
        #expect(gauge.isWanted)
    }
}
