// Places for further streams: under both limits, and given back with the download's own place.
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct SegmentTests {
    @Test func extraStreamsAreBoundedByFreePlaces() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            let narrow = PolicyLimits(running: 64, perOrigin: 3, perSession: 16)
            #expect(try await ledger.widen(by: 7, id, fence: claim.fence, limits: narrow) == 2)
            #expect(try await ledger.widen(by: 7, id, fence: claim.fence, limits: narrow) == 0)
            let wide = PolicyLimits(running: 64, perOrigin: 8, perSession: 4)
            #expect(try await ledger.widen(by: 7, id, fence: claim.fence, limits: wide) == 1)
            #expect(try await lab.number("SELECT extra_streams FROM queue") == 3)
            #expect(try await lab.number("SELECT sum(running) FROM gates WHERE kind < 4") == 12)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func staleAttemptTakesNoExtraStream() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            let limits = PolicyLimits(running: 64, perOrigin: 8, perSession: 8)
            let other = try await lab.register()
            #expect(try await other.widen(by: 2, id, fence: claim.fence, limits: limits) == 0)
            #expect(
                try await ledger.widen(by: 2, id, fence: claim.fence + 1, limits: limits) == 0)
            _ = try await lab.pool.query(
                "UPDATE gates SET not_before = clock_timestamp() + interval '1 h' WHERE kind = 1")
            #expect(try await ledger.widen(by: 2, id, fence: claim.fence, limits: limits) == 0)
            _ = try await lab.pool.query("UPDATE gates SET not_before = '-infinity'")
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            #expect(try await ledger.widen(by: 2, id, fence: claim.fence, limits: limits) == 0)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test(arguments: [
        RunOutcome.succeeded, .failed, .retryScheduled, .canceled, .suspended, .attentionRequired,
    ])
    func endReleasesExtraStreams(outcome: RunOutcome) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            let limits = PolicyLimits(running: 64, perOrigin: 8, perSession: 8)
            #expect(try await ledger.widen(by: 3, id, fence: claim.fence, limits: limits) == 3)
            #expect(try await ledger.finish([lab.end(claim, outcome)]) == [id])
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
            #expect(try await lab.number("SELECT coalesce(sum(extra_streams), 0) FROM queue") == 0)
        }
    }

    @Test func deadReplicaReleasesExtraStreams() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let id = claim.download.id
            let limits = PolicyLimits(running: 64, perOrigin: 8, perSession: 8)
            #expect(try await ledger.widen(by: 3, id, fence: claim.fence, limits: limits) == 3)
            try await ledger.unregister()
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
            #expect(try await lab.number("SELECT extra_streams FROM queue") == 0)
            #expect(try await lab.number("SELECT state FROM queue") == 0)
        }
    }
}
