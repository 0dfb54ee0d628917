// Budgets, limits and silent receivers: each holds back the sending to which it applies.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayLimitTests {
        /// A download that has its file and waits with this blocker.
        private func waits(
            _ client: RelayClient, _ id: String, for code: String
        ) async throws {
            let held = try await client.reached(id, "the blocker \(code)") {
                $0.direction == "send" && $0.state == "waiting"
                    && ($0.blockers?.contains { $0.code == code } ?? false)
            }
            #expect(held.countOfBytesReceived == 2_000_000 && held.countOfBytesSent == 0)
            #expect(try await client.text(id, "/explain").contains(code))
        }

        /// A budget of sent bytes lets files be fetched, and holds them here.
        @Test(.timeLimit(.minutes(5)))
        func aBudgetOfSentBytesHoldsBackTheSendingAlone() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("file", length: 2_000_000)
                try await Taker.with(in: world.scratch) { taker in
                    let client = RelayClient(world)
                    try await world.client.putPolicy(
                        #"""
                        {"budgets":[{"name":"up","bytes":3000000,"per":"month",
                        "scope":"deployment","counts":"sent","hard":true}]}
                        """#)
                    let url = "\(world.origin.base)/file"
                    var ids: [String] = []
                    for number in 0..<2 {
                        ids.append(
                            try await client.create(
                                url, to: #"{"url":"\#(taker.bases[0])/whole/b\#(number)"}"#))
                        if number == 0 {
                            #expect(try await client.settled(ids[0]).state == "succeeded")
                        }
                    }
                    try await waits(client, ids[1], for: "budget")
                    try await world.client.putPolicy("{}")
                    #expect(try await client.settled(ids[1]).state == "succeeded")
                }
            }
        }

        /// The limit of the receiver's origin counts for the sending, that of the source does not.
        @Test(.timeLimit(.minutes(5)))
        func theLimitOfTheReceiverHoldsBackTheSending() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("file", length: 2_000_000)
                try await Taker.with(in: world.scratch) { taker in
                    let client = RelayClient(world)
                    let host = taker.bases[0].dropFirst("http://".count)
                    try await world.client.putPolicy(
                        #"{"limits":{"per_origin":{"\#(host)":1}}}"#)
                    let url = "\(world.origin.base)/file"
                    let first = try await client.create(
                        url, to: #"{"url":"\#(taker.bases[0])/silent/first"}"#)
                    _ = try await client.reached(first, "the sending") {
                        $0.direction == "send" && $0.state == "running"
                    }
                    let second = try await client.create(
                        url, to: #"{"url":"\#(taker.bases[0])/whole/second"}"#)
                    try await waits(client, second, for: "origin_limit")
                    #expect(try await client.act("cancel", on: first) == 200)
                    #expect(try await client.settled(second).state == "succeeded")
                }
            }
        }

        /// The number of files for each receiver: three, or `LULL_RELAY_FILES`.
        private static let files =
            ProcessInfo.processInfo.environment["LULL_RELAY_FILES"].flatMap { Int($0) } ?? 3

        /// Receivers that never answer do not keep files from the others.
        @Test(.timeLimit(.minutes(5)))
        func silentReceiversHoldUpNoOther() async throws {
            let settings = ["LULL_MAX_RUNNING": "64", "LULL_MAX_RUNNING_PER_ORIGIN": "4"]
            try await World.with(settings: settings) { world in
                _ = try await world.origin.makeFile("file", length: 10_000)
                try await Taker.with(ports: 20, in: world.scratch) { taker in
                    for silent in [0, 4] {
                        try await run(world, taker, silent: silent)
                    }
                }
            }
        }

        /// Sends files to each of twenty receivers, of which the first ones are silent.
        private func run(_ world: World, _ taker: Taker, silent: Int) async throws {
            let client = RelayClient(world)
            let start = ContinuousClock.now
            var awaited: [String] = []
            for number in 0..<(Self.files * taker.bases.count) {
                let index = number % taker.bases.count
                let kind = index < silent ? "silent" : "whole"
                let id = try await client.create(
                    "\(world.origin.base)/file",
                    to: #"{"url":"\#(taker.bases[index])/\#(kind)/s\#(silent)-\#(number)"}"#)
                if index >= silent { awaited.append(id) }
            }
            for id in awaited {
                let end = try await client.settled(id)
                #expect(end.state == "succeeded", "\(end)")
            }
            let time = start.duration(to: .now)
            let told = "\(awaited.count) files beside \(silent) silent receivers: \(time)\n"
            FileHandle.standardError.write(Data(told.utf8))
        }
    }
}
