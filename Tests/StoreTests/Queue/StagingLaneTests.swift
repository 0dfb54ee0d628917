// The lane of uploads that receive their bytes, under the walk over all lanes.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct StagingLaneTests {
    @Test func theWalkOverAllLanesMakesNoUploadDueThatReceives() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submitUpload(at: own)
            for _ in 1...2 {
                // Lanes that were not used for an hour are removed if they are empty.
                let row = try await lab.pool.query(
                    """
                    SELECT removed::bigint, wrong::bigint
                    FROM lull_forget_lanes(0, 1000, clock_timestamp() + interval '1 h')
                    """)[0]
                let (removed, wrong): (Int64, Int64) = try row.values()
                #expect(removed == 0 && wrong == 0)
                #expect(try await lab.heads(ledger).isEmpty)
                #expect(try await lab.claim(ledger).isEmpty)
                #expect(try await lab.state(of: id) == .receiving)
            }
        }
    }

    @Test func anUploadThatReceivesIsNotCountedAsWaiting() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            _ = try await lab.register(instance: own)
            let first = try await lab.submitUpload(at: own)
            _ = try await lab.submitUpload(at: own)
            try await lab.submit(3)
            #expect(try await lab.downloads.laneLoads.count { true } == 1)
            let figures = try await lab.downloads.queueFigures.read()
            #expect(figures.live == 5 && figures.receiving == 2)
            #expect(figures.waiting == 3 && figures.waitingInLanes == 3)
            #expect(figures.oldest.count == 1)
            _ = try await lab.downloads.perform(.suspend, on: first, app: 1)
            let later = try await lab.downloads.queueFigures.read()
            #expect(later.receiving == 1 && later.suspended == 1 && later.waiting == 3)
            _ = try await lab.downloads.perform(.resume, on: first, app: 1)
            #expect(try await lab.downloads.laneLoads.count { true } == 1)
            #expect(try await lab.downloads.queueFigures.read().receiving == 2)
        }
    }
}
