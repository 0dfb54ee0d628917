// Triggers of the real program: others ask a source to look, with signatures of other libraries.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TriggerTests {
        private struct Made: Decodable {
            let token: String
            let secret: String?
        }

        private struct Versions: Decodable {
            struct Version: Decodable { let version: Int }

            let data: [Version]
        }

        /// Calls a trigger, and returns the answer in one line.
        private func call(
            _ world: World, _ made: Made, _ signature: String, _ body: String,
            secret: String? = nil
        ) async throws -> String {
            let name = UUID().uuidString
            let child = try ChildProcess(
                try Repository.python(),
                [
                    Repository.path("Tests/Receiver/caller.py"),
                    "\(world.lull.base)/v1/triggers/\(made.token)", signature,
                    secret ?? made.secret ?? "", body,
                ],
                environment: Environment.plain, log: world.scratch.file(name))
            #expect(await child.status() == 0)
            return try world.scratch.read(name)
        }

        private func versions(_ count: Int, _ world: World) async throws {
            try await eventually("version \(count)") {
                let answer = try await Curl.get("\(world.lull.base)/v1/sources/list/versions")
                let page = try JSONDecoder().decode(Versions.self, from: Data(answer.body.utf8))
                return page.data.count >= count ? () : nil
            }
        }

        private func write(_ text: String, _ world: World) throws {
            try text.write(
                toFile: world.origin.files + "/list", atomically: true, encoding: .utf8)
        }

        @Test(.timeLimit(.minutes(3)))
        func eachSignatureLetsTheSourceLookAndNoTokenIsInTheLog() async throws {
            let settings = ["LULL_SOURCE_MIN_INTERVAL": "1s", "LULL_LOG_LEVEL": "debug"]
            try await World.with(settings: settings) { world in
                try write("first", world)
                let base = world.lull.base
                // The schedule alone would look in January.
                let put = try await Curl.send(
                    "PUT", "\(base)/v1/sources/list",
                    json: #"{"url":"\#(world.origin.base)/list","schedule":{"cron":"0 0 1 1 *"}}"#)
                #expect(put.status == 201, "\(put.body)")
                var tokens: [String] = []
                let kinds = ["none", "github", "standard_webhooks"]
                for (number, kind) in kinds.enumerated() {
                    let answer = try await Curl.send(
                        "POST", "\(base)/v1/sources/list/triggers",
                        json: #"{"signature":"\#(kind)"}"#)
                    let made = try JSONDecoder().decode(Made.self, from: Data(answer.body.utf8))
                    tokens.append(made.token)
                    if made.secret != nil {
                        let wrong =
                            kind == "github"
                            ? "wrong" : "whsec_" + String(repeating: "A", count: 44)
                        let refused = try await call(world, made, kind, "{}", secret: wrong)
                        #expect(refused.hasPrefix("401 "), "\(refused)")
                        #expect(!refused.contains(made.token))
                    }
                    try write("version \(number) " + String(repeating: "x", count: number), world)
                    let taken = try await call(world, made, kind, #"{"from":"\#(kind)"}"#)
                    #expect(taken.hasPrefix("202 "), "\(taken)")
                    try await versions(number + 1, world)
                }
                let events = try await Curl.get("\(base)/v1/events?types=source.changed").body
                for kind in kinds {
                    #expect(events.contains(#"{\"from\":\"\#(kind)\"}"#), "\(events)")
                }
                let log = try world.scratch.read("lull.log")
                let metrics = try await Curl.get("\(base)/metrics").body
                #expect(log.contains("/v1/triggers/***"))
                for token in tokens {
                    #expect(!log.contains(token) && !metrics.contains(token))
                    #expect(!events.contains(token))
                }
            }
        }
    }
}
