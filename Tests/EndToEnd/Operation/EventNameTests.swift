// Names of events and cursors through restarts and a new encryption key.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct EventNameTests {
        private struct Page: Decodable, Equatable {
            struct Event: Decodable, Equatable {
                let id: String
                let cursor: String
            }
            let data: [Event]
        }

        private func page(_ lull: LullProcess, after place: String? = nil) async throws -> Page {
            let query = place.map { "?after=\($0)" } ?? ""
            let answer = try await Curl.get("\(lull.base)/v1/events\(query)")
            #expect(answer.status == 200, "\(answer.body)")
            return try JSONDecoder().decode(Page.self, from: Data(answer.body.utf8))
        }

        /// Receivers recognise repeated webhooks by the event's name, and readers continue from it.
        @Test(.timeLimit(.minutes(2)))
        func anEventHasOneNameAlsoAfterARestartWithANewKeyInFront() async throws {
            let scratch = try Scratch()
            for (number, name) in ["old", "new"].enumerated() {
                try scratch.write(String(repeating: "\(number)a", count: 32), to: name)
            }
            let (old, new) = (scratch.file("old"), scratch.file("new"))
            var first: Page?
            for keys in [old, "\(new),\(old)", new] {
                let lull = try await LullProcess(
                    in: scratch, settings: ["LULL_ENCRYPTION_KEY_FILE": keys])
                do {
                    try await lull.start()
                    if first == nil {
                        for number in 0..<3 {
                            let answer = try await Curl.send(
                                "POST", "\(lull.base)/v1/downloads",
                                json: """
                                    {"url": "http://127.0.0.1:8009/\(number)",
                                    "earliest_begin_date": "2099-01-01T00:00:00Z"}
                                    """)
                            #expect(answer.status == 201, "\(answer.body)")
                        }
                        first = try await eventually("three events") {
                            let page = try await page(lull)
                            return page.data.count == 3 ? page : nil
                        }
                    }
                    let known = try #require(first)
                    // The journal shows only events that are older than every transaction still
                    // under way.
                    try await eventually("the same page") {
                        try await page(lull) == known ? () : nil
                    }
                    for event in known.data {
                        let rest = known.data.drop { $0.id != event.id }.dropFirst()
                        #expect(try await page(lull, after: event.id).data == Array(rest))
                        #expect(try await page(lull, after: event.cursor).data == Array(rest))
                    }
                    #expect(await lull.stop() == 0)
                } catch {
                    Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
                }
                try await Task { try await lull.sweep() }.value
            }
            try scratch.remove()
        }
    }
}
