// The hook of a receiver, which is asked before every try to send a file.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayHookTests {
        /// A hook and its rule, with the end of a download that has it.
        private struct Row {
            /// The path of the hook, below its receiver.
            let hook: String
            let rule: String
            /// The path of the file's receiver.
            let path: String
            let state: String
            /// The fewest questions, and the requests at the file's receiver.
            let questions: Int
            let requests: Int
        }

        private static let rows = [
            Row(
                hook: "answer-continue", rule: "cancel", path: "whole", state: "succeeded",
                questions: 1, requests: 1),
            // The first try is answered 503, and each ticket is good for one request.
            Row(
                hook: "answer-ticket", rule: "cancel", path: "ticket", state: "succeeded",
                questions: 2, requests: 2),
            Row(
                hook: "answer-cancel", rule: "continue", path: "whole", state: "canceled",
                questions: 1, requests: 0),
            Row(
                hook: "500", rule: "continue", path: "whole", state: "succeeded", questions: 1,
                requests: 1),
            Row(
                hook: "500", rule: "cancel", path: "whole", state: "canceled", questions: 1,
                requests: 0),
            Row(
                hook: "late-continue", rule: "wait", path: "whole", state: "succeeded",
                questions: 2, requests: 1),
        ]

        private static let settings = [
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms",
            "LULL_WEBHOOK_RETRY_SCHEDULE": "1s,1s,1s,1s,1s,1s",
        ]

        private static func hook(_ world: World, _ path: String, _ rule: String) -> String {
            #"""
            {"url":"\#(world.receiverURL)/\#(path)","timeout_seconds":3,"on_no_answer":"\#(rule)"}
            """#
        }

        private func questions(_ world: World, _ id: String, _ type: String) async throws -> Int {
            let all = try await world.receiver.deliveries().filter {
                $0.subject == id && $0.type == "download." + type
            }
            #expect(all.allSatisfy { $0.verified })
            return all.count
        }

        @Test(.timeLimit(.minutes(5)))
        func theHookIsAskedBeforeEveryTry() async throws {
            try await World.with(settings: Self.settings) { world in
                try await Taker.with(ports: Self.rows.count, in: world.scratch) { taker in
                    let client = RelayClient(world)
                    _ = try await world.origin.makeFile("file", length: 200_000)
                    var ids: [String] = []
                    for (index, row) in Self.rows.enumerated() {
                        let url = "\(taker.bases[index])/\(row.path)/h\(index)?stale"
                        let hook = Self.hook(world, row.hook, row.rule)
                        ids.append(
                            try await client.create(
                                "\(world.origin.base)/file",
                                to: #"{"url":"\#(url)","hook":\#(hook)}"#))
                    }
                    for (index, row) in Self.rows.enumerated() {
                        let end = try await client.settled(ids[index])
                        let requests = try taker.requests(of: "h\(index)")
                        let asked = try await questions(world, ids[index], "will_send")
                        let shown = "\(row): \(end) after \(requests), asked \(asked)"
                        #expect(end.state == row.state, "\(shown)")
                        #expect(requests.count == row.requests, "\(shown)")
                        #expect(asked >= row.questions, "\(shown)")
                        if row.hook.hasPrefix("answer") {
                            #expect(asked == row.questions, "\(shown)")
                        }
                        if row.path == "ticket" {
                            #expect(Set(requests.map(\.target)).count == 2, "\(shown)")
                            #expect(!requests.contains { $0.target.hasSuffix("stale") }, "\(shown)")
                        }
                    }
                }
            }
        }

        /// The question before the fetch and that before the sending are two, each in its time.
        @Test(.timeLimit(.minutes(5)))
        func aDateAndAReceiverHaveAHookEach() async throws {
            try await World.with(settings: Self.settings) { world in
                try await Taker.with(in: world.scratch) { taker in
                    let client = RelayClient(world)
                    _ = try await world.origin.makeFile("file", length: 200_000)
                    let hook = Self.hook(world, "answer-continue", "cancel")
                    let date = Date(timeIntervalSinceNow: 1).ISO8601Format()
                    let id = try await client.create(
                        "\(world.origin.base)/file",
                        to: #"{"url":"\#(taker.bases[0])/whole/both","hook":\#(hook)}"#,
                        #","earliest_begin_date":"\#(date)","begin_hook":\#(hook)"#)
                    #expect(try await client.settled(id).state == "succeeded")
                    #expect(try await questions(world, id, "will_begin") == 1)
                    #expect(try await questions(world, id, "will_send") == 1)
                    let types = try await world.receiver.deliveries().map(\.type)
                    #expect(types == ["download.will_begin", "download.will_send"])
                }
            }
        }
    }
}
