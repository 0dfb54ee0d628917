// Origins that no row names any more are removed with their gates; a row that names an origin keeps
// it.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct OriginAgeTests {
    private static let old = "UPDATE origins SET used_at = clock_timestamp() - interval '90 d'"

    private static func name(_ label: String) -> String { "https://\(label).example:443" }

    /// A download that ended and is removed, in a lane that is removed.
    private func vanished(_ lab: StoreLab, _ ledger: Ledger, _ label: String) async throws {
        try await lab.submit(1, origin: Self.name(label))
        _ = try await ledger.finish(try await lab.claim(ledger).map { lab.end($0, .failed) })
        _ = try await lab.pool.query("DELETE FROM download_requests")
    }

    private func forgetLanes(_ lab: StoreLab) async throws {
        _ = try await lab.pool.query(
            "SELECT lull_forget_lanes(0, 1000, clock_timestamp() + interval '1 h')")
    }

    /// Removes what may be removed, in steps; returns the labels that are left.
    private func forget(_ lab: StoreLab, limit: Int = 2) async throws -> [String] {
        let history = History(pool: lab.pool)
        var last: Int64?
        repeat {
            last = try await history.forgetOrigins(
                after: last, olderThan: .seconds(30 * 86_400), limit: limit
            ).last
        } while last != nil
        let rows = try await lab.pool.query("SELECT split_part(origin, '/', 3) FROM origins")
        let gates = try await lab.number("SELECT count(*) FROM gates WHERE kind = 1")
        #expect(gates == Int64(rows.count), "each has its gate")
        return try rows.map { row in
            String(try row.get(0, as: String.self).prefix { $0 != "." })
        }.sorted()
    }

    @Test func originsThatNothingNamesAreRemoved() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            for label in ["gone1", "gone2", "gone3", "limited", "cooling", "recent"] {
                try await vanished(lab, ledger, label)
            }
            // An origin is kept by a row that runs, rests or waits, and by a lane.
            try await lab.submit(1, origin: Self.name("running"))
            #expect(try await lab.claim(ledger).count == 1)
            let ids = try await lab.submit(1, origin: Self.name("suspended"))
            _ = try await lab.downloads.perform(.suspend, on: ids[0], app: 1)
            try await forgetLanes(lab)
            try await lab.submit(1, origin: Self.name("waiting"))
            _ = try await lab.pool.query(Self.old)
            _ = try await lab.pool.query(
                "UPDATE origins SET used_at = now() - interval '30 d' WHERE origin = $1",
                [Self.name("recent")])
            for (label, change) in [
                ("limited", "running_limit = 3"),
                ("cooling", "not_before = now() + interval '1 h'"),
            ] {
                _ = try await lab.pool.query(
                    """
                    UPDATE gates SET \(change) WHERE kind = 1
                        AND key = (SELECT origin_key FROM origins WHERE origin = $1)
                    """, [Self.name(label)])
            }
            let kept = ["cooling", "limited", "recent", "running", "suspended", "waiting"]
            #expect(try await forget(lab) == kept)
            #expect(try await forget(lab, limit: 100) == kept)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    /// The list of ended downloads names their origin, which stays as long as they do.
    @Test func originsOfDownloadsThatStayAreMarked() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let ids = try await lab.submit(2, origin: Self.name("kept"))
            _ = try await ledger.finish(try await lab.claim(ledger).map { lab.end($0, .failed) })
            try await forgetLanes(lab)
            _ = try await lab.pool.query(Self.old)
            let history = History(pool: lab.pool)
            // The events of the removed downloads are still in the journal.
            let step = try await history.forgetDownloads(
                after: nil, olderThan: .seconds(60), limit: 9)
            #expect(step.removed == 0)
            #expect(try await forget(lab) == ["kept"])
            var filter = DownloadFilter()
            filter.origin = Self.name("kept")
            let found = try await lab.downloads.list(app: 1, filter, after: nil, limit: 9).records
            #expect(Set(found.map(\.download.id)) == Set(ids))
        }
    }

    /// An intake that remembers numbers for a time asks for a removed one again, with and without a
    /// key, one by one and in a batch.
    @Test func rememberedNumberOfARemovedOriginIsAskedForAgain() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let intake = Intake(pool: lab.pool)
            let origin = Self.name("back")
            var numbers: Set<Int64> = []
            for round in 0..<4 {
                let new = try lab.draft(origin: origin)
                let key = IdempotencyKey(
                    app: 1, hash: StoreLab.identifier(), fingerprint: StoreLab.identifier())
                let answer = KeyedAnswer(
                    key, StoredAnswer(status: 201, headers: JSONObject(), body: "{}"))
                switch round {
                case 0, 1: _ = try await intake.submit(new)
                case 2: #expect(try await intake.submit(batch: [new], idempotency: answer) == .mine)
                default: #expect(try await intake.submit(batch: [new], idempotency: nil) == .mine)
                }
                let claims = try await lab.claim(ledger)
                #expect(claims.map(\.download.id) == [new.download.id])
                numbers.formUnion(claims.map(\.originKey))
                _ = try await ledger.finish(claims.map { lab.end($0, .failed) })
                try await forgetLanes(lab)
                _ = try await lab.pool.query(Self.old)
                #expect(try await forget(lab) == [])
            }
            #expect(numbers.count == 4)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func retryAfterTheOriginWasRemovedRuns() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            _ = try await ledger.finish([lab.end(claim, .failed)])
            try await forgetLanes(lab)
            _ = try await lab.pool.query(Self.old)
            #expect(try await forget(lab) == [])
            _ = try await lab.downloads.perform(.retry, on: claim.download.id, app: 1)
            let again = try await lab.claim(ledger)
            #expect(again.count == 1 && again.first?.originKey != claim.originKey)
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM downloads d JOIN origins o USING (origin_key)") == 1)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    /// Creates over remembered numbers, claims, ends, retries and the removal of lanes and origins
    /// as soon as they are made, all at once: no row is without its origin and gate.
    @Test(arguments: [1, 2])
    func removalBesideAllThatUsesOriginsLosesNone(seed: UInt64) async throws {
        try await StoreLab.with(connections: 10) { lab in
            let ledgers = [try await lab.register(), try await lab.register()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, ledger) in ledgers.enumerated() {
                    group.addTask { try await work(lab, ledger, seed: seed * 100 + UInt64(place)) }
                }
                for place in UInt64(0)..<2 {
                    group.addTask { try await create(lab, seed: seed * 1000 + place) }
                }
                group.addTask {
                    for _ in 0..<150 {
                        try await forgetLanes(lab)
                        _ = try await lab.pool.query(Self.old)
                        _ = try await lab.pool.query(
                            "SELECT lull_forget_origins(0, interval '0', 1000)")
                    }
                }
                try await group.waitForAll()
            }
            let stray = try await lab.number(
                """
                SELECT count(*) FROM queue q WHERE NOT EXISTS (
                    SELECT 1 FROM origins o JOIN gates g ON g.kind = 1 AND g.key = o.origin_key
                    WHERE o.origin_key = q.origin_key)
                """)
            #expect(stray == 0)
            #expect(try await lab.wrongLanes() == [])
            #expect(try await lab.wrongGates() == 0)
            var rounds = 0
            let left = "SELECT count(*) FROM queue WHERE state < 2"
            while try await lab.number(left) > 0, rounds < 50 {
                let claims = try await lab.claim(ledgers[0])
                _ = try await ledgers[0].finish(claims.map { lab.end($0, .succeeded) })
                rounds += 1
            }
            #expect(try await lab.number(left) == 0)
        }
    }

    private func create(_ lab: StoreLab, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let intake = Intake(pool: lab.pool)
        for _ in 0..<120 {
            let origin = Self.name("o\(random.next() % 3)")
            let new = try lab.draft(origin: origin)
            // A removal may come behind both numbers that were asked for.
            _ = await failure { () throws(StoreError) in _ = try await intake.submit(new) }
            switch random.next() % 4 {
            case 0: await perform(.suspend, lab, new)
            case 1:
                await perform(.cancel, lab, new)
                await perform(.retry, lab, new)
            default: break
            }
        }
    }

    /// A removal may come behind this, too.
    private func perform(_ action: DownloadAction, _ lab: StoreLab, _ new: NewDownload) async {
        _ = await failure { () throws(StoreError) in
            _ = try await lab.downloads.perform(action, on: new.download.id, app: 1)
        }
    }

    private func work(_ lab: StoreLab, _ ledger: Ledger, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<120 {
            let claims = try await lab.claim(ledger, total: 1 + Int(random.next() % 6))
            let now = try await lab.now()
            _ = try await ledger.finish(
                claims.map { claim in
                    let outcome: RunOutcome =
                        random.next() % 4 == 0 ? .retryScheduled : .succeeded
                    var run = lab.end(claim, outcome, at: now)
                    run.runAt = run.download.state == .waiting ? now : nil
                    return run
                })
        }
    }
}
