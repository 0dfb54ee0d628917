// An origin that takes no connections, and one that does, before the real program.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ConnectivityTests {
        private struct Shown: Decodable {
            struct Blocker: Decodable {
                let code: String
                let until: String?
            }

            let id: String
            let state: String
            let attempt: Int
            let nextAttemptAt: String?
            let blockers: [Blocker]?
        }

        private struct Attempts: Decodable {
            struct Attempt: Decodable { let outcome: String }

            let data: [Attempt]
        }

        private func read<Value: Decodable>(
            _ type: Value.Type, _ path: String, of world: World
        ) async throws -> Value {
            let answer = try await Curl.get(world.lull.base + path)
            guard answer.status == 200 else {
                throw HarnessError("\(path): \(answer.status) \(answer.body)")
            }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Value.self, from: Data(answer.body.utf8))
        }

        private func create(
            _ world: World, _ url: String, waits: Bool = true
        ) async throws -> Shown {
            let answer = try await Curl.send(
                "POST", world.lull.base + "/v1/downloads",
                json: #"{"url":"\#(url)","waits_for_connectivity":\#(waits)}"#)
            guard answer.status == 201 else { throw HarnessError(answer.body) }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Shown.self, from: Data(answer.body.utf8))
        }

        private func outcomes(_ id: String, _ world: World) async throws -> [String] {
            try await read(Attempts.self, "/v1/downloads/\(id)/attempts", of: world)
                .data.map(\.outcome)
        }

        /// A single attempt that counts would end the download, and there are two slots: eight
        /// downloads of an origin that takes no connection neither fail nor hold the slots of
        /// another origin.
        @Test(.timeLimit(.minutes(10)))
        func anOriginThatIsNotReachedCostsNeitherAttemptsNorSlots() async throws {
            let body = String(repeating: "7", count: 20_000)
            let far = try OriginServer(unreachableBehind: 0) { _ in OriginStep.answer(body: body) }
            defer { far.close() }
            let settings = ["LULL_MAX_ATTEMPTS": "1", "LULL_MAX_RUNNING": "2"]
            try await World.with(settings: settings) { world in
                _ = try await world.origin.makeFile("near", length: 1000)
                var ids: [String] = []
                for number in 0..<8 {
                    ids.append(try await create(world, far.url("/\(number)")).id)
                }
                // All wait for the origin, and their blocker says until when.
                let waiting = try await eventually("all wait for the origin", attempts: 1800) {
                    var list: [Shown] = []
                    for id in ids {
                        list.append(try await read(Shown.self, "/v1/downloads/\(id)", of: world))
                    }
                    let isHeld = list.allSatisfy { one in
                        one.state == "waiting"
                            && one.blockers?.contains { $0.code == "origin_unreachable" } == true
                    }
                    return isHeld ? list : nil
                }
                for one in waiting where one.attempt > 0 {
                    let until = one.blockers?.first { $0.code == "origin_unreachable" }?.until
                    #expect(until == nil || one.nextAttemptAt == until)
                }
                let late = try await create(world, far.url("/late"))
                #expect(late.blockers?.map(\.code) == ["origin_unreachable"])
                // Downloads of the other origin run meanwhile.
                for _ in 0..<4 {
                    let other = try await create(world, "\(world.origin.base)/near")
                    let end = try await eventually("the other origin", attempts: 1800) {
                        let seen = try await world.client.download(other.id)
                        return seen.state == "waiting" || seen.state == "running" ? nil : seen
                    }
                    #expect(end.state == "succeeded")
                }
                let held = try await read(Shown.self, "/v1/downloads/\(late.id)", of: world)
                #expect(held.state == "waiting" && held.attempt == 0)
                #expect(held.blockers?.map(\.code) == ["origin_unreachable"])
                let impatient = try await create(world, far.url("/now"), waits: false)
                let failed = try await eventually("what does not wait fails", attempts: 1800) {
                    let seen = try await world.client.download(impatient.id)
                    return seen.state == "failed" ? seen : nil
                }
                #expect(failed.attempt == 1)
                #expect(far.connectionCount == 0)
                try far.accept()
                for id in ids + [late.id] {
                    let end = try await eventually("\(id) ends", attempts: 4800) {
                        let seen = try await world.client.download(id)
                        return ["waiting", "running"].contains(seen.state) ? nil : seen
                    }
                    #expect(end.state == "succeeded")
                    let outcomes = try await outcomes(id, world)
                    #expect(outcomes.last == "succeeded" || outcomes.first == "succeeded")
                    #expect(outcomes.count { $0 == "succeeded" } == 1)
                    #expect(outcomes.allSatisfy { ["unreachable", "succeeded"].contains($0) })
                }
                #expect(try await outcomes(late.id, world) == ["succeeded"])
                // Each file was requested once.
                #expect(far.requests.count == 9)
            }
        }
    }
}
