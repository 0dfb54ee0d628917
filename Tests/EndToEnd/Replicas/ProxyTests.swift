// Two replicas behind nginx, by the file that docker/compose.replicas.yaml starts it with.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ProxyTests {
        private static let settings = [
            "LULL_LEASE": "8s", "LULL_DATABASE_TIMEOUT": "5s", "LULL_MAX_RUNNING_PER_ORIGIN": "16",
            "LULL_RETRY_BASE": "100ms", "LULL_RETRY_CAP": "1s",
        ]

        /// Runs a test with two replicas and nginx before them.
        private func withProxy(
            bytesPerSecond: Int? = nil,
            _ body: @Sendable (Fleet, LullClient) async throws -> Void
        ) async throws {
            try await Fleet.with({ _, _ in
                Fleet.Plan(settings: Self.settings, originBytesPerSecond: bytesPerSecond)
            }) { fleet in
                let proxy = try await ForeignServer.shippedNginx(
                    before: fleet.replicas.map(\.base), in: fleet.scratch)
                try await proxy.during { try await body(fleet, LullClient(base: proxy.base)) }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func requestsStreamsAndContentPassThroughTheShippedConfiguration() async throws {
            try await withProxy { fleet, client in
                _ = try await fleet.origin.makeFile("file.bin", length: 5_000_000)
                let order = LullClient.Order(url: "\(fleet.origin.base)/file.bin")
                let made = try await client.create(order)
                #expect(try await client.download(made.id, wait: 60).state == "succeeded")
                let file = "\(fleet.origin.files)/file.bin"
                #expect(try await client.hasContent(made.id, equalTo: file))
                // The body is as large as Lull reads: Lull answers, not the proxy.
                let body = #"{"url": "\#(String(repeating: "a", count: 4_000_000))"}"#
                try fleet.scratch.write(body, to: "body")
                let large = try await Curl.send(
                    "POST", "\(client.base)/v1/downloads", json: "@\(fleet.scratch.file("body"))")
                #expect(large.status == 422 && large.body.contains("\"errors\""), "\(large)")
                // An event goes through when it is written, while the stream is open.
                var waiting = order
                waiting.earliestBeginDate = "2099-01-01T00:00:00Z"
                let followed = try await client.create(waiting)
                let stream = try ChildProcess(
                    "/usr/bin/env",
                    [
                        "curl", "-sN", "-H", "Accept: text/event-stream",
                        "\(client.base)/v1/downloads/\(followed.id)/events",
                    ], environment: Environment.plain, log: fleet.scratch.file("stream"))
                _ = try await eventually("the first event of the stream") {
                    try fleet.scratch.read("stream").contains(followed.id) ? () : nil
                }
                #expect(stream.isRunning)
                #expect(try await client.act("cancel", on: followed.id).state == "canceled")
                #expect(await stream.status() == 0)
                #expect(try fleet.scratch.read("stream").contains("download.canceled"))
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aRollingRestartUnderLoadLosesAndRepeatsNothing() async throws {
            try await withProxy(bytesPerSecond: 400_000) { fleet, client in
                _ = try await fleet.origin.makeFile("file.bin", length: 600_000)
                let url = "\(fleet.origin.base)/file.bin"
                let orders = Orders(base: client.base, url: url)
                let creating = Task { try await orders.create() }
                for replica in fleet.replicas {
                    try await orders.wait(for: 8)
                    #expect(await replica.stop() == 0)
                    try await orders.wait(for: 8)
                    try await replica.start()
                }
                await orders.finish()
                let ids = try await creating.value
                #expect(Set(ids).count == ids.count && ids.count >= 32)
                for id in ids {
                    let ended = try await eventually("the end of \(id)") {
                        let answer = try await Curl.get(
                            "\(client.base)/v1/downloads/\(id)?wait=20")
                        let isOver = answer.body.contains(#""state":"succeeded""#)
                        return answer.status == 200 && isOver ? answer.body : nil
                    }
                    #expect(ended.contains(id))
                }
                let ends = try await fleet.cluster.psql(
                    """
                    SELECT count(*), count(DISTINCT download_id) FROM events
                    WHERE type = (SELECT lull_event_type('succeeded'))
                    """)
                #expect(ends == "\(ids.count)|\(ids.count)")
            }
        }

        /// Creates one download after the other, each as a client whose last answer may have been
        /// lost.
        private actor Orders {
            private let base: String
            private let url: String
            private var made: [String] = []
            private var isOver = false

            init(base: String, url: String) {
                self.base = base
                self.url = url
            }

            /// Creates until `finish`, at most 500.
            func create() async throws -> [String] {
                while !isOver, made.count < 500 {
                    let number = made.count
                    let body = try await eventually("order \(number) to be accepted") {
                        let answer = try await Curl.send(
                            "POST", "\(base)/v1/downloads", json: #"{"url": "\#(url)?\#(number)"}"#,
                            fields: ["Idempotency-Key: order-\(number)"])
                        // If there is no answer, or one of the proxy, the request is repeated with
                        // its key.
                        return answer.status == 201 ? answer.body : nil
                    }
                    let found = try #require(body.firstMatch(of: #/"(dl_[0-9A-Z]{26})"/#))
                    made.append(String(found.1))
                }
                return made
            }

            /// Waits until this many more are accepted.
            func wait(for count: Int) async throws {
                let wanted = made.count + count
                _ = try await eventually("\(wanted) orders") { made.count >= wanted ? () : nil }
            }

            func finish() { isOver = true }
        }
    }
}
