import Foundation
import LullClient
import Support
import Testing

/// Kills of the program and of the service lose no task.
@Suite(.enabled(if: World.binary != nil))
struct KillTests {
    /// How many kills there are, 30 by `LULL_CLIENT_KILLS`; every second is of the service.
    static let kills =
        ProcessInfo.processInfo.environment["LULL_CLIENT_KILLS"].flatMap { Int($0) } ?? 2

    @Test func everyFileArrivesThroughKillsOfClientAndService() async throws {
        let count = KillTests.kills > 2 ? 50 : 12
        try await withWorld(rate: 100_000) { world in
            var bytes: [Data] = []
            for number in 0..<count {
                bytes.append(try world.makeFile("\(number).bin", length: 150_000 + number * 1000))
            }
            let folder = world.folder.appending(path: "files")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var client = try start(world, folder, count)
            // What the service had before each kill of the client, and how long its log was then.
            var known: [(lines: Int, names: Set<String>)] = []
            for kill in 0..<KillTests.kills {
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...900)))
                if kill % 2 == 0 {
                    let names = try await names(Lull(server: world.server))
                    client.kill()
                    let log = FileManager.default.contents(
                        atPath: folder.appending(path: "log").path)
                    let lines = (log ?? Data()).split(separator: UInt8(ascii: "\n"))
                    known.append((lines.count, names))
                } else {
                    world.killLull()
                    try await world.start()
                }
                if !client.isRunning { client = try start(world, folder, count) }
            }
            do {
                _ = try await eventually { client.isRunning ? nil : true }
            } catch {
                client.kill()
                let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
                let left = try await Lull(server: world.server).listDownloads().data
                    .map { "\($0.url) \($0.state) \($0.blockers.map(\.detail))" }
                Issue.record("the client does not end: \(log) \(left)")
                return
            }
            #expect(client.status() == 0)
            for number in 0..<count {
                let file = folder.appending(path: "\(number).bin")
                #expect(try Data(contentsOf: file) == bytes[number], "\(number)")
            }
            let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
            #expect(!log.contains("failed") && !log.contains("lost"), "\(log)")
            let left = try await Lull(server: world.server).listDownloads().data
            #expect(left.isEmpty, "\(left.map(\.state))")
            // A task that the service had was found by all later runs, which did not make it again.
            let lines = log.split(separator: "\n")
            for (place, names) in known {
                let again = lines.dropFirst(place).filter {
                    $0.hasPrefix("made ") && names.contains(String($0.dropFirst(5)))
                }
                #expect(again.isEmpty)
            }
            #expect(lines.count { $0.hasPrefix("made ") } >= count)
        }
    }

    /// The names of the files of all tasks.
    private func names(_ lull: Lull) async throws -> Set<String> {
        var names: Set<String> = []
        for try await download in lull.downloads() {
            names.insert(String(download.url.split(separator: "/").last ?? ""))
        }
        return names
    }

    private func start(_ world: World, _ folder: URL, _ count: Int) throws -> Program {
        let products = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
        var environment = ProcessInfo.processInfo.environment.filter { $0.key != "LULL_BINARY" }
        environment["LULL_KEY"] = nil
        // Linux makes no difference between these folders: the bundle of tests is beside the programs.
        let program = products.appending(path: "KilledClient").path
        return try Program(
            program, [world.server.absoluteString, folder.path, world.origin, String(count)],
            environment: environment, log: world.folder.appending(path: "client.log"))
    }
}
