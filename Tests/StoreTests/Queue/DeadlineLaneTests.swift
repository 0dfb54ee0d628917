// Deadlines tell lanes apart by their buckets, and a lane knows the largest of its downloads.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct DeadlineLaneTests {
    private static func deadlines(
        begin: Timestamp? = nil, complete: Timestamp? = nil, bytes: Int64? = nil
    ) -> JSONObject {
        var members = JSONObject()
        members["begin_deadline"] = begin.map { .string($0.rfc3339) }
        members["complete_by"] = complete.map { .string($0.rfc3339) }
        members["count_of_bytes_client_expects_to_receive"] = bytes.map { .integer($0) }
        return members
    }

    /// Midnight of a day that is three days ahead at least, so that buckets have six hours.
    private static func midnight(_ lab: StoreLab) async throws -> Timestamp {
        let day = try await lab.now().seconds / 86_400 + 5
        return Timestamp(seconds: day * 86_400)
    }

    private static func submit(
        _ lab: StoreLab, _ members: JSONObject, through intake: Intake? = nil
    ) async throws -> Identifier {
        var new = try lab.draft(members)
        new.acceptedAt = try await lab.now()
        _ = try await (intake ?? Intake(pool: lab.pool)).submit(new)
        return new.download.id
    }

    private static func head(
        _ lab: StoreLab, _ ledger: Ledger, due: Timestamp?, begin: Timestamp? = nil
    ) async throws -> LaneHead? {
        try await lab.heads(ledger).first { $0.dueBucket == due && $0.beginBucket == begin }
    }

    @Test func downloadsOfABucketShareALane() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let midnight = try await Self.midnight(lab)
            let near = midnight + .seconds(7 * 3600)
            for (minutes, bytes) in [(0, 500), (100, 9000), (200, 700)] as [(Int64, Int64)] {
                _ = try await Self.submit(
                    lab, Self.deadlines(complete: near + .seconds(60 * minutes), bytes: bytes))
            }
            _ = try await Self.submit(lab, Self.deadlines(begin: near))
            _ = try await Self.submit(lab, Self.deadlines(begin: near, complete: midnight))
            _ = try await Self.submit(lab, Self.deadlines(bytes: 10_000))
            let six = midnight + .seconds(6 * 3600)
            #expect(try await lab.heads(ledger).count == 4)
            #expect(try await Self.head(lab, ledger, due: six)?.largestNeed == 9000)
            #expect(try await Self.head(lab, ledger, due: nil, begin: six) != nil)
            #expect(try await Self.head(lab, ledger, due: midnight, begin: six) != nil)
            // Without a deadline no size is kept, so a lane with a backlog is not written.
            #expect(try await Self.head(lab, ledger, due: nil)?.largestNeed == 0)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    @Test func aChangedDeadlineMovesTheDownload() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let midnight = try await Self.midnight(lab)
            let id = try await Self.submit(lab, Self.deadlines(complete: midnight, bytes: 800))
            let old = try #require(try await lab.downloads.find(id, app: 1)).download
            var new = old
            new.spec.completeBy = nil
            new.spec.beginDeadline = midnight + .seconds(3600)
            guard
                case .done(let record) = try await lab.downloads.change(
                    old, to: new, origins: nil, app: 1)
            else {
                Issue.record("not changed")
                return
            }
            #expect(record.candidate?.asked.begin == midnight + .seconds(3600))
            #expect(record.candidate?.deadline == CandidateDeadline(begin: midnight))
            #expect(record.download.spec.completeBy == nil)
            #expect(try await Self.head(lab, ledger, due: nil, begin: midnight) != nil)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    /// After an attempt, and after a retry of an ended download, the row goes back with its
    /// deadline.
    @Test func deadlinesStayWithARowThatWaitsAgain() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let midnight = try await Self.midnight(lab)
            let id = try await Self.submit(lab, Self.deadlines(complete: midnight, bytes: 800))
            #expect(try await lab.claim(ledger).count == 1)
            try await ledger.unregister()
            let next = try await lab.register()
            #expect(try await Self.head(lab, next, due: midnight)?.largestNeed == 800)
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            _ = try await lab.downloads.perform(.retry, on: id, app: 1)
            #expect(try await Self.head(lab, next, due: midnight)?.largestNeed == 800)
            let exact = try await lab.number(
                "SELECT count(*) FROM queue WHERE complete_by = $1", [TimestampValue(midnight)])
            #expect(exact == 1)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    @Test func aLaneThatSleepsForgetsItsLargest() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let midnight = try await Self.midnight(lab)
            let id = try await Self.submit(lab, Self.deadlines(complete: midnight, bytes: 9000))
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            _ = try await lab.pool.query(
                "SELECT lull_settle_lanes((SELECT array_agg(lane_no) FROM lanes))")
            _ = try await Self.submit(lab, Self.deadlines(complete: midnight, bytes: 10))
            #expect(try await Self.head(lab, ledger, due: midnight)?.largestNeed == 10)
        }
    }
}
