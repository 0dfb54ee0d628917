// Two replicas that crash, lose their lease and finish late, with clients in between: in any order
// of events the counters are true and every download ends once.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

/// One data directory with the processes that come and go on it.
private struct Machine {
    private static let outcomes: [RunOutcome] = [
        .succeeded, .failed, .retryScheduled, .retryScheduled, .canceled, .suspended,
        .attentionRequired,
    ]

    let lab: StoreLab
    let instance = StoreLab.identifier()
    var random: SeededGenerator
    var ledger: Ledger
    var held: [ClaimedDownload] = []
    var zombies: [(ledger: Ledger, claim: ClaimedDownload)] = []
    var lateEnds = 0
    var crashes = 0

    init(lab: StoreLab, seed: UInt64) async throws {
        self.lab = lab
        random = SeededGenerator(seed: seed)
        ledger = try await lab.register(instance: instance)
    }

    /// Makes one step; fails the test if the store accepts a report of a replaced replica or
    /// refuses one of the owner.
    mutating func step() async throws {
        switch random.next() % 100 {
        case ..<40: try await claim()
        case ..<72: try await finish()
        case ..<79: try await report()
        case ..<84: try await crash()
        case ..<87: try await loseLease()
        case ..<96: try await endLate()
        default: _ = try await ledger.reap()
        }
    }

    private mutating func claim() async throws {
        let heads = try await lab.heads(ledger)
        let quotas = heads.map { LaneQuota(head: $0, count: Int(random.next() % 3) + 1) }
        let limits = PolicyLimits(running: 100, perOrigin: 6, perSession: 9)
        do throws(StoreError) {
            held += try await ledger.claim(ClaimOrder(quotas, total: 4), limits: limits).runs
        } catch {
            guard error.code == .leaseLost else { throw error }
            try await crash()
        }
    }

    private mutating func finish() async throws {
        held.shuffle(using: &random)
        let count = min(held.count, Int(random.next() % 3) + 1)
        let batch = Array(held.prefix(count))
        guard !batch.isEmpty else { return }
        held.removeFirst(count)
        let now = try await lab.now()
        let runs = batch.map { claim in
            var run = lab.end(
                claim, Machine.outcomes[Int(random.next() % UInt64(Machine.outcomes.count))],
                at: now)
            run.attemptsWithoutProgress = Int(random.next() % 5)
            // Some downloads continue with a mirror at another origin.
            if random.next() % 3 == 0 {
                run.nextOrigin = "https://o\(random.next() % 3).example:443"
            }
            return run
        }
        let accepted = try await ledger.finish(runs)
        // The other machine may have taken the downloads meanwhile; then none is owned here.
        if accepted != Set(batch.map(\.download.id)) {
            let beat = await failure { [ledger] () throws(StoreError) in
                _ = try await ledger.heartbeat(lease: .seconds(60))
            }
            #expect(beat == .leaseLost, "an owner was refused")
        }
    }

    private mutating func report() async throws {
        let progress = held.map { claim in
            var download = claim.download
            download.bytesReceived += 1
            return RunProgress(
                download: download, fence: claim.fence, at: claim.claimedAt + .milliseconds(1),
                resume: nil, emitsEvent: false)
        }
        _ = try await ledger.report(progress)
    }

    /// The process dies and another starts on its data directory.
    private mutating func crash() async throws {
        crashes += 1
        zombies += held.map { (ledger, $0) }
        held = []
        ledger = try await lab.register(instance: instance)
    }

    /// The process sleeps; a replica that notices the ended lease takes its downloads.
    private mutating func loseLease() async throws {
        _ = try await lab.pool.query(
            "UPDATE replicas SET expires_at = '-infinity' WHERE replica_no = $1",
            [ledger.replica])
        while try await ledger.reap() > 0 {}
        try await crash()
    }

    private mutating func endLate() async throws {
        guard !zombies.isEmpty else { return }
        let (ledger, claim) = zombies.remove(at: Int(random.next() % UInt64(zombies.count)))
        let accepted = try await ledger.finish([lab.end(claim, .succeeded)])
        #expect(accepted.isEmpty, "a zombie was believed")
        lateEnds += 1
    }

    /// Ends everything that can be ended.
    mutating func settle() async throws {
        for _ in 0..<1000 {
            let runs = held.map { lab.end($0, .succeeded) }
            held = []
            _ = try await ledger.finish(runs)
            held = try await lab.claim(ledger)
            if held.isEmpty { return }
        }
        Issue.record("the queue does not become empty")
    }
}

@Suite struct LedgerStressTests {
    @Test(arguments: [1, 2])
    func countersMatchRowsAfterConcurrentRandomSteps(seed: UInt64) async throws {
        try await StoreLab.with(connections: 8) { lab in
            let first = try await Machine(lab: lab, seed: seed)
            let second = try await Machine(lab: lab, seed: seed + 1000)
            let ends = try await withThrowingTaskGroup(of: Machine?.self) { group in
                for machine in [first, second] {
                    group.addTask {
                        var machine = machine
                        for _ in 0..<700 { try await machine.step() }
                        return machine
                    }
                }
                group.addTask {
                    try await clients(lab, seed: seed + 2000, steps: 600)
                    return nil
                }
                return try await group.reduce(into: [Machine]()) { list, machine in
                    if let machine { list.append(machine) }
                }
            }
            #expect(ends.allSatisfy { $0.crashes > 0 && $0.lateEnds > 0 })
            #expect(try await lab.wrongGates() == 0)
            for machine in ends {
                var machine = machine
                try await machine.settle()
            }
            try await end(lab)
            try await check(lab)
        }
    }

    private static let members: JSONObject = [
        "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
    ]

    private func clients(_ lab: StoreLab, seed: UInt64, steps: Int) async throws {
        var random = SeededGenerator(seed: seed)
        // Each origin has its gate before a mirror is at it.
        var ids: [Identifier] = []
        for number in 0..<3 {
            ids += try await lab.submit(
                1, Self.members, origin: "https://o\(number).example:443")
        }
        for _ in 0..<steps {
            if ids.count < 5 || random.next() % 100 < 50 {
                ids += try await lab.submit(
                    1, Self.members, origin: "https://o\(random.next() % 3).example:443")
            } else {
                let actions: [DownloadAction] = [.suspend, .resume, .resume, .resume, .cancel]
                let action = actions[Int(random.next() % UInt64(actions.count))]
                let id = ids[Int(random.next() % UInt64(ids.count))]
                _ = try await lab.downloads.perform(action, on: id, app: 1)
            }
            if random.next() % 100 == 0 {
                #expect(try await lab.wrongGates() == 0)
                #expect(try await lab.wrongLanes() == [])
            }
        }
    }

    /// Downloads that clients left suspended, or that need a client, are resumed and end.
    private func end(_ lab: StoreLab) async throws {
        let rows = try await lab.pool.query("SELECT id FROM queue")
        for row in rows {
            let id = try row.get(0, as: UUIDValue.self).identifier
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
        }
        var last = try await Machine(lab: lab, seed: 1)
        _ = try await lab.pool.query("UPDATE replicas SET expires_at = '-infinity'")
        while try await last.ledger.reap() > 0 {}
        last.ledger = try await lab.register()
        try await last.settle()
    }

    private func check(_ lab: StoreLab) async throws {
        #expect(try await lab.number("SELECT count(*) FROM queue") == 0)
        #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
        #expect(try await lab.number("SELECT count(*) FROM downloads") > 100)
        let wrong: [(String, String)] = [
            (
                "exactly one terminal event, the one of the state",
                """
                SELECT d.id FROM downloads d LEFT JOIN events e
                    ON e.download_id = d.id AND e.type IN (9, 10, 11)
                GROUP BY d.id, d.state HAVING count(e.journal_no) <> 1 OR min(e.type) <>
                    CASE d.state WHEN 1 THEN 9 WHEN 2 THEN 10 WHEN 4 THEN 11 END
                """
            ),
            (
                "an attempt is recorded once",
                "SELECT id FROM attempts GROUP BY id, fence HAVING count(*) > 1"
            ),
            (
                "every start has its end",
                """
                SELECT e.download_id FROM events e WHERE e.type = 3 AND NOT EXISTS (
                    SELECT 1 FROM attempts a WHERE a.id = e.download_id AND a.attempt = e.attempt)
                """
            ),
            (
                "an event has a number of its own",
                """
                SELECT download_id FROM events GROUP BY download_id, sequence HAVING count(*) > 1
                """
            ),
            (
                "the winner's fence is that of a successful attempt",
                """
                SELECT d.id FROM downloads d
                WHERE d.state = lull_state('succeeded') AND NOT EXISTS (
                    SELECT 1 FROM attempts a
                    WHERE a.id = d.id AND a.fence = d.content_fence AND a.outcome = 1)
                """
            ),
            (
                "every event is delivered",
                """
                SELECT e.journal_no FROM events e LEFT JOIN deliveries w
                    ON w.download_id = e.download_id AND w.sequence = e.sequence
                GROUP BY e.journal_no HAVING count(w.delivery_no) <> 1
                """
            ),
        ]
        for (rule, query) in wrong {
            let count = try await lab.pool.query(query).count
            #expect(count == 0, "\(rule)")
        }
    }
}
