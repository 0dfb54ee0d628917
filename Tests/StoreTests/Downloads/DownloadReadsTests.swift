// Reads that share a statement: each gets its own download, with the values after it asked.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct DownloadReadsTests {
    @Test func concurrentReadsGetTheirOwnRows() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(20)
            let downloads = lab.downloads
            // Several batches, with repeated names and unknown names among them.
            let found = await withTaskGroup { group in
                for number in 0..<300 {
                    let id = number % 3 == 2 ? StoreLab.identifier() : ids[number % 20]
                    group.addTask { () -> (Int, Identifier?, Bool) in
                        do {
                            let record = try await downloads.find(id, app: 1)
                            return (number, record?.download.id, true)
                        } catch {
                            return (number, nil, false)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found.count == 300)
            for (number, id, isAnswered) in found {
                #expect(isAnswered)
                #expect(id == (number % 3 == 2 ? nil : ids[number % 20]), "\(number)")
            }
        }
    }

    @Test func readsAreLimitedToTheApp() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            let downloads = lab.downloads
            async let mine = downloads.find(id, app: 1)
            async let others = downloads.find(id, app: 2)
            #expect(try await mine?.download.id == id)
            #expect(try await others == nil)
        }
    }

    @Test func readSeesEarlierCommits() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(8)
            let downloads = lab.downloads
            // Other reads keep a statement under way all the time.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in ids {
                    group.addTask {
                        for _ in 0..<10 {
                            for action in [DownloadAction.suspend, .resume] {
                                _ = try await downloads.perform(action, on: id, app: 1)
                                let state = try await downloads.find(id, app: 1)?.download.state
                                #expect(state == (action == .suspend ? .suspended : .waiting))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func cancelledReadLeavesTheOthers() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            let downloads = lab.downloads
            for _ in 0..<20 {
                let first = Task { try await downloads.find(id, app: 1) }
                first.cancel()
                #expect(try await downloads.find(id, app: 1)?.download.id == id)
                _ = await first.result
            }
        }
    }

    @Test func failureReachesAllWaitingReads() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            let downloads = lab.downloads
            await lab.pool.close()
            let failures = await withTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask { () -> StoreError.Code? in
                        do throws(StoreError) {
                            _ = try await downloads.find(id, app: 1)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures == Array(repeating: .unavailable, count: 100))
        }
    }
}
