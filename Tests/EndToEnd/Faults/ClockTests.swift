// The database's clock jumps by days in both directions: no download or content ends by it.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ClockTests {
        private static let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
        private static let rounds =
            Int(ProcessInfo.processInfo.environment["LULL_CHAOS"] ?? "") ?? 1

        /// A step of the clock, in the words of faketime; each is far beyond all retentions.
        private static let steps = ["+10d", "+0", "+400d", "-3d", "+0"]

        @Test(
            .enabled("no faketime here") { FileManager.default.fileExists(atPath: library) },
            .timeLimit(.minutes(60)))
        func aClockThatJumpsEndsNothing() async throws {
            let settings = [
                "LULL_LEASE": "6s", "LULL_DATABASE_TIMEOUT": "2s", "LULL_CLOCK_STEADY": "10m",
                "LULL_REPLICA_GONE_AFTER": "1d",
                "LULL_HISTORY_RETENTION": "2d", "LULL_DELIVERY_RETENTION": "1d",
            ]
            try await Fleet.with({ scratch, cluster in
                try await cluster.fakeClock(with: Self.library)
                return Fleet.Plan(settings: settings)
            }) { fleet in
                _ = try await fleet.origin.makeFile("a.bin", length: 300_000)
                var ids: [String] = []
                for number in 0..<6 {
                    var order = LullClient.Order(url: "\(fleet.origin.base)/a.bin")
                    order.contentRetention = 86_400
                    ids.append(try await fleet.client(number % 2).create(order).id)
                }
                for id in ids {
                    #expect(try await fleet.client(0).download(id, wait: 60).state == "succeeded")
                }
                // A download that waits, with a time limit of a day.
                var late = LullClient.Order(url: "\(fleet.origin.base)/a.bin")
                late.timeoutIntervalForResource = 86_400
                late.earliestBeginDate = "2099-01-01T00:00:00Z"
                let waiting = try await fleet.client(0).create(late).id
                for _ in 0..<Self.rounds {
                    for step in Self.steps {
                        try await fleet.cluster.setClock(step)
                        try await jump(fleet, ids, waiting)
                    }
                }
                for replica in fleet.replicas {
                    let log = try await replica.log()
                    #expect(log.contains("clock has jumped"))
                    #expect(!log.contains("is gone: its content is lost"))
                }
            }
        }

        /// The replicas see the jump, and one of them is killed and restarted during it.
        private func jump(_ fleet: Fleet, _ ids: [String], _ waiting: String) async throws {
            // Every end of a download calls the removal of content; it may come before a heartbeat.
            let order = LullClient.Order(url: "\(fleet.origin.base)/a.bin")
            let made = try await fleet.client(1).create(order).id
            try await eventually("both replicas to hold their ends", attempts: 1200) {
                () -> Void? in
                for replica in fleet.replicas {
                    let metrics = try await Curl.get("\(replica.base)/metrics").body
                    guard metrics.contains("\nlull_clock_steady 0\n") else { return nil }
                }
                return ()
            }
            await fleet.replicas[0].killHard()
            try await fleet.replicas[0].start()
            let metrics = try await Curl.get("\(fleet.replicas[0].base)/metrics").body
            #expect(metrics.contains("\nlull_clock_steady 0\n"), "what began anew knows of it")
            #expect(try await fleet.client(1).download(made, wait: 60).state == "succeeded")
            for (number, id) in ids.enumerated() {
                let file = "\(fleet.origin.files)/a.bin"
                try await eventually("the content of \(id)", attempts: 600) { () -> Void? in
                    let isWhole = try await fleet.client(number % 2).hasContent(id, equalTo: file)
                    return isWhole ? () : nil
                }
            }
            let state = try await fleet.client(0).download(waiting).state
            #expect(state == "waiting")
        }
    }
}
