// The private PostgreSQL is killed: the program restarts it, or ends with an error.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct DatabaseLossTests {
        /// The postmaster that the world's own lull has started.
        private func postmaster(_ world: World) throws -> Int32 {
            let file = try world.scratch.read("data/postgres/data/postmaster.pid")
            return try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        }

        @Test(.timeLimit(.minutes(4)))
        func aKilledDatabaseIsRestartedAndDownloadsContinue() async throws {
            try await World.with(originBytesPerSecond: 100_000) { world in
                _ = try await world.origin.makeFile("slow.bin", length: 600_000)
                let order = LullClient.Order(
                    url: "\(world.origin.base)/slow.bin",
                    webhookUrl: "\(world.receiverURL)/204")
                let running = try await world.client.create(order)
                try await eventually("a transfer under way") {
                    let now = try await world.client.download(running.id)
                    return now.state == "running" ? () : nil
                }
                for count in 1...2 {
                    let lost = try postmaster(world)
                    #expect(kill(lost, SIGKILL) == 0)
                    try await eventually("another postmaster") {
                        let found = try world.scratch.read("data/postgres/data/postmaster.pid")
                        return found.isEmpty || found.hasPrefix("\(lost)\n") ? nil : ()
                    }
                    try await eventually("readiness") {
                        try await Curl.get("\(world.lull.base)/readyz").status == 200 ? () : nil
                    }
                    // Connections may be back before the program has counted the restart.
                    try await eventually("restart \(count) counted") {
                        let metrics = try await Curl.get("\(world.lull.base)/metrics").body
                        let line = "\nlull_embedded_postgres_restarts_total \(count)\n"
                        return metrics.contains(line) ? () : nil
                    }
                }
                let after = try await world.client.create(order)
                for id in [running.id, after.id] {
                    let ended = try await world.client.download(id, wait: 60)
                    #expect(ended.state == "succeeded", "\(ended)")
                    let isWhole = try await world.client.hasContent(
                        id, equalTo: "\(world.origin.files)/slow.bin")
                    #expect(isWhole)
                }
                try await eventually("both webhooks") {
                    let told = Set(try await world.receiver.deliveries().compactMap(\.subject))
                    return told.isSuperset(of: [running.id, after.id]) ? () : nil
                }
                let log = try await world.lull.log()
                #expect(log.contains("private PostgreSQL ended unexpectedly and is started again"))
                #expect(log.contains("private PostgreSQL started again"))
                #expect(CommandRun.internalWords(in: log) == [])
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func aDatabaseThatCannotBeStartedEndsTheProcess() async throws {
            try await World.with { world in
                let data = world.scratch.file("data/postgres/data")
                let settings = try FileHandle(
                    forWritingTo: URL(filePath: "\(data)/postgresql.conf"))
                try settings.seekToEnd()
                try settings.write(contentsOf: Data("\nno_such_setting = 1\n".utf8))
                try settings.close()
                #expect(kill(try postmaster(world), SIGKILL) == 0)
                #expect(try await world.lull.end() == 1)
                let log = try await world.lull.log()
                #expect(
                    log.contains("lull: the private PostgreSQL failed 5 times in 5 minutes"))
                #expect(log.contains("no_such_setting"), "the server's own words")
                #expect(CommandRun.internalWords(in: log) == [])
                #expect(log.components(separatedBy: "and is started again").count == 5)
            }
        }
    }
}
