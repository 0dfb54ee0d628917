// Begin hooks of the real program: a URL that expires before its download begins is signed again.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct HookTests {
        private struct Created: Decodable {
            let id: String
            let state: String
        }

        /// Creates a download that begins in a second; its URL expires before that.
        private func create(
            _ world: World, _ file: String, hook: String? = nil
        ) async throws -> String {
            let now = Int(Date.now.timeIntervalSince1970)
            let url = try await world.origin.sign(file, until: now - 3600)
            let date = Date(timeIntervalSince1970: Double(now + 1)).ISO8601Format()
            let member =
                hook.map {
                    #","begin_hook":{"url":"\#(world.receiverURL)/\#($0)","timeout_seconds":60}"#
                } ?? ""
            let json = #"{"url":"\#(url)","earliest_begin_date":"\#(date)"\#(member)}"#
            let answer = try await Curl.send("POST", "\(world.lull.base)/v1/downloads", json: json)
            guard answer.status == 201 else {
                throw HarnessError("\(answer.status): \(answer.body)")
            }
            return try JSONDecoder().decode(Created.self, from: Data(answer.body.utf8)).id
        }

        private func questions(_ world: World) async throws -> [WebhookReceiver.Delivery] {
            try await world.receiver.deliveries().filter { $0.type == "download.will_begin" }
        }

        @Test(.timeLimit(.minutes(5)))
        func aURLThatHasExpiredIsSignedAnewBeforeTheBegin() async throws {
            try await World.with { world in
                try FileManager.default.createDirectory(
                    atPath: world.origin.files + "/signed", withIntermediateDirectories: false)
                _ = try await world.origin.makeFile("signed/dump", length: 100_000)
                let base = world.lull.base
                let plain = try await create(world, "dump")
                let asking = try await create(world, "dump", hook: "sign")
                try await eventually("a refusal without a hook") {
                    try await world.client.download(plain).state == "attention_required" ? () : nil
                }
                #expect(try await world.client.download(asking, wait: 60).state == "succeeded")
                let isWhole = try await world.client.hasContent(
                    asking, equalTo: world.origin.files + "/signed/dump")
                #expect(isWhole)
                let asked = try await questions(world)
                #expect(asked.map(\.subject) == [asking] && asked.allSatisfy(\.verified))
                let log = try await eventually("the delivery's end") {
                    let answer = try await Curl.get(
                        "\(base)/v1/webhook_deliveries?download=\(asking)")
                    return answer.body.contains(#""state":"succeeded""#) ? answer.body : nil
                }
                #expect(log.contains("\(world.receiverURL)/sign"))
                let metrics = try await Curl.get("\(base)/metrics").body
                #expect(metrics.contains(#"lull_begin_hooks_total{answer="use_new_request"} 1"#))
                #expect(metrics.contains(#"lull_begin_hooks_total{answer="none"} 0"#))
            }
        }

        /// The program dies while the hook is asked: the question is repeated.
        @Test(.timeLimit(.minutes(5)))
        func aQuestionOutlivesTheProgram() async throws {
            try await World.with { world in
                try FileManager.default.createDirectory(
                    atPath: world.origin.files + "/signed", withIntermediateDirectories: false)
                _ = try await world.origin.makeFile("signed/dump", length: 1000)
                let id = try await create(world, "dump", hook: "sign-later")
                _ = try await eventually("the first question") {
                    try await questions(world).isEmpty ? nil : ()
                }
                await world.lull.killHard()
                try await world.lull.start()
                #expect(try await world.client.download(id, wait: 60).state == "succeeded")
                let asked = try await questions(world)
                #expect(asked.count >= 2 && Set(asked.map(\.webhookId)).count == 1)
            }
        }
    }
}
