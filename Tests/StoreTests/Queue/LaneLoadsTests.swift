// Waiting downloads are summed up by lane, and deadlines at risk are told once.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct LaneLoadsTests {
    private static func submit(
        _ lab: StoreLab, _ bytes: Int64?, complete: Timestamp? = nil, origin: String
    ) async throws -> Identifier {
        var members = JSONObject()
        members["count_of_bytes_client_expects_to_receive"] = bytes.map { .integer($0) }
        members["complete_by"] = complete.map { .string($0.rfc3339) }
        var new = try lab.draft(members, origin: origin)
        new.acceptedAt = try await lab.now()
        _ = try await Intake(pool: lab.pool).submit(new)
        return new.download.id
    }

    private static let one = "https://one.example:443"
    private static let two = "https://two.example:443"

    /// The columns of the table in the order of the lanes.
    private static func loads(_ lab: StoreLab) async throws -> [[Int64]] {
        try await lab.pool.query(
            "SELECT waiting, unsized, bytes, largest FROM lane_loads ORDER BY waiting"
        ).map { row in
            try (0..<4).map { try row.get($0, as: Int64.self) }
        }
    }

    @Test func countsEqualTheRowsHoweverManyPagesTheyTake() async throws {
        try await StoreLab.with { lab in
            let drafts = try (0..<11_000).map { number in
                try lab.draft(
                    number % 10 == 0
                        ? JSONObject()
                        : ["count_of_bytes_client_expects_to_receive": .integer(Int64(number))],
                    origin: number < 10_500 ? Self.one : Self.two)
            }
            for start in stride(from: 0, to: drafts.count, by: 1000) {
                _ = try await Intake(pool: lab.pool).submit(
                    batch: Array(drafts[start..<start + 1000]), idempotency: nil)
            }
            #expect(try await lab.downloads.laneLoads.count { true } == 2)
            let rows = try await lab.pool.query(
                """
                SELECT count(*), count(*) FILTER (WHERE expected_bytes IS NULL),
                    sum(coalesce(expected_bytes, 0))::bigint, max(expected_bytes)
                FROM queue GROUP BY lane_no ORDER BY 1
                """
            ).map { row in try (0..<4).map { try row.get($0, as: Int64.self) } }
            #expect(try await Self.loads(lab) == rows)
            _ = try await lab.pool.query("UPDATE queue SET state = 2")
            _ = try await lab.pool.query(
                "SELECT lull_settle_lanes((SELECT array_agg(lane_no) FROM lanes))")
            #expect(try await lab.downloads.laneLoads.count { true } == 0)
            #expect(try await Self.loads(lab) == [])
        }
    }

    /// Compares the sums with the rows after a count.
    private static func compare(
        _ lab: StoreLab, _ step: String, _ expected: Int64
    ) async throws {
        _ = try await lab.downloads.laneLoads.count { true }
        let figures = try await lab.downloads.queueFigures.read()
        let rows = try await lab.pool.query(
            """
            SELECT class, count(*), min(life_since) FROM queue WHERE state = 0
            GROUP BY class ORDER BY class
            """)
        var waiting: Int64 = 0
        var oldest: [QueueFigures.Oldest] = []
        for row in rows {
            waiting += try row.get(1, as: Int64.self)
            let kind = try #require(SchedulingClass(rawValue: try row.get(0)))
            let since = try row.get(2, as: TimestampValue.self).timestamp
            oldest.append(QueueFigures.Oldest(schedulingClass: kind, since: since))
        }
        #expect(waiting == expected, "\(step)")
        #expect(figures.waitingInLanes == waiting, "\(step)")
        #expect(figures.oldest == oldest, "\(step)")
        #expect(figures.waiting == waiting, "\(step)")
        let judged = try await lab.downloads.forecastReads.lanes(atMost: 100)
            .reduce(0) { $0 + $1.batches.reduce(0) { $0 + $1.count } }
        #expect(judged == Int(waiting), "\(step)")
    }

    /// The lanes are not due, so that no claim corrects them.
    @Test func figuresFallWithWhatWaits() async throws {
        try await StoreLab.with { lab in
            let later = (try await lab.now() + .seconds(86_400)).rfc3339
            var ids: [[Identifier]] = []
            for number in 0..<5 {
                ids.append(
                    try await lab.submit(
                        2,
                        [
                            "earliest_begin_date": .string(later),
                            "is_discretionary": .bool(number % 2 == 1),
                        ], origin: "https://o\(number).example:443"))
            }
            try await Self.compare(lab, "created", 10)
            for id in ids[0] { _ = try await lab.downloads.perform(.cancel, on: id, app: 1) }
            try await Self.compare(lab, "canceled", 8)
            for id in ids[1] {
                _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
                _ = try await lab.downloads.perform(.delete, on: id, app: 1)
            }
            #expect(try await lab.number("SELECT count(*) FROM downloads") == 8)
            try await Self.compare(lab, "deleted", 6)
            for id in ids[2] {
                let old = try #require(await lab.find(id)).download
                var new = old
                new.spec.isDiscretionary = true
                _ = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
            }
            try await Self.compare(lab, "patched", 6)
            _ = try await lab.pool.query(
                "UPDATE queue SET deadline = now() - interval '1 s' WHERE id = ANY ($1)",
                [ids[3].map { UUIDValue($0) }])
            #expect(try await lab.downloads.expire(limit: 10) == 2)
            try await Self.compare(lab, "expired", 4)
            for id in ids[4] { _ = try await lab.downloads.perform(.suspend, on: id, app: 1) }
            try await Self.compare(lab, "suspended", 2)
        }
    }

    @Test func oneReplicaCountsInAQuarterOfAnHour() async throws {
        try await StoreLab.with { lab in
            let loads = lab.downloads.laneLoads
            #expect(try await loads.begin(every: .seconds(900)) == nil)
            let next = try #require(try await loads.begin(every: .seconds(900)))
            let now = try await lab.now()
            #expect(next > now && next <= now + .seconds(900))
            #expect(try await loads.begin(every: .zero) == nil)
        }
    }

    /// A ruling is read by looks, by the download's own record and by forecasts.
    @Test func aRulingReachesLanesAndDownloads() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let due = try await lab.now() + .seconds(86_400)
            let id = try await Self.submit(lab, 5_000, complete: due, origin: Self.one)
            _ = try await Self.submit(lab, 7_000, origin: Self.two)
            _ = try await lab.downloads.laneLoads.count { true }
            let lanes = try await lab.downloads.laneLoads.due()
            #expect(lanes.map(\.load.bytes) == [5_000] && lanes[0].origin == Self.one)
            let lane = try #require(lanes.first?.load.lane)
            let guardAt = Timestamp(seconds: due.seconds - 7200)
            try await lab.downloads.laneLoads.rule([
                lane: DeadlineContention.Ruling(guardAt: guardAt, fits: 0)
            ])
            let head = try #require(try await lab.heads(ledger).first { $0.lane == lane })
            #expect(head.guardAt == guardAt && head.isOverloaded)
            let candidate = try #require(try await lab.downloads.find(id, app: 1)?.candidate)
            #expect(candidate.guardAt == guardAt && candidate.isOverloaded)
            #expect(candidate.laneNeed == 5_000)
            let foreseen = try #require(
                try await lab.downloads.forecastReads.lanes(atMost: 10)
                    .first { $0.number == lane }?.candidate)
            #expect(foreseen.guardAt == guardAt && foreseen.isOverloaded)
            try await lab.downloads.laneLoads.rule([lane: DeadlineContention.Ruling()])
            let calm = try #require(try await lab.heads(ledger).first { $0.lane == lane })
            #expect(calm.guardAt == nil && !calm.isOverloaded)
            #expect(
                try await lab.downloads.forecastReads.lanes(atMost: 10).allSatisfy {
                    $0.candidate.guardAt == nil && !$0.candidate.isOverloaded
                })
        }
    }

    /// If a lane fits in part, its last rows are the ones that do not fit.
    @Test func theLastRowsOfALaneThatFitsInPartAreOver() async throws {
        try await StoreLab.with { lab in
            let due = try await lab.now() + .seconds(86_400)
            var ids: [Identifier] = []
            for _ in 0..<4 {
                ids.append(try await Self.submit(lab, 1000, complete: due, origin: Self.one))
            }
            _ = try await lab.downloads.laneLoads.count { true }
            let lane = try #require(try await lab.downloads.laneLoads.due().first?.load.lane)
            try await lab.downloads.laneLoads.rule([
                lane: DeadlineContention.Ruling(fits: 2500)
            ])
            let over = try await lab.downloads.deadlineRisks.withDeadline(inLanes: [lane])
            let names = over.filter(\.isOverloaded).map(\.record.download.id)
            #expect(Set(names) == Set(ids[2...]) && over.count == 4)
        }
    }

    @Test func aRunThatIsTooSlowIsFound() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let due = try await lab.now() + .seconds(3600)
            let slow = try await Self.submit(lab, 1_000_000, complete: due, origin: Self.one)
            _ = try await Self.submit(lab, 1_000_000, complete: due, origin: Self.two)
            #expect(try await lab.claim(ledger).count == 2)
            let risks = lab.downloads.deadlineRisks
            _ = try await lab.pool.query(
                """
                UPDATE queue SET claimed_at = claimed_at - interval '2 min', bytes = 1000,
                    bytes_per_second = CASE id WHEN $1 THEN 270 ELSE 280 END
                """, [UUIDValue(slow)])
            let late = try await risks.lateRuns(of: ledger.replica)
            #expect(late.map(\.record.download.id) == [slow])
            #expect(try await risks.noteAtRisk(late[0]))
            #expect(try await lab.events(of: slow) == [.created, .started, .deadlineAtRisk])
            #expect(try await risks.lateRuns(of: ledger.replica).isEmpty)
        }
    }

    @Test func aRiskIsAnEventOnceUntilItIsOver() async throws {
        try await StoreLab.with { lab in
            let due = try await lab.now() + .seconds(86_400)
            let id = try await Self.submit(lab, 1000, complete: due, origin: Self.one)
            let lane = try await lab.number("SELECT lane_no FROM lanes")
            let risks = lab.downloads.deadlineRisks
            #expect(try await risks.lanesWithDeadline().map(\.0) == [lane])
            let first = try #require(try await risks.withDeadline(inLanes: [lane]).first)
            #expect(try await risks.noteAtRisk(first))
            #expect(try await risks.noteAtRisk(first) == false)
            #expect(try await risks.withDeadline(inLanes: [lane]).isEmpty)
            #expect(try await lab.events(of: id) == [.created, .deadlineAtRisk])
            let record = try #require(try await lab.downloads.find(id, app: 1))
            #expect(record.download.atRiskSince != nil && record.download.sequence == 2)
            #expect(record.download.state == .waiting)
            #expect(try await risks.atRisk(for: .seconds(900)).isEmpty)
            let old = try #require(try await risks.atRisk(for: .zero).first)
            try await risks.noteOnTrack(old)
            let again = try #require(try await risks.withDeadline(inLanes: [lane]).first)
            #expect(try await risks.noteAtRisk(again))
            #expect(try await lab.events(of: id).count == 3)
            // Another deadline is a new promise, whose risk is judged again.
            let current = try #require(try await lab.downloads.find(id, app: 1)).download
            var changed = current
            changed.spec.completeBy = due + .seconds(3600)
            _ = try await lab.downloads.change(current, to: changed, origins: nil, app: 1)
            #expect(try await lab.downloads.find(id, app: 1)?.download.atRiskSince == nil)
        }
    }
}
