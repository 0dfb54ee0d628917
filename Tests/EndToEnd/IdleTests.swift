// A service without work sleeps.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct IdleTests {
        /// Counts the times that threads of the program went to sleep by themselves; see proc(5).
        ///
        /// The bound is several times the normal number, and a tenth of that of any polling loop.
        @Test(.timeLimit(.minutes(3)))
        func idleServiceSleeps() async throws {
            try await World.with { world in
                // One file is downloaded first, so that every part has worked.
                _ = try await world.origin.makeFile("a", length: 100_000)
                let url = "\(world.origin.base)/a"
                let id = try await world.client.create(LullClient.Order(url: url)).id
                let download = try await world.client.download(id, wait: 30)
                #expect(download.state == "succeeded")
                try await Task.sleep(for: .seconds(6))
                let process = try #require(await world.lull.identifier)
                let before = try switches(of: process)
                try await Task.sleep(for: .seconds(20))
                let count = try switches(of: process) - before
                #expect(count < 20 * 12, "\(count) sleeps in 20 seconds")
            }
        }

        /// The sum of the voluntary context switches of all living threads.
        private func switches(of process: Int32) throws -> Int {
            let tasks = "/proc/\(process)/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) {
                sum, task in
                // A thread may end meanwhile.
                let file = FileHandle(forReadingAtPath: "\(tasks)/\(task)/status")
                let status = String(decoding: file?.availableData ?? Data(), as: UTF8.self)
                let line = status.split(separator: "\n").first {
                    $0.hasPrefix("voluntary_ctxt_switches:")
                }
                return sum + (line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0)
            }
        }
    }
}
