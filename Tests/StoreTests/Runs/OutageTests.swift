// An origin that is not reached: its row holds its downloads back in all replicas, and one of them
// at a time may try.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct OutageTests {
    /// The end of an attempt that did not reach its origin, or did.
    private static func end(
        _ lab: StoreLab, _ claim: ClaimedDownload, _ reach: OriginReach?,
        _ outcome: RunOutcome = .unreachable
    ) -> RunRecord {
        var run = lab.end(claim, outcome)
        run.reach = reach
        return run
    }

    private static func outage(_ lab: StoreLab, _ ledger: Ledger) async throws -> Outage? {
        try await lab.heads(ledger).first?.origin.outage
    }

    private static func retry(_ lab: StoreLab) async throws {
        _ = try await lab.pool.query(
            "UPDATE gates SET probe_at = clock_timestamp() WHERE probe_at IS NOT NULL")
    }

    private static func number(_ lab: StoreLab, _ column: String) async throws -> Int64 {
        try await lab.number(
            "SELECT coalesce(sum(\(column)), 0) FROM gates WHERE kind = lull_gate('origin')")
    }

    @Test func oneReplicaTriesForBoth() async throws {
        try await StoreLab.with { lab in
            let (one, two) = (try await lab.register(), try await lab.register())
            try await lab.submit(20)
            let claims = try await lab.claim(one, total: 3)
            #expect(claims.count == 3 && claims.allSatisfy { !$0.isProbe })
            _ = try await one.finish(claims.map { Self.end(lab, $0, .missed) })
            let began = try #require(try await Self.outage(lab, one))
            #expect(began.probeAt == began.since + .seconds(5))
            for ledger in [one, two] { #expect(try await lab.claim(ledger).isEmpty) }
            var pauses: [Int64] = []
            for _ in 0..<8 {
                try await Self.retry(lab)
                let found = try await lab.claim(two) + lab.claim(one) + lab.claim(two)
                #expect(found.count == 1 && found[0].isProbe)
                let end = Self.end(lab, found[0], .probeMissed)
                _ = try await two.finish([end])
                let next = try #require(try await Self.outage(lab, one))
                #expect(next.since == began.since)
                pauses.append((next.probeAt - end.at).wholeMilliseconds / 1000)
                #expect(try await lab.claim(one).isEmpty)
            }
            #expect(pauses == [10, 20, 40, 80, 160, 300, 300, 300])
            // No attempt was counted, and the downloads keep their places in the queue.
            #expect(
                try await lab.number("SELECT sum(attempts_without_progress) FROM queue") == 0)
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 0") == 20)
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM attempts WHERE outcome <> lull_outcome('unreachable')")
                    == 0)
            let since = try await two.reached(claims[0].originKey)
            #expect(since == began.since)
            #expect(try await two.reached(claims[0].originKey) == nil)
            #expect(try await lab.claim(one).count == 20, "all go on")
            #expect(try await lab.wrongGates() == 0)
        }
    }

    /// The news that each end gives of its origin, before and during an outage.
    @Test func endsOpenTheOriginOrKeepItClosed() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await lab.submit(30)
            func claim() async throws -> ClaimedDownload {
                try #require(try await lab.claim(ledger, total: 1).first)
            }
            func end(
                _ claim: ClaimedDownload, _ reach: OriginReach?,
                _ outcome: RunOutcome = .unreachable
            ) async throws -> Outage? {
                _ = try await ledger.finish([Self.end(lab, claim, reach, outcome)])
                return try await Self.outage(lab, ledger)
            }
            // Without an outage a stop and a success give no news.
            #expect(try await end(claim(), nil, .retryScheduled) == nil)
            #expect(try await end(claim(), .reached, .succeeded) == nil)
            // Two runs began before the outage: the end of the second does not delay the first
            // probe.
            let (first, second) = (try await claim(), try await claim())
            let began = try #require(try await end(first, .missed))
            #expect(try await end(second, .missed) == began)
            try await Self.retry(lab)
            let probe = try await claim()
            #expect(probe.isProbe)
            let held = try #require(try await Self.outage(lab, ledger))
            #expect(held.probeAt > began.probeAt + .seconds(200), "a lost probe ends nothing")
            // A probe that is stopped gives its place to another one at once.
            let stopped = try #require(try await end(probe, .probeStopped, .yielded))
            let now = try await lab.now()
            #expect(stopped.probeAt <= now)
            let next = try await claim()
            #expect(next.isProbe)
            #expect(try await end(next, .reached, .failed) == nil, "it answered")
            #expect(try await Self.number(lab, "probes") == 0)
            let free = try await claim()
            #expect(!free.isProbe)
        }
    }

    @Test func onlyWhatWaitsIsHeldBack() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await lab.submit(2)
            let other = try await lab.submit(1, origin: "https://other.example:443")
            let claims = try await lab.claim(ledger).filter { $0.download.id != other[0] }
            _ = try await ledger.finish(claims.map { Self.end(lab, $0, .missed) })
            let impatient = try await lab.submit(2, ["waits_for_connectivity": false])
            let mirrored = try await lab.submit(
                1,
                [
                    "urls": ["https://m.example/f"],
                    "expected_digest": .string("sha256:" + String(repeating: "0", count: 64)),
                ])
            let found = try await lab.claim(ledger)
            #expect(Set(found.map(\.download.id)) == Set(impatient + mirrored))
            #expect(found.allSatisfy { !$0.isProbe })
            // The explanation for clients reads the columns that the claim obeys.
            let candidate = try #require(try await lab.find(claims[0].download.id)?.candidate)
            let situation = Situation(
                now: try await lab.now(), policy: Policy(limits: StoreLab.limits), zone: .utc)
            let codes = Admission.blockers(candidate, in: situation).map(\.code)
            #expect(codes == [.originUnreachable])
            let lanes = try await ForecastReads(pool: lab.pool).queue().lanes
            #expect(lanes.contains { $0.candidate.outage == candidate.origin.outage })
        }
    }

    /// A download that waits for its origin shows when the origin is tried next.
    @Test func theNextAttemptIsTheNextProbe() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await lab.submit(2)
            let claim = try #require(try await lab.claim(ledger, total: 1).first)
            _ = try await ledger.finish([Self.end(lab, claim, .missed)])
            let outage = try #require(try await Self.outage(lab, ledger))
            let shown = try #require(try await lab.find(claim.download.id))
            #expect(shown.download.nextAttemptAt == outage.probeAt)
            let other = try #require(try await lab.submit(1).first)
            #expect(try await lab.find(other)?.download.nextAttemptAt == nil, "it has none yet")
            _ = try await ledger.reached(claim.originKey)
            let open = try #require(try await lab.find(claim.download.id)).download.nextAttemptAt
            #expect(try #require(open) < outage.probeAt)
        }
    }

    /// If many origins are due to be tried, a claim takes only as many as may try.
    @Test func aClaimLetsSoManyTry() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            for origin in 0..<12 {
                try await lab.submit(3, origin: "https://o\(origin).example:443")
            }
            let claims = try await lab.claim(ledger, total: 12)
            _ = try await ledger.finish(claims.map { Self.end(lab, $0, .missed) })
            let dead = Set(claims.map(\.originKey))
            #expect(dead.count == 4)
            try await lab.submit(4, origin: "https://alive.example:443")
            try await Self.retry(lab)
            var order = ClaimOrder(
                try await lab.heads(ledger).map { LaneQuota(head: $0, count: 5) }, total: 40)
            for (probes, expected) in [(0, 0), (3, 3), (100, 1)] {
                order.probes = probes
                let found = try await ledger.claim(order, limits: StoreLab.limits).runs
                #expect(found.count { $0.isProbe } == expected)
                #expect(Set(found.filter(\.isProbe).map(\.originKey)).count == expected)
                #expect(found.filter(\.isProbe).allSatisfy { dead.contains($0.originKey) })
                let others = found.filter { !$0.isProbe && !dead.contains($0.originKey) }
                #expect(others.count == (probes == 0 ? 28 : 0), "the others are not held back")
            }
            #expect(try await lab.wrongGates() == 0)
        }
    }

    /// A probe reads and writes the rows of one download, however many wait.
    @Test func aProbeCostsTheSameForManyDownloads() async throws {
        var costs: [Int64] = []
        for count in [50, 100_000] {
            try await StoreLab.with { lab in
                let ledger = try await lab.register()
                try await lab.submit(1)
                _ = try await lab.pool.query(
                    """
                    INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key,
                        state_since, deadline, life_since, class, rank)
                    SELECT gen_random_uuid(), q.lane_no, 1, q.run_at + n * interval '1 us', 1,
                        q.origin_key, now(), now() + interval '1 d', now(), q.class, q.rank
                    FROM queue q, generate_series(1, $1) n
                    """, [Int32(count)])
                _ = try await lab.pool.query("ANALYZE")
                let claim = try #require(try await lab.claim(ledger, total: 1).first)
                _ = try await ledger.finish([Self.end(lab, claim, .missed)])
                try await Self.retry(lab)
                let connection = PostgresConnection(url: lab.url)
                try await connection.open()
                let lane = try await lab.number("SELECT lane_no FROM lanes")
                let taking = StoreLab.claim(
                    ledger.replica, [lane], quota: 64, atOrigin: 64, limit: 100_000)
                let statement = "SELECT * FROM \(taking)"
                // Reads of the catalog by a new session do not count for the claim.
                _ = try await connection.query("BEGIN")
                _ = try await connection.query(statement)
                _ = try await connection.query("ROLLBACK")
                costs.append(try await StoreLab.pages(connection, statement))
                await connection.close()
                #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 1") == 1)
            }
        }
        #expect(costs[1] <= costs[0] + 24, "\(costs)")
    }

    /// The next probe comes after the pause that Swift knows for so many failed ones.
    @Test(arguments: [0, 1, 4, 5, 6, 7, 40])
    func aFailedProbeMovesTheNextOneByItsPause(probes: Int) async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await lab.submit(2)
            let first = try #require(try await lab.claim(ledger, total: 1).first)
            let end = Self.end(lab, first, .missed)
            _ = try await ledger.finish([end])
            let began = try #require(try await Self.outage(lab, ledger))
            #expect(began.probeAt == began.since + Outage.pause(afterProbes: 0))
            try await Self.retry(lab)
            _ = try await lab.pool.query(
                "UPDATE gates SET probes = $1 WHERE unreachable_since IS NOT NULL",
                [Int32(probes)])
            let probe = try #require(try await lab.claim(ledger, total: 1).first)
            #expect(probe.isProbe)
            let missed = Self.end(lab, probe, .probeMissed)
            _ = try await ledger.finish([missed])
            let next = try #require(try await Self.outage(lab, ledger))
            #expect(next.probeAt == missed.at + Outage.pause(afterProbes: probes + 1))
        }
    }
}
