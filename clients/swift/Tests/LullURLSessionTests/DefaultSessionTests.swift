import Foundation
import LullClient
import Support
import Testing

/// Tasks of a default session end with their program.
@Suite(.enabled(if: World.binary != nil))
struct DefaultSessionTests {
    private func start(_ world: World, _ name: String) throws -> Program {
        let products = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
        let folder = world.folder.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try Program(
            products.appending(path: "KilledClient").path,
            [world.server.absoluteString, folder.path, world.origin, "3", "default"],
            environment: ["TMPDIR": world.folder.path],
            log: world.folder.appending(path: "client.log"))
    }

    /// The hundredths of a second for which a program was busy.
    private func ticks(_ pid: Int32) throws -> Int {
        let text = try String(contentsOf: URL(filePath: "/proc/\(pid)/stat"), encoding: .utf8)
        // The name of the program, in parentheses, may have spaces.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return try #require(Int(fields[12])) + #require(Int(fields[13]))
    }

    /// The names of the default sessions that have live downloads.
    private func live(_ lull: Lull) async throws -> [String: Int] {
        var sessions: [String: Int] = [:]
        for try await download in lull.downloads() where download.completedAt == nil {
            sessions[download.session, default: 0] += 1
        }
        return sessions
    }

    @Test func theDownloadsOfAKilledProgramEndAndThoseOfOthersGoOn() async throws {
        try await withWorld(rate: 1000) { world in
            for number in 0..<3 { try world.makeFile("\(number).bin", length: 500_000) }
            let lull = Lull(server: world.server)
            let first = try start(world, "first")
            let old = try await eventually {
                try await live(lull).first { $0.value == 3 }?.key
            }
            let second = try start(world, "second")
            _ = try await eventually {
                try await live(lull).values.count { $0 == 3 } == 2 ? true : nil
            }
            let shown = try await lull.getSession(identifier: old)
            #expect(shown.configuration.endsWithClient == "30s")
            // Not to wait for half a minute.
            try await lull.changeSession(identifier: old, SessionPatch(endsWithClient: .set("5s")))
            // A program that listens rests: in a second it is busy for a small part of it.
            let before = try ticks(second.pid)
            try await Task.sleep(for: .seconds(1))
            #expect(try ticks(second.pid) - before < 30)
            first.kill()
            let ends = try await eventually {
                var ends: [Download] = []
                for try await download in lull.downloads(session: old) { ends.append(download) }
                return ends.allSatisfy { $0.state == .canceled } ? ends : nil
            }
            #expect(ends.count == 3)
            #expect(ends.allSatisfy { $0.cancelReason == .clientGone })
            #expect(try await live(lull).values.map(\.self) == [3], "the other program's")
            // The next program has the name of the first, and removes what that left behind.
            let third = try start(world, "third")
            _ = try await eventually {
                try await live(lull)[old] == 3 ? true : nil
            }
            _ = try await eventually {
                var count = 0
                for try await _ in lull.downloads(session: old) { count += 1 }
                return count == 3 ? true : nil
            }
            second.kill()
            third.kill()
        }
    }
}
