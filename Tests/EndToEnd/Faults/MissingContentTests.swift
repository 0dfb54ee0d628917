// Content that is taken away from a replica and put back, again and again: no file is deleted.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct MissingContentTests {
        /// The way in which the content is taken away.
        enum Way: String, CaseIterable {
            /// Every file, while the replica works.
            case files
            /// The folder of the content, while the replica stands still.
            case folder
            /// The folder of the content, while the replica stands still; an empty folder takes its
            /// place.
            case emptyFolder
        }

        /// The number of times that the content goes and comes back: a round takes up to a minute,
        /// so there is one for 25 of the other faults.
        private static let rounds = max(
            1, (Int(ProcessInfo.processInfo.environment["LULL_CHAOS"] ?? "") ?? 1) / 25)

        @Test(.timeLimit(.minutes(60)), arguments: Way.allCases)
        func contentThatComesBackIsServedAndNoFileIsDeleted(_ way: Way) async throws {
            try await World.with(settings: ["LULL_CONTENT_RETENTION": "30d"]) { world in
                let data = world.scratch.file("data")
                var ids: [String] = []
                for number in 0..<5 {
                    // A small file is written at its end, a large one in parts.
                    let name = "\(number).bin"
                    _ = try await world.origin.makeFile(name, length: 1000 + number * 400_000)
                    let order = LullClient.Order(url: "\(world.origin.base)/\(name)")
                    ids.append(try await world.client.create(order).id)
                    let ended = try await world.client.download(ids[number], wait: 60)
                    #expect(ended.state == "succeeded")
                }
                let before = try await ContentFolder(data).digests()
                #expect(before.count == 5)
                for round in 0..<Self.rounds {
                    try await loseAndFind(way, round, ids, world)
                }
                #expect(try await ContentFolder(data).digests() == before)
                let log = try await world.lull.log()
                #expect(!log.contains("content of a download is lost"))
                let metrics = try await Curl.get("\(world.lull.base)/metrics").body
                #expect(metrics.contains("\nlull_content_lost_total 0\n"))
                #expect(metrics.contains("\nlull_content_missing 0\n"))
            }
        }

        private func loseAndFind(
            _ way: Way, _ round: Int, _ ids: [String], _ world: World
        ) async throws {
            let (content, aside) = (
                world.scratch.file("data/content"), world.scratch.file("aside-\(round)")
            )
            let folder = ContentFolder(world.scratch.file("data"))
            var moved: [String: String] = [:]
            if way == .files {
                moved = try folder.takeAway(to: aside)
            } else {
                #expect(await world.lull.stop() == 0)
                try FileManager.default.moveItem(atPath: content, toPath: aside)
                if way == .emptyFolder {
                    try FileManager.default.createDirectory(
                        atPath: content, withIntermediateDirectories: false)
                }
                try await world.lull.start(untilReady: false)
            }
            // Files that no client reads are missed as well; a read of a missing file says so at
            // once.
            for id in ids {
                let gone = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)/content")
                #expect(gone.status == 503 && gone.body.contains("content-unavailable"), "\(gone)")
            }
            try await eventually("readiness says so", attempts: 1200) {
                let ready = try await Curl.get("\(world.lull.base)/readyz")
                return ready.status == 503 && ready.body.contains("files are missing") ? () : nil
            }
            if way != .files {
                let order = LullClient.Order(url: "\(world.origin.base)/0.bin")
                let late = try await world.client.create(order).id
                let waits = try await world.client.download(late, wait: 2)
                #expect(waits.state == "waiting")
                let isThere = FileManager.default.fileExists(atPath: content)
                let written =
                    isThere ? try FileManager.default.contentsOfDirectory(atPath: content) : []
                #expect(written.isEmpty, "\(written) are in a folder of another")
                _ = try await world.client.act("cancel", on: late)
                if FileManager.default.fileExists(atPath: content) {
                    try FileManager.default.removeItem(atPath: content)
                }
                try FileManager.default.moveItem(atPath: aside, toPath: content)
            } else {
                try folder.bringBack(moved)
            }
            for (number, id) in ids.enumerated() {
                try await eventually("the content of \(id)", attempts: 600) {
                    let file = "\(world.origin.files)/\(number).bin"
                    return try await world.client.hasContent(id, equalTo: file) ? () : nil
                }
            }
            try await eventually("readiness", attempts: 1200) {
                try await Curl.get("\(world.lull.base)/readyz").status == 200 ? () : nil
            }
        }
    }
}
