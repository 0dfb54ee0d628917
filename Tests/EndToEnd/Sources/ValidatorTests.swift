// Looks at an origin that answers 304: what it is sent, and what each look finds.
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ValidatorTests {
        /// A file with an entity tag, which the origin compares with If-None-Match.
        private final class File: Sendable {
            private struct State {
                var (etag, body) = ("a", "one")
                var seen: [String?] = []
                var gate: OriginGate?
            }

            private let state = Mutex(State())

            var seen: [String?] { state.withLock { $0.seen } }

            func set(_ etag: String, _ body: String, gate: OriginGate? = nil) {
                state.withLock { ($0.etag, $0.body, $0.gate) = (etag, body, gate) }
            }

            func answer(_ request: OriginRequest) -> [OriginStep] {
                let (etag, body, gate) = state.withLock { state in
                    state.seen.append(request["if-none-match"])
                    return (state.etag, state.body, state.gate)
                }
                let wait: [OriginStep] = gate.map { [.wait($0)] } ?? []
                let headers = ["ETag: \"\(etag)\""]
                if request["if-none-match"] == "\"\(etag)\"" {
                    return wait + [.send("HTTP/1.1 304 Not Modified\r\n\(headers[0])\r\n\r\n")]
                }
                return wait + OriginStep.answer(headers: headers, body: body)
            }
        }

        private struct Look: Decodable {
            let outcome: String?
            let reason: String?
            let download: String?
        }

        private struct Page<Item: Decodable>: Decodable {
            let data: [Item]
        }

        private struct Version: Decodable {
            let version: Int
            let download: String
        }

        private func page<Item: Decodable>(
            _ type: Item.Type, _ world: World, _ part: String
        ) async throws -> [Item] {
            let answer = try await Curl.get("\(world.lull.base)/v1/sources/list/\(part)")
            guard answer.status == 200 else { throw HarnessError(answer.body) }
            return try JSONDecoder().decode(Page<Item>.self, from: Data(answer.body.utf8)).data
        }

        /// The next look with an outcome, behind the first `count` ones.
        private func look(
            _ world: World, _ outcome: String, behind count: Int = 0
        ) async throws -> Look {
            try await eventually("a look with the outcome \(outcome)") {
                let looks = try await page(Look.self, world, "looks").filter {
                    $0.outcome != "skipped" && $0.outcome != nil
                }
                return looks.dropLast(count).first { $0.outcome == outcome }
            }
        }

        private func count(_ world: World) async throws -> Int {
            try await page(Look.self, world, "looks").count { $0.outcome != "skipped" }
        }

        @Test(.timeLimit(.minutes(2)))
        func eachOutcomeFollowsFromWhatTheOriginAnswersToTheKnownValidators() async throws {
            let file = File()
            let origin = try OriginServer { file.answer($0) }
            defer { origin.close() }
            let settings = ["LULL_SOURCE_MIN_INTERVAL": "1s"]
            try await World.with(settings: settings) { world in
                let json =
                    #"{"url":"http://127.0.0.1:\#(origin.port)/a","schedule":{"every":"1s"}}"#
                let made = try await Curl.send(
                    "PUT", "\(world.lull.base)/v1/sources/list", json: json)
                #expect(made.status == 201, "\(made.body)")
                _ = try await look(world, "changed")
                _ = try await look(world, "unchanged_304")
                #expect(file.seen.prefix(2) == [nil, "\"a\""])
                // Another entity tag for the same bytes.
                file.set("b", "one")
                let same = try await look(world, "unchanged_digest")
                let unchanged = try await world.client.download(same.download ?? "")
                #expect(unchanged.state == "succeeded")
                file.set("c", "two")
                let versions = try await eventually("the second version") {
                    let list = try await page(Version.self, world, "versions")
                    return list.count == 2 ? list : nil
                }
                // Content that was released is known, and not fetched again.
                #expect(try await world.client.release(versions[0].download) == 204)
                let before = try await count(world)
                _ = try await look(world, "unchanged_304", behind: before)
                #expect(file.seen.last == "\"c\"")
                #expect(try await page(Version.self, world, "versions").count == 2)
                try await anotherURL(world, file, origin.port)
            }
        }

        /// A look that is under way while the source gets another URL says nothing about that.
        private func anotherURL(_ world: World, _ file: File, _ port: Int) async throws {
            let gate = OriginGate()
            let count = file.seen.count
            file.set("d", "three", gate: gate)
            _ = try await eventually("a request that waits") {
                file.seen.count > count ? () : nil
            }
            let patched = try await Curl.send(
                "PATCH", "\(world.lull.base)/v1/sources/list",
                json: #"{"url":"http://127.0.0.1:\#(port)/b"}"#)
            #expect(patched.status == 200, "\(patched.body)")
            let seen = file.seen.count
            file.set("e", "two")
            gate.open()
            let canceled = try await look(world, "canceled")
            #expect(canceled.reason == "url_changed")
            _ = try await eventually("a look at the new URL") {
                file.seen.count > seen ? () : nil
            }
            // Without the validators of the old URL, and with the known digest.
            #expect(file.seen[seen] == nil)
            #expect(try await page(Version.self, world, "versions").count == 2)
        }
    }
}
