// What a download ends as, by its receiver's behaviour, its method and its `Idempotency-Key`.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayTableTests {
        /// One receiver and the end that a download of it has to have.
        struct Row: Sendable {
            /// How the request is made.
            enum Way: String, CaseIterable { case put, post, keyed }

            let path: String
            let way: Way
            let state: String
            let code: String?
            /// Requests at the receiver, and those whose body arrived whole.
            let requests: Int
            let whole: Int
            /// Attempts that send; libcurl repeats a request without `Expect` after 417.
            let tries: Int

            init(
                _ path: String, _ way: Way, _ state: String, _ code: String? = nil, requests: Int,
                whole: Int, tries: Int? = nil
            ) {
                self.tries = tries ?? requests
                (self.path, self.way, self.state, self.code) = (path, way, state, code)
                (self.requests, self.whole) = (requests, whole)
            }
        }

        private static let refused = "destination_refused"
        private static let unknown = "destination_outcome_unknown"

        /// All rows; where each way ends alike, they are made from one line.
        private static let rows: [Row] =
            Row.Way.allCases.flatMap { way in
                [
                    Row("whole", way, "succeeded", requests: 1, whole: 1),
                    Row("late", way, "succeeded", requests: 1, whole: 1),
                    Row("busy/2", way, "succeeded", requests: 3, whole: 1),
                    Row("once/408", way, "succeeded", requests: 2, whole: 2),
                    Row("once/425", way, "succeeded", requests: 2, whole: 2),
                    Row("early/403", way, "attention_required", refused, requests: 1, whole: 0),
                    Row(
                        "early/417", way, "attention_required", refused, requests: 2, whole: 0,
                        tries: 1),
                    Row("moved", way, "attention_required", refused, requests: 1, whole: 0),
                    Row("echo", way, "attention_required", refused, requests: 1, whole: 0),
                ]
            } + [
                Row("reset/5", .put, "succeeded", requests: 2, whole: 1),
                Row("reset/5", .keyed, "succeeded", requests: 2, whole: 1),
                Row("reset/5", .post, "attention_required", unknown, requests: 1, whole: 0),
                Row("drop", .put, "succeeded", requests: 2, whole: 2),
                Row("drop", .keyed, "succeeded", requests: 2, whole: 2),
                Row("drop", .post, "attention_required", unknown, requests: 1, whole: 1),
                Row("once/500", .put, "succeeded", requests: 2, whole: 2),
                Row("once/500", .keyed, "succeeded", requests: 2, whole: 2),
                Row("once/500", .post, "attention_required", unknown, requests: 1, whole: 1),
                Row("silent", .put, "failed", requests: 3, whole: 3),
                Row("silent", .keyed, "failed", requests: 3, whole: 3),
                Row("silent", .post, "attention_required", unknown, requests: 1, whole: 1),
                Row("early/500", .put, "failed", requests: 3, whole: 0),
                Row("early/500", .post, "attention_required", unknown, requests: 1, whole: 0),
                Row("early/204", .put, "failed", requests: 3, whole: 0),
                Row("early/204", .post, "attention_required", unknown, requests: 1, whole: 0),
            ]

        /// The destination of a row, with credentials that must be shown nowhere.
        private static func destination(_ row: Row, _ base: String, _ name: String) -> String {
            let key = row.way == .keyed ? #","Idempotency-Key":"key-\#(name)""# : ""
            return #"""
                {"url":"\#(base)/\#(row.path)/\#(name)?signature=hidden","method":"\#(
                    row.way == .put ? "PUT" : "POST")","headers":{"X-Secret":"hidden-field"\#(key)},
                "authorization":{"type":"bearer","token":"hidden-token"}}
                """#
        }

        @Test(.timeLimit(.minutes(5)))
        func eachReceiverHasItsEnd() async throws {
            let settings = [
                "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms", "LULL_MAX_ATTEMPTS": "3",
            ]
            try await World.with(settings: settings) { world in
                try await Taker.with(ports: Self.rows.count, in: world.scratch) { taker in
                    let client = RelayClient(world)
                    let digest = try await world.origin.makeFile("file", length: 2_000_000)
                    var ids: [String] = []
                    for (index, row) in Self.rows.enumerated() {
                        ids.append(
                            try await client.create(
                                "\(world.origin.base)/file",
                                to: Self.destination(row, taker.bases[index], "f\(index)"),
                                #","timeout_interval_for_request":2"#))
                    }
                    for (index, row) in Self.rows.enumerated() {
                        try await check(row, ids[index], "f\(index)", client, taker, digest)
                    }
                    try await checkFetches(Self.rows.count, world)
                }
            }
        }

        private func check(
            _ row: Row, _ id: String, _ name: String, _ client: RelayClient, _ taker: Taker,
            _ digest: String
        ) async throws {
            let end = try await client.settled(id)
            let requests = try taker.requests(of: name)
            let shown = "\(row): \(end) after \(requests)"
            #expect(end.state == row.state, "\(shown)")
            if let code = row.code { #expect(end.error?.code == code, "\(shown)") }
            #expect(requests.count == row.requests, "\(shown)")
            #expect(end.attempt == row.tries + 1, "\(shown)")
            #expect(requests.count(where: \.whole) == row.whole, "\(shown)")
            #expect(requests.allSatisfy { $0.authorization == "Bearer hidden-token" })
            if row.state == "succeeded" {
                #expect(try await taker.digest(of: name) == digest, "\(shown)")
                #expect(end.sent?.status == 201, "\(shown)")
            }
            let texts = try await [client.text(id, ""), client.text(id, "/attempts")]
            #expect(!texts.contains { $0.contains("hidden") }, "\(texts)")
            if row.path == "echo" { #expect(texts[1].contains("X-Secret"), "\(texts[1])") }
        }

        /// Each file was asked for once at its origin.
        private func checkFetches(_ count: Int, _ world: World) async throws {
            let log = try world.scratch.read("nginx/access.log")
            #expect(log.split(separator: "\n").count { $0.contains("GET /file ") } == count)
        }
    }
}
