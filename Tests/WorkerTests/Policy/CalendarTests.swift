// What a calendar books for, read from a real queue.
import Core
import Platform
import Store
import Support
import Testing
import Transfers

@testable import Worker

@Suite struct CalendarTests {
    /// The sums that are booked: known and unknown sizes, of what waits and of what runs.
    @Test func lanesAreSummedUp() async throws {
        try await Replica.with({ _ in Answer.whole([]) }, isRunning: false) { replica, origin in
            let files: [(String, Int64?)] = [("/a", 1000), ("/b", 3000), ("/c", nil)]
            for (path, expected) in files {
                var members: JSONObject = ["is_discretionary": true]
                if let expected {
                    members["count_of_bytes_client_expects_to_receive"] = .integer(expected)
                }
                _ = try await replica.submit(origin.url(path), members)
            }
            _ = try await replica.submit(origin.url("/d"))
            let lanes = try await replica.downloads.queue.queuedLanes(rows: 100, lanes: 10)
            let found = try #require(lanes.first { $0.candidate.isDiscretionary })
            #expect(lanes.count == 2)
            #expect(found.count == 3 && found.unknown == 1 && found.bytes == 4000)
            #expect(found.candidate.need == 3000 && found.candidate.deadline.complete == nil)
            let name = found.candidate.originName ?? ""
            #expect(origin.url().hasPrefix(name) && !name.isEmpty)
            #expect(try await replica.downloads.queue.queuedLanes(rows: 2, lanes: 10).count == 1)
            #expect(try await replica.downloads.queue.queuedLanes(rows: 100, lanes: 1).count == 1)
        }
    }
}
