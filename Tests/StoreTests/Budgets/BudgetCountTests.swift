// Budgets over replicas: the bytes that are reserved, received and given back.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

/// Budgets in a database, with the policy that has them.
struct BudgetLab {
    let lab: StoreLab
    let policy: Policy

    init(_ lab: StoreLab, _ budgets: String) throws {
        self.lab = lab
        policy = try Policy.parse(
            try JSON.parse("{\"budgets\": \(budgets)}"), defaults: StoreLab.limits
        ) { $0 == "UTC" }.get()
    }

    /// The budgets of a candidate at an instant.
    func demands(_ now: Timestamp, origin: String = StoreLab.origin) -> [BudgetDemand] {
        var candidate = AdmissionCandidate(
            isDiscretionary: false, session: "default", createdAt: now, waitingSince: now,
            runAt: now, attempt: 0, origin: GateReading(), sessionGate: GateReading())
        candidate.app = "default"
        candidate.originName = origin
        return Admission.budgetDemands(
            candidate, in: Situation(now: now, policy: policy, zone: .utc))
    }

    /// Claims from every lane under the budgets.
    func claim(
        _ ledger: Ledger, total: Int = 1000, at now: Timestamp? = nil
    ) async throws -> ClaimAnswer {
        let heads = try await lab.heads(ledger)
        let instant = try await lab.now()
        var order = ClaimOrder(
            heads.map { LaneQuota(head: $0, count: total) }, total: total)
        order.budgets = heads.map {
            demands(now ?? instant, origin: $0.originName ?? "")
        }
        return try await ledger.claim(order, limits: StoreLab.limits)
    }

    /// Counts the bytes that a run has brought.
    func settle(
        _ ledger: Ledger, _ claims: [(ClaimedDownload, received: Int64)], whole: Int64,
        at now: Timestamp? = nil
    ) async throws -> (refused: Set<Identifier>, readings: Budgets.Readings) {
        let instant = try await lab.now()
        return try await Budgets(ledger).settle(
            claims.map { claim, received in
                BudgetedRun(
                    id: claim.download.id, fence: claim.fence, received: received, sent: 0,
                    whole: whole, toSend: 0, demands: demands(now ?? instant))
            }, replica: ledger.replica)
    }

    /// Spent and reserved of all counters of a budget.
    func sums(_ budget: String) async throws -> (spent: Int64, reserved: Int64) {
        let row = try await lab.pool.query(
            """
            SELECT coalesce(sum(spent), 0)::bigint, coalesce(sum(reserved), 0)::bigint
            FROM budget_counters WHERE budget = $1
            """, [budget])[0]
        return (try row.get(0), try row.get(1))
    }

    /// The number of counters whose reservations are not the sum of those of the running downloads.
    func wrongCounters() async throws -> Int64 {
        try await lab.number(
            """
            SELECT count(*) FROM budget_counters c WHERE c.reserved <> (
                SELECT coalesce(sum(h.held), 0) FROM queue q
                CROSS JOIN LATERAL unnest(q.budget_holds) h WHERE h.counter_no = c.counter_no)
            """)
    }
}

@Suite struct BudgetCountTests {
    private static let mebi: Int64 = 1 << 20

    private static func expecting(_ bytes: Int64, sends: Int64 = 0) -> JSONObject {
        var object: JSONObject = ["count_of_bytes_client_expects_to_receive": .integer(bytes)]
        if sends > 0 { object["count_of_bytes_client_expects_to_send"] = .integer(sends) }
        return object
    }

    @Test func aClaimReservesWhatItsDownloadsExpectOverTwoReplicas() async throws {
        try await StoreLab.with { lab in
            let world = try BudgetLab(
                lab, #"[{"name": "day", "bytes": 1000, "per": "day", "scope": "deployment"}]"#)
            try await lab.submit(10, Self.expecting(300))
            let (first, second) = (try await lab.register(), try await lab.register())
            let mine = try await world.claim(first, total: 2)
            #expect(mine.runs.count == 2)
            #expect(mine.budgets.map(\.reading.reserved) == [600])
            let theirs = try await world.claim(second, total: 5)
            #expect(theirs.runs.count == 1)
            #expect(try await world.claim(first).runs.isEmpty)
            #expect(try await world.sums("day") == (0, 900))
            // The rest of a run that brought less is given back in the transaction of its end.
            var end = lab.end(mine.runs[0], .succeeded)
            (end.received, end.sent) = (120, 0)
            _ = try await first.finish([end])
            #expect(try await world.sums("day") == (120, 600))
            #expect(try await world.claim(second).runs.isEmpty)
            end = lab.end(mine.runs[1], .retryScheduled)
            (end.received, end.sent) = (20, 0)
            _ = try await first.finish([end])
            #expect(try await world.sums("day") == (140, 300))
            #expect(try await world.claim(second).runs.count == 1)
            #expect(try await world.wrongCounters() == 0)
        }
    }

    @Test func whatDoesNotFitIsPassedByAndSentBytesCount() async throws {
        try await StoreLab.with { lab in
            let world = try BudgetLab(
                lab,
                """
                [{"name": "in", "bytes": 1000, "per": "day", "scope": "app", "counts": "received"},
                 {"name": "out", "bytes": 100, "per": "day", "scope": "origin", "counts": "sent"}]
                """)
            let ids = [
                try await lab.submit(1, Self.expecting(900, sends: 10))[0],
                try await lab.submit(1, Self.expecting(200, sends: 10))[0],
                try await lab.submit(1, Self.expecting(50, sends: 95))[0],
                try await lab.submit(1, Self.expecting(60, sends: 90))[0],
            ]
            let ledger = try await lab.register()
            let claimed = try await world.claim(ledger).runs.map(\.download.id)
            #expect(Set(claimed) == [ids[0], ids[3]])
            #expect(try await world.sums("in") == (0, 960))
            #expect(try await world.sums("out") == (0, 100))
        }
    }

    @Test func bytesBeyondTheExpectedAreReservedInChunksAndAHardBudgetEnds() async throws {
        try await StoreLab.with { lab in
            let whole = 100 * Self.mebi
            for isHard in [true, false] {
                let name = isHard ? "hard" : "soft"
                let world = try BudgetLab(
                    lab,
                    """
                    [{"name": "\(name)", "bytes": \(200 * Self.mebi), "per": "day",
                      "scope": "deployment", "hard": \(isHard)}]
                    """)
                try await lab.submit(1, Self.expecting(whole))
                let ledger = try await lab.register()
                let claim = try #require(try await world.claim(ledger).runs.first)
                var refusedAt: Int64?
                for step in 1...30 {
                    let received = Int64(step) * 10 * Self.mebi
                    let answer = try await world.settle(
                        ledger, [(claim, received)], whole: whole)
                    #expect(try await world.sums(name).spent == received)
                    #expect(try await world.wrongCounters() == 0)
                    if !answer.refused.isEmpty {
                        refusedAt = received
                        break
                    }
                }
                // The run stops before it has used more than the budget has.
                #expect(refusedAt == (isHard ? 190 * Self.mebi : nil), "\(name)")
                _ = try await ledger.finish([lab.end(claim, .canceled)])
                #expect(try await world.sums(name).reserved == 0)
            }
        }
    }

    /// A late or repeated report counts nothing twice.
    @Test func aReportCountsItsBytesOnce() async throws {
        try await StoreLab.with { lab in
            let world = try BudgetLab(
                lab, #"[{"name": "day", "bytes": 1000, "per": "day", "scope": "session"}]"#)
            try await lab.submit(1, Self.expecting(500))
            let ledger = try await lab.register()
            let claim = try #require(try await world.claim(ledger).runs.first)
            for received: Int64 in [100, 100, 300, 200, 300] {
                _ = try await world.settle(ledger, [(claim, received)], whole: 500)
            }
            #expect(try await world.sums("day") == (300, 200))
            var end = lab.end(claim, .succeeded)
            (end.received, end.sent) = (500, 0)
            _ = try await ledger.finish([end])
            _ = try await ledger.finish([end])
            _ = try await world.settle(ledger, [(claim, 700)], whole: 500)
            #expect(try await world.sums("day") == (500, 0))
        }
    }

    @Test func aDeadReplicaHoldsNothing() async throws {
        try await StoreLab.with { lab in
            let world = try BudgetLab(
                lab, #"[{"name": "day", "bytes": 1000, "per": "day", "scope": "deployment"}]"#)
            try await lab.submit(3, Self.expecting(300))
            let dead = try await lab.register()
            let claims = try await world.claim(dead).runs
            #expect(claims.count == 3)
            _ = try await world.settle(dead, claims.map { ($0, 100) }, whole: 300)
            _ = try await lab.pool.query(
                "UPDATE replicas SET expires_at = now() - interval '1 s'")
            let other = try await lab.register()
            while try await other.reap() > 0 {}
            #expect(try await world.sums("day") == (300, 0))
            #expect(try await world.wrongCounters() == 0)
            #expect(try await world.claim(other).runs.count == 2)
        }
    }

    @Test func aNewPeriodReservesTheRestAnewAndAnotherPolicyGivesBack() async throws {
        try await StoreLab.with { lab in
            let world = try BudgetLab(
                lab, #"[{"name": "hour", "bytes": 1000, "per": "hour", "scope": "deployment"}]"#)
            try await lab.submit(1, Self.expecting(800))
            let ledger = try await lab.register()
            let now = Timestamp(seconds: 1_900_000_000)
            let claim = try #require(try await world.claim(ledger, at: now).runs.first)
            _ = try await world.settle(ledger, [(claim, 500)], whole: 800, at: now)
            let later = now + .seconds(3600)
            let answer = try await world.settle(ledger, [(claim, 600)], whole: 800, at: later)
            #expect(answer.readings.map(\.reading.spent) == [100])
            #expect(answer.readings.map(\.reading.reserved) == [200])
            #expect(try await world.sums("hour") == (600, 200))
            #expect(try await world.wrongCounters() == 0)
            let none = try BudgetLab(lab, "[]")
            _ = try await none.settle(ledger, [(claim, 700)], whole: 800, at: later)
            #expect(try await world.sums("hour") == (600, 0))
            #expect(try await world.wrongCounters() == 0)
            _ = try await lab.pool.query(
                "UPDATE budget_counters SET ends_at = now() - interval '25 h' WHERE spent = 500")
            #expect(try await Budgets(ledger).forget(batch: 10) == 1)
        }
    }
}
