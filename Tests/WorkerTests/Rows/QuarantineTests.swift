// Files that no row names are set aside for a time before they are removed.
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

@Suite struct QuarantineTests {
    /// A download with a file that no row names any more, because its rows name a later one: as
    /// after a database was restored from a backup.
    private func withForgottenFile(
        _ change: @escaping (inout WorkerSettings) -> Void = { _ in },
        _ body: (Replica, Identifier, String) async throws -> Void
    ) async throws {
        try await Replica.with(change: change, { _ in Answer.whole(content(1000)) }) {
            replica, origin in
            let id = try await replica.submit(origin.url("/a"))
            _ = try await replica.reached(.succeeded, id)
            let file = try #require(try replica.lab.files().first)
            try await name(1, later: id, replica)
            try await body(replica, id, file)
        }
    }

    /// Makes the rows of a download name a file whose fence is larger by this number.
    private func name(_ fences: Int, later id: Identifier, _ replica: Replica) async throws {
        for change in [
            "download_results SET content_fence = content_fence", "contents SET fence = fence",
        ] {
            _ = try await replica.pool.query(
                "UPDATE \(change) + $2 WHERE id = $1", [UUIDValue(id), Int64(fences)])
        }
    }

    private func resting(_ replica: Replica) throws -> [String] {
        let store = replica.lab.store
        return try Quarantine(of: store).hours()
            .flatMap { hour in try Quarantine(of: store).files(restingSince: hour) }
            .map { "\($0.name)" }
    }

    @Test func aFileThatARowNamesAgainIsTakenBack() async throws {
        try await withForgottenFile { replica, id, file in
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica) == [file])
            #expect(try replica.lab.files().isEmpty)
            #expect(replica.worker.gauge.quarantine == DiskGauge.Quarantine(files: 1, bytes: 1000))
            try await name(-1, later: id, replica)
            await FileSweep.sweep(replica.worker)
            #expect(try replica.lab.files() == [file])
            #expect(try resting(replica).isEmpty)
            #expect(replica.worker.gauge.quarantine == DiskGauge.Quarantine())
        }
    }

    @Test func aFileThatAReaderMissesIsTakenBack() async throws {
        try await withForgottenFile { replica, id, file in
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica) == [file])
            try await name(-1, later: id, replica)
            replica.worker.missed(id, fence: 1)
            #expect(try await eventually { try replica.lab.files() == [file] })
            #expect(try await replica.find(id).download.result.content?.state == .held)
        }
    }

    @Test func aFileWhoseTimeIsOverIsRemovedByASteadyClockAlone() async throws {
        try await withForgottenFile { replica, _, file in
            await FileSweep.sweep(replica.worker)
            let hours = try Quarantine(of: replica.lab.store).hours()
            let folder = replica.lab.directory + "/content/quarantine/"
            let hour = try #require(hours.first)
            try FileManager.default.moveItem(
                atPath: folder + "\(hour)", toPath: folder + "\(hour - 24)")
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica) == [file], "the hour itself is not over")
            try FileManager.default.moveItem(
                atPath: folder + "\(hour - 24)", toPath: folder + "\(hour - 26)")
            let now = replica.lab.clock.now
            replica.lab.clock.restart(now: now - .seconds(864_000))
            replica.lab.clock.set(now: now)
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica) == [file], "the clock has jumped")
            replica.lab.clock.restart(now: now)
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica).isEmpty)
            #expect(try Quarantine(of: replica.lab.store).hours().isEmpty)
        }
    }

    /// No file is kept of a download that was deleted by request, was canceled, or is ephemeral.
    @Test(arguments: [
        "download_requests SET spec = spec || '{\"ephemeral\": true}'",
        "download_results SET state = lull_state('canceled')",
        "download_results SET result = jsonb_set(result, '{content,state}', '\"released\"')",
        "download_results SET result = jsonb_set(result, '{content,state}', '\"expired\"')",
    ])
    func downloadsThatLeaveNothingHaveNoFileInTheQuarantine(_ change: String) async throws {
        try await withForgottenFile { replica, id, file in
            // This also holds for a file that is set aside already.
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica) == [file])
            _ = try await replica.pool.query(
                "UPDATE \(change) WHERE id = $1", [UUIDValue(id)])
            let earlier = ContentName(download: id, fence: 0)
            try replica.lab.store.create(earlier).write(content(10), at: 0)
            await FileSweep.sweep(replica.worker)
            #expect(try resting(replica).isEmpty)
            #expect(try replica.lab.files().isEmpty)
        }
    }

    @Test func withoutAQuarantineFilesAreRemovedAtOnce() async throws {
        try await withForgottenFile({ $0.quarantine = .zero }) { replica, _, _ in
            await FileSweep.sweep(replica.worker)
            let (left, kept) = (try resting(replica), try replica.lab.files())
            #expect(left.isEmpty && kept.isEmpty)
        }
    }

    @Test func restingFilesTakeNoRoomThatADownloadWaitsFor() async throws {
        let full: (inout WorkerSettings) -> Void = {
            $0.minimumFree = 1 << 60
            $0.diskInterval = .milliseconds(20)
        }
        try await Replica.with(change: full, { _ in Answer.whole(content(10)) }) { replica, _ in
            let store = replica.lab.store
            let now = FileSweep.hour(replica.lab.clock.now)
            for fence in [1, 2] as [Int64] {
                let name = ContentName(download: WorkerLab.identifier(), fence: fence)
                let part = try store.create(name)
                try part.write(content(10), at: 0)
                _ = store.publish([CompletedPart(part: part, length: 10)])
                let file = try #require(
                    try (UInt8.min...UInt8.max).flatMap { try store.files(inShard: $0) }
                        .first { $0.name == name })
                #expect(try Quarantine(of: store).isolate(file, hour: now - fence))
            }
            #expect(try resting(replica).count == 2)
            await FileSweep.sweep(replica.worker)
            #expect(try await eventually { try resting(replica).isEmpty })
            #expect(try await eventually { replica.worker.gauge.quarantine.files == 0 })
        }
    }
}
