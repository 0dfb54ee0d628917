// Lists that keep all their connections busy delay no other read.
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing

@Suite struct ListPoolTests {
    private static let asked = 60
    private static let connections = 2

    /// Sixty lists wait, two of them in the database, while reads by identifier, checks of keys and
    /// the question behind readiness are answered.
    @Test func readsAreAnsweredWhileAllConnectionsForListsAreTaken() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(5)
            let keys = APIKeys(pool: lab.pool)
            let digest = [UInt8](repeating: 7, count: 32)
            _ = try await keys.create(app: "default", digest: digest, scopes: KeyScope.standard)
            let lists = ListPoolTests.pool(lab)
            let locks = ConnectionPool(url: lab.url, size: 1)
            let downloads = Downloads(pool: lab.pool, lists: lists, changes: lab.changes)
            let (gate, finished) = (Gate(), Count())
            var asked: [Task<Int, any Error>] = []
            for _ in 0..<ListPoolTests.asked {
                asked.append(
                    Task {
                        await gate.wait()
                        let page = try await ListPoolTests.list(downloads)
                        finished.increment()
                        return page.records.count
                    })
            }
            try await locks.transaction { transaction throws(PostgresError) in
                // A list of a session reads this table; no other read below does.
                _ = try await transaction.query("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE")
                await gate.open()
                do {
                    let areWaiting = try await eventually {
                        await lists.health().waiting
                            == ListPoolTests.asked - ListPoolTests.connections
                    }
                    #expect(areWaiting)
                    for _ in 0..<20 {
                        for id in ids {
                            #expect(try await downloads.find(id, app: 1)?.download.id == id)
                        }
                        #expect(try await keys.grant(ofDigest: digest) != nil)
                        #expect(try await lab.pool.query("SELECT 1").count == 1)
                    }
                    #expect(finished.value == 0)
                } catch {
                    Issue.record(error)
                }
            }
            for task in asked { #expect(try await task.value == ids.count) }
            await lists.close()
            await locks.close()
        }
    }

    /// More lists than may wait are refused at once, and the others are answered.
    @Test func moreListsThanMayWaitAreRefused() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3)
            let lists = ListPoolTests.pool(lab, waiters: 4)
            let locks = ConnectionPool(url: lab.url, size: 1)
            let downloads = Downloads(pool: lab.pool, lists: lists, changes: lab.changes)
            let (gate, refused) = (Gate(), Count())
            var asked: [Task<Int?, any Error>] = []
            for _ in 0..<ListPoolTests.asked {
                asked.append(
                    Task {
                        await gate.wait()
                        do throws(StoreError) {
                            return try await ListPoolTests.list(downloads).records.count
                        } catch {
                            guard error.code == .overloaded else { throw error }
                            refused.increment()
                            return nil
                        }
                    })
            }
            // Lists that wait while connections are opened count as well.
            let least = ListPoolTests.asked - ListPoolTests.connections - 4
            try await locks.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE")
                await gate.open()
                do {
                    #expect(try await eventually { refused.value >= least })
                } catch {
                    Issue.record(error)
                }
            }
            var answered = 0
            for task in asked {
                guard let count = try await task.value else { continue }
                #expect(count == ids.count)
                answered += 1
            }
            #expect(answered >= 4 && answered + refused.value == ListPoolTests.asked)
            await lists.close()
            await locks.close()
        }
    }

    private final class Count: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func increment() { count.withLock { $0 += 1 } }
    }

    /// A gate that is closed until it is opened, once.
    private actor Gate {
        private var isOpen = false
        private var waiters: [CheckedContinuation<Void, Never>] = []

        func wait() async {
            if isOpen { return }
            await withCheckedContinuation { waiters.append($0) }
        }

        func open() {
            isOpen = true
            for waiter in waiters { waiter.resume() }
            waiters = []
        }
    }

    private static func pool(_ lab: StoreLab, waiters: Int = 64) -> ConnectionPool {
        var limits = PoolLimits()
        limits.waitersMax = waiters
        limits.waitMilliseconds = 600_000
        var options = ConnectionOptions()
        options.statementTimeoutMilliseconds = 600_000
        options.lockTimeoutMilliseconds = 600_000
        return ConnectionPool(url: lab.url, size: connections, options: options, limits: limits)
    }

    private static func list(_ downloads: Downloads) async throws(StoreError) -> DownloadPage {
        var filter = DownloadFilter()
        filter.session = "default"
        return try await downloads.list(app: 1, filter, after: nil, limit: 10)
    }
}
