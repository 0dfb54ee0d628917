// Claiming: only due downloads, in order, under both limits, under a lease.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct ClaimTests {
    @Test func claimReturnsWhatAnAttemptNeeds() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(
                1,
                [
                    "webhook_url": "https://hooks.example/a", "priority": 0.8,
                    "webhook_events": ["download.started", "download.progress"],
                    "timeout_interval_for_resource": 100,
                ])[0]
            let ledger = try await lab.register()
            let claim = try #require(await lab.claim(ledger).first)
            #expect(claim.download.id == id)
            #expect(claim.download.state == .running)
            #expect(claim.download.url == StoreLab.origin + "/file")
            #expect(claim.download.attempt == 1)
            #expect(claim.download.sequence == 2)
            #expect(claim.download.startedAt == claim.claimedAt)
            #expect(claim.deadline - claim.download.createdAt == .seconds(100))
            #expect(claim.heardEvents.names == ["download.started", "download.progress"])
            #expect(claim.order == nil)
            #expect(claim.resume == nil)
            #expect(claim.attemptsWithoutProgress == 0)
            let download = try #require(await lab.find(id)).download
            #expect(download.state == .running)
            #expect(download.startedAt == claim.claimedAt)
            #expect(try await lab.events(of: id) == [.created, .started])
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM \(StoreLab.deliveredEvents) WHERE type = 3") == 1)
            #expect(try await lab.claim(ledger).isEmpty)
        }
    }

    @Test func claimRespectsEarliestBegin() async throws {
        try await StoreLab.with { lab in
            let date = try await lab.now() + .seconds(3600)
            let id = try await lab.submit(1, ["earliest_begin_date": .string(date.rfc3339)])[0]
            let ledger = try await lab.register()
            let page = try await ledger.lanes().page
            #expect(page.heads.isEmpty)
            let nextDue = try #require(page.nextDue)
            #expect(nextDue >= date - .milliseconds(1))
            #expect(try await lab.claim(ledger).isEmpty)
            _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
            #expect(try await lab.claim(ledger).isEmpty, "suspend and resume is no way around")
            // The row is claimed once the database's clock has passed its instant.
            try await lab.move("clock_timestamp() + interval '300 milliseconds'")
            let runAt = try await lab.pool.query("SELECT run_at FROM queue")[0]
                .get(0, as: TimestampValue.self).timestamp
            var claim: ClaimedDownload?
            #expect(
                try await eventually {
                    claim = try await lab.claim(ledger).first
                    return claim != nil
                })
            #expect(try #require(claim).claimedAt >= runAt)
        }
    }

    /// The next attempt of a download that waits up to its deadline is due at that deadline.
    @Test func whatHasNoTimeLeftIsNotClaimed() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(2)
            let ledger = try await lab.register()
            _ = try await lab.pool.query(
                "UPDATE queue SET deadline = clock_timestamp() WHERE id = $1", [UUIDValue(ids[0])])
            #expect(try await lab.claim(ledger, total: 2).map(\.download.id) == [ids[1]])
            #expect(try await lab.downloads.expire(limit: 10) == 1)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func claimRespectsLaneQuotasAndOrder() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(10)
            // The order of run_at, not of ids.
            for (place, id) in ids.enumerated() {
                try await lab.move(
                    "CASE id WHEN $1 THEN now() - $2 * interval '1 second' ELSE run_at END",
                    [UUIDValue(id), Int64(100 + (place * 7) % 10)])
            }
            let expected = ids.enumerated().sorted { ($0.offset * 7) % 10 > ($1.offset * 7) % 10 }
                .map(\.element)
            let ledger = try await lab.register()
            let head = try #require(await lab.heads(ledger).first)
            var got: [Identifier] = []
            for _ in 0..<5 {
                let some = try await ledger.claim(
                    ClaimOrder([LaneQuota(head: head, count: 2)], total: 100),
                    limits: StoreLab.limits
                ).runs
                #expect(some.count == 2)
                got += some.map(\.download.id).sorted {
                    expected.firstIndex(of: $0) ?? -1 < expected.firstIndex(of: $1) ?? -1
                }
            }
            #expect(got == expected)
        }
    }

    @Test func claimRespectsTheTotalOverLanes() async throws {
        try await StoreLab.with { lab in
            for number in 0..<4 {
                try await lab.submit(3, origin: "https://o\(number).example:443")
            }
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger, total: 5).count == 5)
            #expect(try await lab.claim(ledger, total: 100).count == 7)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func claimRespectsRetryAfterOfAnOrigin() async throws {
        try await StoreLab.with { lab in
            let (ledger, first) = try await lab.running()
            try await lab.submit(2)
            var run = RunRecord(first, outcome: .failed, event: .failed, at: first.claimedAt)
            run.coolOrigin = try await lab.now() + .seconds(600)
            #expect(try await ledger.finish([run]).count == 1)
            #expect(try await lab.claim(ledger).isEmpty)
            let head = try #require(await lab.heads(ledger).first)
            #expect(head.origin.notBefore == run.coolOrigin)
            _ = try await lab.pool.query("UPDATE pushbacks SET until = now() - interval '1 s'")
            #expect(try await lab.claim(ledger).count == 2)
        }
    }

    @Test(arguments: [(3, 1000), (1000, 4), (2, 5)])
    func limitsHoldUnderConcurrentClaims(perOrigin: Int, perSession: Int) async throws {
        try await StoreLab.with(connections: 10) { lab in
            let other = try #require(
                await Sessions(pool: lab.pool).put(
                    app: 1, identifier: "other", configuration: SessionConfiguration()
                ).record
            ).key
            for number in 0..<3 {
                let origin = "https://o\(number).example:443"
                try await lab.submit(12, origin: origin)
                try await lab.submit(12, origin: origin, session: other)
            }
            let ledgers = [try await lab.register(), try await lab.register()]
            let limits = PolicyLimits(
                running: 1000, perOrigin: perOrigin, perSession: perSession)
            let taken = try await withThrowingTaskGroup(of: [ClaimedDownload].self) { group in
                for claimer in 0..<8 {
                    group.addTask {
                        var taken: [ClaimedDownload] = []
                        for _ in 0..<6 {
                            taken += try await lab.claim(
                                ledgers[claimer % 2], total: 5, limits: limits)
                        }
                        return taken
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(taken.map(\.download.id)).count == taken.count, "one owner each")
            for ledger in ledgers { _ = try await lab.claim(ledger, limits: limits) }
            let most = try await lab.pool.query(
                """
                SELECT max(n) FILTER (WHERE kind = 1), max(n) FILTER (WHERE kind = 2), sum(n)
                FROM (SELECT 1 AS kind, count(*) AS n FROM queue WHERE state = 1 GROUP BY origin_key
                    UNION ALL
                    SELECT 2, count(*) FROM queue WHERE state = 1 GROUP BY session_no) z
                """)[0]
            let (origin, session): (Int64, Int64) = (try most.get(0), try most.get(1))
            #expect(origin <= Int64(perOrigin))
            #expect(session <= Int64(perSession))
            // The exact number is claimed: three origins, two sessions.
            #expect(
                try await lab.number("SELECT count(*) FROM queue WHERE state = 1")
                    == Int64(min(3 * perOrigin, 2 * perSession)))
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func gateLimitOverridesTheDefault() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(6)
            _ = try await lab.pool.query("UPDATE gates SET running_limit = 2 WHERE kind = 1")
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger).count == 2)
            _ = try await lab.pool.query("UPDATE gates SET running_limit = 0 WHERE kind = 2")
            #expect(try await lab.claim(ledger).isEmpty)
        }
    }

    @Test func claimWithoutALeaseIsRefused() async throws {
        try await StoreLab.with { lab in
            try await lab.submit()
            let ledger = try await lab.register()
            _ = try await lab.pool.query(
                "UPDATE replicas SET expires_at = clock_timestamp() - interval '1 s'")
            await expectFailure(.leaseLost) { () throws(StoreError) in
                _ = try await ledger.claim(ClaimOrder([], total: 1), limits: StoreLab.limits)
            }
            await expectFailure(.leaseLost) { () throws(StoreError) in
                _ = try await ledger.heartbeat(lease: .seconds(60))
            }
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 1") == 0)
        }
    }
}
