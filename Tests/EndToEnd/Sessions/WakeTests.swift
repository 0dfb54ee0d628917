// Wakes of the real program: its settings hold, and a token is enough to answer a wake.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct WakeTests {
        private struct Session: Decodable {
            struct Wake: Decodable {
                let delaySeconds: Int
                let lastWakeAt: String?
            }

            let wake: Wake
        }

        private struct Created: Decodable {
            struct Blocker: Decodable {
                let code: String
                let until: String?
            }

            let id: String
            let isDiscretionary: Bool
            let discretionaryForcedBy: String?
            let blockers: [Blocker]
        }

        private struct Page: Decodable {
            struct Event: Decodable { let data: Wake }
            struct Wake: Decodable { let wakeToken: String }

            let data: [Event]
        }

        private struct Extended: Decodable { let expiresAt: String }

        private func read<Value: Decodable>(
            _ type: Value.Type, _ answer: Curl.Answer, expecting status: Int = 200
        ) throws -> Value {
            guard answer.status == status else {
                throw HarnessError("expected \(status), got \(answer.status): \(answer.body)")
            }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Value.self, from: Data(answer.body.utf8))
        }

        private func create(_ world: World, _ file: String) async throws -> Created {
            let json = #"{"url":"\#(world.origin.base)/\#(file)","session":"nightly"}"#
            return try read(
                Created.self,
                try await Curl.send("POST", "\(world.lull.base)/v1/downloads", json: json),
                expecting: 201)
        }

        /// The tokens of wakes, once this many were sent and the last one was received.
        private func tokens(_ count: Int, _ world: World) async throws -> [String] {
            try await eventually("wake \(count)") {
                let page = try read(
                    Page.self,
                    try await Curl.get("\(world.lull.base)/v1/events?types=session.wake"))
                let received = try await world.receiver.deliveries()
                    .filter { $0.type == "session.wake" && $0.verified }
                guard page.data.count == count, received.count == count else { return nil }
                return page.data.map(\.data.wakeToken)
            }
        }

        private func session(_ world: World) async throws -> Session {
            try read(
                Session.self, try await Curl.get("\(world.lull.base)/v1/sessions/nightly"))
        }

        @Test(.timeLimit(.minutes(5)))
        func settingsOfWakesHold() async throws {
            let settings = [
                "LULL_WAKE_DELAY": "1000s", "LULL_WAKE_DELAY_CAP": "1500s",
                "LULL_WAKE_TIMEOUT": "2h",
            ]
            try await World.with(settings: settings) { world in
                _ = try await world.origin.makeFile("a", length: 1000)
                let base = world.lull.base
                // An answer of 202 leaves a wake open.
                let made = try await Curl.send(
                    "PUT", "\(base)/v1/sessions/nightly",
                    json: #"""
                        {"webhook_url":"\#(world.receiverURL)/202",
                        "webhook_events":["session.wake","download.succeeded"]}
                        """#)
                #expect(made.status == 201, "\(made.body)")
                #expect(try await create(world, "a").discretionaryForcedBy == nil)
                let first = try await tokens(1, world)[0]
                let woken = try await session(world).wake
                #expect(woken.delaySeconds == 1000)
                let forced = try await create(world, "a")
                #expect(forced.isDiscretionary && forced.discretionaryForcedBy == "wake")
                #expect(forced.blockers.first?.code == "wake_delay")
                let wokenAt = try Date(instant: try #require(woken.lastWakeAt))
                let until = try Date(instant: try #require(forced.blockers.first?.until))
                #expect(abs(until.timeIntervalSince(wokenAt) - 1000) < 0.01)
                let path = "\(base)/v1/wakes/\(first)"
                let extended = try read(
                    Extended.self,
                    try await Curl.send("POST", path + "/extend", json: #"{"seconds":1}"#))
                let end = try Date(instant: extended.expiresAt)
                #expect(end.timeIntervalSince(wokenAt) >= 7201)
                for _ in 0..<2 {
                    let done = try await Curl.send("POST", path + "/complete", json: "")
                    #expect(done.status == 200, "\(done.body)")
                }
                // Once the delayed download is canceled the session ends again after the next one.
                _ = try await world.client.act("cancel", on: forced.id)
                #expect(try await create(world, "a").discretionaryForcedBy == nil)
                #expect(try await tokens(2, world)[0] == first)
                #expect(try await session(world).wake.delaySeconds == 1500)
                let foreground = try await Curl.send(
                    "POST", "\(base)/v1/sessions/nightly/foreground", json: "")
                #expect(foreground.status == 200, "\(foreground.body)")
                #expect(try await session(world).wake.delaySeconds == 0)
            }
        }
    }
}
