// The forecast over the API: of each waiting download, of the next hours, and in explanations.
import Base
import Dispatch
import Platform
import Scheduling
import Synchronization
import Testing

@testable import API

@Suite struct ForecastTests {
    @Test func forecastsWhatWaits() async throws {
        try await APIWorld.with { world in
            let empty = await world.send("GET", "/v1/forecast")
            #expect(empty.status == 200)
            #expect(empty.json["downloads"] == [] && empty.json["next_cursor"] == .null)
            for _ in 0..<3 {
                _ = await world.create(#""count_of_bytes_client_expects_to_receive": 1000"#)
            }
            // A forecast runner without an earlier answer.
            do {
                let world = try APIWorld(pool: world.pool)
                let reply = await world.send("GET", "/v1/forecast?limit=2")
                #expect(reply.status == 200)
                let basis = reply.json["basis"]
                #expect(basis?["waiting"] == 3 && basis?["is_whole"] == true)
                #expect(basis?["calibration"]?["covered_7d"] == .null)
                let first = reply.json["downloads"]?[0]
                #expect(first?["first_blocker"] == "slots")
                #expect(first?["begin"]?["p50"] == basis?["as_of"])
                #expect(first?["confidence"] == "unknown")
                #expect(reply.json["downloads"]?.arrayValue?.count == 2)
                let hours = try #require(reply.json["hours"]?.arrayValue)
                #expect(hours.count == 72 && hours[0]["bytes"]?["p50"] == 3000)
                #expect(hours[1]["bytes"]?["p50"] == 0)
                let cursor = try #require(reply.json["next_cursor"]?.stringValue)
                let next = await world.send("GET", "/v1/forecast?limit=2&cursor=\(cursor)").json
                #expect(next["downloads"]?.arrayValue?.count == 1)
                #expect(next["next_cursor"] == .null)
            }
        }
    }

    @Test func makesForecastsOffTheServersLane() async throws {
        try await APIWorld.with { world in
            let lane = QueueExecutor(label: "server")
            let mark = DispatchSpecificKey<Bool>()
            lane.queue.setSpecific(key: mark, value: true)
            let wasOnLane = Mutex<[Bool]>([])
            var dependencies = world.dependencies
            let situation = dependencies.worker.situation
            dependencies.worker.situation = {
                let isOnLane = DispatchQueue.getSpecific(key: mark) != nil
                wasOnLane.withLock { $0.append(isOnLane) }
                return situation($0)
            }
            var asked = world
            let router = Router(dependencies)
            asked.handler = { router.answer($0) }
            let reply = await Task(executorPreference: lane) { [asked] in
                await asked.send("GET", "/v1/forecast")
            }.value
            #expect(reply.status == 200)
            // The runner reads the facts first, off the lane; then the answer does, on it, for the
            // downloads and for the hours.
            #expect(wasOnLane.withLock { $0 } == [false, true, true])
        }
    }

    @Test(arguments: ["limit=0", "limit=201", "cursor=no", "session=%20", "state=waiting"])
    func refusesWhatItDoesNotKnow(_ query: String) async throws {
        let world = try APIWorld.alone()
        await world.send("GET", "/v1/forecast?" + query)
            .expectProblem("validation-failed", status: 422)
    }

    @Test func explainsWithWhatWasLearned() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            let before = await world.send("GET", path + "/explain").json
            #expect(before["size"]?["source"] == "unknown")
            #expect(before["size"]?["bytes_left"] == .null)
            #expect(before["rate"]?["learned"] == .null)
            #expect(before["expected"]?["begin"]?["p50"] != nil)
            #expect(before["place"]?["before"] == 0 && before["place"]?["class"] == "normal")
            world.told.change { told in
                let now = Timestamp(seconds: 1_900_000_000)
                for step in 1...9 {
                    told.learned.add(Double(step) * 1e6, .size, to: [.session(1), .all], at: now)
                    told.learned.add(1e5, .rate, to: [.all], at: now)
                }
            }
            let after = await world.send("GET", path + "/explain").json
            #expect(after["size"]?["source"] == "learned")
            #expect(after["size"]?["learned"]?["of"] == "session")
            #expect(after["size"]?["learned"]?["samples"] == 9)
            let bytes = try #require(after["size"]?["learned"]?["p80"]?.doubleValue)
            #expect(abs(bytes - 8e6) < 6e5)
            #expect(after["rate"]?["learned"]?["of"] == "everything")
            // A download that does not exist, in one session with the others.
            let body = #"{"url": "https://mirror.example/a"}"#
            let other = await world.send("POST", "/v1/policy/explain", body).json
            #expect(other["size"]?["source"] == "learned" && other["expected"] == nil)
            let given =
                #"{"url": "https://m.example/a", "count_of_bytes_client_expects_to_receive": 7}"#
            let known = await world.send("POST", "/v1/policy/explain", given).json
            #expect(known["size"]?["source"] == "client" && known["size"]?["bytes_left"] == 7)
        }
    }
}
