// Sessions that end with their clients, and creates that replace a running download.
import Foundation
import Testing

extension EndToEndTests {
    @Suite struct ClientEndTests {
        private struct Shown: Decodable {
            let id: String
            let state: String
            let cancelReason: String?
        }

        private func read(_ answer: Curl.Answer) throws -> Shown {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Shown.self, from: Data(answer.body.utf8))
        }

        private func create(_ members: String, _ world: World) async throws -> Shown {
            try read(
                try await Curl.send(
                    "POST", "\(world.lull.base)/v1/downloads",
                    json: #"{"url":"\#(world.origin.base)/f",\#(members)}"#))
        }

        private func shown(_ id: String, _ world: World) async throws -> Shown {
            try read(try await Curl.get("\(world.lull.base)/v1/downloads/\(id)"))
        }

        /// A session with a client that listens, then is killed; beside it the default session,
        /// whose downloads go on.
        @Test func theDownloadsOfASessionEndWhenItsClientIsKilled() async throws {
            try await World.with(originBytesPerSecond: 10_000) { world in
                _ = try await world.origin.makeFile("f", length: 3_000_000)
                _ = try await Curl.send(
                    "PUT", "\(world.lull.base)/v1/sessions/screen",
                    json: #"{"ends_with_client":"5s"}"#)
                let client = try ChildProcess(
                    "/usr/bin/curl",
                    [
                        "-sN", "-H", "Accept: text/event-stream",
                        "\(world.lull.base)/v1/events?session=screen",
                    ], environment: [:], log: world.scratch.path + "/client.txt")
                let running = try await create(#""session":"screen""#, world)
                let paused = try await create(#""session":"screen","suspended":true"#, world)
                let other = try await create(#""metadata":{}"#, world)
                // Longer than a session without a client would keep its downloads.
                try await Task.sleep(for: .seconds(9))
                for id in [running.id, paused.id] {
                    #expect(try await shown(id, world).cancelReason == nil)
                }
                client.send(SIGKILL)
                for id in [running.id, paused.id] {
                    let end = try await eventually("it is canceled") {
                        let found = try await shown(id, world)
                        return found.state == "canceled" ? found : nil
                    }
                    #expect(end.cancelReason == "client_gone")
                }
                #expect(try await shown(other.id, world).cancelReason == nil)
                #expect(client.isRunning == false)
            }
        }

        @Test func aNewQueryCancelsTheOneThatRuns() async throws {
            try await World.with(originBytesPerSecond: 10_000) { world in
                _ = try await world.origin.makeFile("f", length: 3_000_000)
                let query = #""external_id":"search","replaces":"search""#
                var last = try await create(query, world)
                for _ in 0..<3 {
                    let old = last.id
                    _ = try await eventually("it runs") {
                        try await shown(old, world).state == "running" ? true : nil
                    }
                    last = try await create(query, world)
                    let end = try await eventually("it is canceled") {
                        let found = try await shown(old, world)
                        return found.state == "canceled" ? found : nil
                    }
                    #expect(end.cancelReason == "replaced")
                }
                #expect(try await shown(last.id, world).cancelReason == nil)
            }
        }
    }
}
