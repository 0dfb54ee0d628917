// Files come and go with their rows: kept for their time, swept when no row needs them.
import Base
import Downloads
import Foundation
import Postgres
import Store
import Support
import Testing
import Trees

@testable import Content
@testable import Worker

@Suite struct RetentionTests {
    @Test func contentExpires() async throws {
        let soon: (inout WorkerSettings) -> Void = { $0.retentionInterval = .milliseconds(50) }
        try await Replica.with(change: soon, { _ in Answer.whole(content(1000)) }) {
            replica, origin in
            let short = try await replica.submit(origin.url("/a"), ["content_retention": 1])
            let long = try await replica.submit(origin.url("/b"), ["content_retention": 1000])
            let kept = try await replica.reached(.succeeded, long)
            let gone = try await replica.reached(.succeeded, short)
            #expect(gone.download.result["content"]?["expires_at"]?.stringValue != nil)
            #expect(try await eventually { try replica.lab.files().count == 1 })
            #expect(try replica.file(kept) == content(1000))
            #expect(
                try await replica.find(short).download.result.content?.state
                    == .expired)
            #expect(try await eventually { try await replica.number(rows) == 1 })
            #expect(try await replica.number("SELECT count(*) FROM events WHERE type = 13") == 1)
        }
    }

    /// The clock jumps by ten days: nothing ends by the jump, and expired content ends once the
    /// clock is steady.
    @Test func contentDoesNotExpireByAClockThatJumped() async throws {
        let soon: (inout WorkerSettings) -> Void = { $0.retentionInterval = .milliseconds(20) }
        try await Replica.with(change: soon, { _ in Answer.whole(content(1000)) }) {
            replica, origin in
            let kept = try await replica.submit(origin.url("/a"), ["content_retention": 86_400])
            _ = try await replica.reached(.succeeded, kept)
            replica.lab.clock.restart(now: replica.lab.clock.now - .seconds(864_000))
            #expect(replica.lab.clock.set(now: replica.lab.clock.now + .seconds(864_000)))
            #expect(replica.lab.clock.steadyNow == nil)
            // The rows as seen by a clock that is ten days ahead.
            _ = try await replica.pool.query(
                """
                UPDATE contents SET due_at = due_at - interval '10 days',
                    expires_at = expires_at - interval '10 days'
                """)
            // Every end of a download calls the duty.
            for name in ["b", "c"] {
                let id = try await replica.submit(origin.url("/" + name))
                _ = try await replica.reached(.succeeded, id)
            }
            #expect(try await replica.find(kept).download.result.content?.state == .held)
            #expect(try replica.lab.files().count == 3)
            replica.lab.clock.restart(now: replica.lab.clock.now)
            #expect(
                try await eventually {
                    try await replica.find(kept).download.result.content?.state == .expired
                })
        }
    }

    private let rows = "SELECT count(*) FROM contents"

    @Test func aMissingFileAndADamagedOneAreLost() async throws {
        let soon: (inout WorkerSettings) -> Void = {
            $0.missingGrace = .milliseconds(10)
            $0.missingInterval = .milliseconds(50)
        }
        try await Replica.with(change: soon, { _ in Answer.whole(content(1000)) }) {
            replica, origin in
            var records: [DownloadRecord] = []
            for name in ["a", "b", "c"] {
                let id = try await replica.submit(origin.url("/" + name))
                records.append(try await replica.reached(.succeeded, id))
            }
            let names = try records.map { record in
                ContentName(
                    download: record.download.id, fence: try #require(record.contentFence))
            }
            try replica.lab.store.delete(names[0])
            try replica.lab.store.delete(names[1])
            let short = try replica.lab.store.create(names[1])
            _ = replica.lab.store.publish([CompletedPart(part: short, length: 0)])
            // A reader misses one of the files.
            replica.worker.missed(records[0].download.id, fence: names[0].fence)
            let ids = records.map(\.download.id)
            #expect(
                try await eventually { try await states(ids, replica) == [.lost, .lost, .held] })
        }
    }

    /// Many missing files are held until a client decides, and a file that is found later is
    /// content again.
    @Test func manyMissingFilesAreHeldAndLostOnesComeBack() async throws {
        let soon: (inout WorkerSettings) -> Void = {
            $0.missingGrace = .milliseconds(10)
            $0.missingInterval = .milliseconds(50)
        }
        try await Replica.with(change: soon, { _ in Answer.whole(content(1000)) }) {
            replica, origin in
            let instance = replica.lab.store.instance
            let gauge = replica.worker.gauge
            let (ledger, _) = try await Ledger.register(
                pool: replica.pool, instance: instance, node: "here", lease: .seconds(600),
                changes: replica.changes)
            let replicas = replica.downloads.replicas
            let number = try #require(
                await replicas.list().first { $0.instance == instance }?.number)
            var ids: [Identifier] = []
            for name in ["a", "b", "c"] {
                ids.append(try await replica.submit(origin.url("/" + name)))
                _ = try await replica.reached(.succeeded, ids[ids.count - 1])
            }
            let files = try replica.lab.files()
            var away = try replica.lab.takeAway()
            // Readers miss all of them.
            for id in ids { replica.worker.missed(id, fence: 1) }
            #expect(try await eventually { gauge.heldMissing?.replica == number })
            #expect(gauge.heldMissing?.count == 3 && gauge.missingFiles == 3)
            // The files are back: none is waited for, and none was called lost.
            try replica.lab.bringBack(away)
            #expect(try await eventually { gauge.heldMissing == nil && gauge.missingFiles == 0 })
            #expect(try await states(ids, replica) == [.held, .held, .held])
            away = try replica.lab.takeAway()
            for id in ids { replica.worker.missed(id, fence: 1) }
            #expect(try await eventually { gauge.heldMissing?.replica == number })
            #expect(
                try await eventually {
                    try await replicas.acceptLoss(of: number) == .done(3)
                })
            #expect(
                try await eventually { try await states(ids, replica) == [.lost, .lost, .lost] })
            #expect(gauge.lost == 3)
            #expect(try await eventually { gauge.heldMissing == nil })
            // One file comes back damaged, the others whole.
            let damaged = try #require(away.keys.min())
            try Data(repeating: 7, count: 1000).write(to: URL(fileURLWithPath: damaged))
            try replica.lab.bringBack(away)
            await FileSweep.sweep(replica.worker)
            #expect(Set(try replica.lab.files()) == Set(files), "no file is removed")
            #expect(try await states(ids, replica).filter { $0 == .held }.count == 2)
            try await ledger.unregister()
        }
    }

    private func states(
        _ ids: [Identifier], _ replica: Replica
    ) async throws -> [ContentState?] {
        try await ids.asyncMap { try await replica.find($0).download.result.content?.state }
    }

    @Test func unreferencedFilesAreSwept() async throws {
        try await Replica.with({ _ in [] }, isRunning: false) { replica, _ in
            let id = try await replica.submit("http://127.0.0.1:1/")
            _ = try await replica.pool.query("UPDATE queue SET fence = 3")
            let store = replica.lab.store
            let files: [(Identifier, Int64)] = [(id, 2), (id, 3), (WorkerLab.identifier(), 4)]
            for (owner, fence) in files {
                let name = ContentName(download: owner, fence: fence)
                try store.create(name).write(content(10), at: 0)
            }
            await FileSweep.sweep(replica.worker)
            // The old part goes; files of runs stay, and files that no row names stay for a day.
            #expect(try replica.lab.files().count == 2)
            _ = try await replica.pool.query(
                "UPDATE instances SET first_seen_at = first_seen_at - interval '2 days'")
            await FileSweep.sweep(replica.worker)
            #expect(try replica.lab.files().count == 2)
            try age(replica.lab)
            await FileSweep.sweep(replica.worker)
            #expect(try replica.lab.files() == ["\(id.hexadecimal).3.part"])
        }
    }

    /// The sweep waits for a lock; meanwhile a download is claimed and ends.
    @Test func claimsDoNotWaitForTheSweep() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }, isRunning: false) {
            first, origin in
            try await WorkerLab.with { lab in
                var options = ConnectionOptions()
                options.lockTimeoutMilliseconds = 0
                options.statementTimeoutMilliseconds = 0
                options.callTimeoutMilliseconds = 0
                let replica = try await Replica(
                    lab, url: first.url, options: options, isRunning: true, change: { _ in })
                let orphan = ContentName(download: WorkerLab.identifier(), fence: 1)
                try lab.store.create(orphan).write(content(10), at: 0)
                try age(lab)
                let lock = PostgresConnection(url: first.url)
                try await lock.open()
                try await lock.script(
                    """
                    INSERT INTO instances (instance, first_seen_at)
                    VALUES ('\(lab.store.instance.hexadecimal)', now() - interval '2 days')
                    """)
                try await lock.script("BEGIN; LOCK TABLE instances")
                let running = Task { await replica.worker.run() }
                let id = try await replica.submit(origin.url("/a"))
                let record: Result<DownloadRecord, any Error>
                do {
                    record = .success(try await replica.reached(.succeeded, id))
                } catch {
                    record = .failure(error)
                }
                #expect(try lab.files().contains { $0.hasSuffix(".1.part") })
                await lock.close()
                _ = try record.get()
                #expect(
                    try await eventually { try !lab.files().contains { $0.hasSuffix(".part") } })
                await replica.worker.drain(grace: .seconds(10))
                await running.value
                await replica.pool.close()
            }
        }
    }

    /// Makes all files look as if they had been written two days ago.
    private func age(_ lab: WorkerLab) throws {
        let before = Date(timeIntervalSinceNow: -2 * 86_400)
        for shard in try FileManager.default.contentsOfDirectory(
            atPath: lab.directory + "/content")
        {
            let folder = lab.directory + "/content/" + shard
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.setAttributes(
                    [.modificationDate: before], ofItemAtPath: folder + "/" + name)
            }
        }
    }
}
