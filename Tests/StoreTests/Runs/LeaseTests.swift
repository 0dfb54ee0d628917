// Replicas come and go: their downloads are given back once, and at the right moment.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct LeaseTests {
    @Test func sameInstanceReleasesItsRunsAtOnce() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ids = try await lab.submit(3)
            let first = try await lab.register(instance: instance)
            let old = try await lab.claim(first)
            #expect(old.count == 3)
            let second = try await lab.register(instance: instance)
            #expect(second.replica != first.replica)
            for id in ids { #expect(try await lab.state(of: id) == .waiting) }
            let new = try await lab.claim(second)
            #expect(Set(new.map(\.download.id)) == Set(ids))
            #expect(new.allSatisfy { $0.attemptsWithoutProgress == 1 && $0.download.attempt == 2 })
            #expect(try await lab.wrongGates() == 0)
            await expectFailure(.leaseLost) { () throws(StoreError) in
                _ = try await first.heartbeat(lease: .seconds(60))
            }
            let outcomes = try await lab.number("SELECT count(*) FROM attempts WHERE outcome = 9")
            #expect(outcomes == 3)
        }
    }

    /// A request to be registered may reach the database after one that was sent later: runs under
    /// the later registration continue.
    @Test func aLateRegistrationReleasesNothing() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            try await lab.submit(2)
            let asked = try await lab.pool.query("SELECT clock_timestamp()")[0]
                .get(0, as: TimestampValue.self)
            let ledger = try await lab.register(instance: instance)
            #expect(try await lab.claim(ledger).count == 2)
            func join() async throws(PostgresError) {
                _ = try await lab.pool.query(
                    "SELECT lull_join($1, 'test', NULL, interval '60 s', $2)",
                    [UUIDValue(instance), asked])
            }
            await #expect(throws: PostgresError.self) { try await join() }
            #expect(try await lab.number("SELECT count(*) FROM replicas") == 1)
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 1") == 2)
            _ = try await ledger.heartbeat(lease: .seconds(60))
            // The clock of another server may be behind: an instant in the future is not compared.
            _ = try await lab.pool.query("UPDATE replicas SET asked_at = now() + interval '1 h'")
            try await join()
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 1") == 0)
        }
    }

    /// Whichever request is carried out first, one registration is left.
    @Test func registrationsAtOnceLeaveOne() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        _ = await failure { () throws(StoreError) in
                            _ = try await Ledger.register(
                                pool: lab.pool, instance: instance, node: "test",
                                lease: .seconds(60), changes: lab.changes)
                        }
                    }
                }
            }
            #expect(try await lab.number("SELECT count(*) FROM replicas") == 1)
            let ledger = try await lab.register(instance: instance)
            _ = try await ledger.heartbeat(lease: .seconds(60))
            #expect(try await lab.number("SELECT count(*) FROM replicas") == 1)
        }
    }

    @Test func otherInstancesWaitForTheLeaseToExpire() async throws {
        try await StoreLab.with { lab in
            let (_, claim) = try await lab.running()
            let other = try await lab.register()
            #expect(try await other.reap() == 0)
            #expect(try await lab.claim(other).isEmpty)
            #expect(try await lab.state(of: claim.download.id) == .running)
        }
    }

    @Test func expiredLeasesAreReleased() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3)
            let late = try await lab.register()
            #expect(try await lab.claim(late).count == 3)
            let other = try await lab.register()
            _ = try await lab.pool.query(
                """
                UPDATE replicas SET expires_at = clock_timestamp() - interval '1 s'
                WHERE replica_no = $1
                """, [late.replica])
            var rounds = 0
            while try await other.reap() > 0 { rounds += 1 }
            #expect(rounds == 2, "the downloads, then the replica")
            #expect(try await lab.number("SELECT count(*) FROM replicas") == 1)
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 0") == 3)
            #expect(try await lab.wrongGates() == 0)
            #expect(try await lab.claim(other).count == 3)
        }
    }

    @Test func aHeartbeatKeepsTheLease() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register(lease: .seconds(1))
            let beat = try await ledger.heartbeat(lease: .seconds(500))
            #expect(beat.orders.isEmpty)
            let left = try await lab.number(
                "SELECT extract(epoch FROM expires_at - clock_timestamp()) FROM replicas")
            #expect(left > 400)
            #expect(try await ledger.reap() == 0)
        }
    }

    @Test func deregistrationWaitsForARunningClaim() async throws {
        try await StoreLab.with { lab in
            try await lab.submit()
            let ledger = try await lab.register()
            let head = try #require(await ledger.lanes().page.heads.first)
            let claimer = PostgresConnection(url: lab.url)
            try await claimer.open()
            try await claimer.script("BEGIN")
            let claim = StoreLab.claim(
                ledger.replica, [head.lane], quota: 1, atOrigin: 10, limit: 10)
            let taken = try await claimer.query("SELECT id FROM \(claim)")
            #expect(taken.count == 1)
            let leaving = Task { try await ledger.unregister() }
            #expect(
                try await eventually {
                    try await lab.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0
                })
            try await claimer.script("COMMIT")
            try await leaving.value
            await claimer.close()
            #expect(try await lab.number("SELECT count(*) FROM replicas") == 0)
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 1") == 0)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func releaseContinuesAfterAnEmptyBatch() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(2)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger)
            let other = PostgresConnection(url: lab.url)
            try await other.open()
            // The first row ends while it is being given back; gates are locked first, as
            // everywhere.
            let first = try await lab.pool.query(
                "SELECT id FROM queue WHERE state = 1 AND replica_no = $1 LIMIT 1",
                [ledger.replica])[0].get(0, as: UUIDValue.self)
            #expect(claims.contains { $0.download.id == first.identifier })
            try await other.script(
                "BEGIN; SELECT 1 FROM gates ORDER BY kind, key FOR NO KEY UPDATE")
            let giving = Task {
                try await lab.pool.query("SELECT lull_release_replica($1, 1)", [ledger.replica])[0]
                    .get(0, as: Int32.self)
            }
            #expect(
                try await eventually {
                    try await lab.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0
                })
            _ = try await other.query("DELETE FROM queue WHERE id = $1", [first])
            try await other.script(
                "UPDATE gates SET running = running - 1 WHERE running > 0; COMMIT")
            await other.close()
            #expect(try await giving.value > 0, "one more is left")
            try await ledger.unregister()
            #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 1") == 0)
            #expect(try await lab.number("SELECT count(*) FROM replicas") == 0)
        }
    }

    @Test func runsOfALostClaimAnswerAreReleased() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3)
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger).count == 3)
            let now = try await lab.now()
            let before = now - .seconds(60)
            #expect(
                try await ledger.releaseUnknownRuns(known: [], claimedBefore: before) == 0,
                "too young")
            #expect(
                try await ledger.releaseUnknownRuns(known: [ids[0]], claimedBefore: now) == 2)
            #expect(try await lab.state(of: ids[0]) == .running)
            for id in ids[1...] { #expect(try await lab.state(of: id) == .waiting) }
            #expect(try await lab.wrongGates() == 0)
            let other = try await lab.register()
            let later = try await lab.now()
            #expect(
                try await other.releaseUnknownRuns(known: [], claimedBefore: later) == 0,
                "not its own")
            #expect(try await lab.claim(other).count == 2)
        }
    }

    @Test func aLateReleaseSparesWhatWasClaimedSince() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(2)
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger, total: 1).count == 1)
            // The state that the process knew when it sent the statement, and the time of that.
            let sent = try await lab.now()
            #expect(try await lab.claim(ledger).count == 1)
            #expect(try await ledger.releaseUnknownRuns(known: [], claimedBefore: sent) == 1)
            let states = [try await lab.state(of: ids[0]), try await lab.state(of: ids[1])]
            #expect(states.contains(.running) && states.contains(.waiting))
        }
    }

    @Test func resumePointNeedsTheFence() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            let point = ResumePoint(
                offset: 9, fence: claim.fence, instance: "here",
                facts: ResponseFacts(status: 200, url: "x"), total: nil, restarts: 0,
                now: claim.claimedAt)
            let isHeld = try await ledger.saveResumePoint(point, for: id, fence: claim.fence)
            let isLate = try await ledger.saveResumePoint(nil, for: id, fence: claim.fence - 1)
            #expect((isHeld, isLate) == (true, false))
            try await ledger.unregister()
            let successor = try await lab.register()
            let next = try #require(await lab.claim(successor).first)
            #expect(next.resume == point)
            let isForgotten = try await successor.saveResumePoint(nil, for: id, fence: next.fence)
            #expect(isForgotten)
            try await successor.unregister()
            #expect(try await lab.claim(lab.register()).first?.resume == nil)
        }
    }

    @Test func fileOwnersNameTheFilesOfRows() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger)
            let here = StoreLab.identifier()
            for claim in claims {
                var run = lab.end(claim, claim.download.id == ids[0] ? .succeeded : .retryScheduled)
                run.resume =
                    claim.download.id == ids[1]
                    ? ResumePoint(
                        offset: 9, fence: claim.fence, instance: here.hexadecimal,
                        facts: ResponseFacts(status: 200, url: "x"), total: nil, restarts: 0,
                        now: claim.claimedAt) : nil
                #expect(try await ledger.finish([run]).count == 1)
            }
            let stranger = StoreLab.identifier()
            let found = try await ledger.owners(of: ids + [stranger], instance: here)
            #expect(
                found.owners == [
                    ids[0]: .ended(content: 1), ids[1]: .live(fence: 2, kept: 1),
                    ids[2]: .live(fence: 2, kept: nil),
                ])
            let again = try await ledger.owners(of: ids, instance: here)
            #expect(again.knownSince == found.knownSince)
            let there = try await ledger.owners(of: [ids[1]], instance: StoreLab.identifier())
            #expect(there.owners == [ids[1]: .live(fence: 2, kept: nil)])
        }
    }
}
