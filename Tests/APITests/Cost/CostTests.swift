// The cost of a request grows with its bytes, that of its answer does not, and the server's lane
// does none of it.
import Base
import Dispatch
import HTTPWire
import Synchronization
import Testing

@testable import API

#if DEBUG
    @Suite struct CostTests {
        /// The steps that were counted, on a lane and elsewhere.
        private final class Steps: Sendable {
            private let counts = Mutex((lane: 0, elsewhere: 0))

            var all: (lane: Int, elsewhere: Int) { counts.withLock { $0 } }

            func add(_ steps: Int) {
                let isOnLane = DispatchQueue.getSpecific(key: Lane.key) != nil
                counts.withLock { counts in
                    if isOnLane { counts.lane += steps } else { counts.elsewhere += steps }
                }
            }
        }

        /// An actor that records whether its queue runs, in place of the server's lane.
        private actor Lane {
            static let key = DispatchSpecificKey<Bool>()
            private let executor = Executor()

            nonisolated var unownedExecutor: UnownedSerialExecutor {
                unsafe executor.asUnownedSerialExecutor()
            }

            private final class Executor: SerialExecutor {
                private let queue = DispatchQueue(label: "lane")

                init() { queue.setSpecific(key: Lane.key, value: true) }

                func enqueue(_ job: consuming ExecutorJob) {
                    let unowned = UnownedJob(job)
                    queue.async {
                        unsafe unowned.runSynchronously(on: self.asUnownedSerialExecutor())
                    }
                }
            }

            /// Sends a request from the lane.
            func send(_ request: CostlyRequest, _ size: Int, _ world: APIWorld) async -> Run {
                let steps = Steps()
                let body = request.body?(size)
                let query = request.query(size)
                var headers = request.body == nil ? [] : [("Content-Type", request.type)]
                if let field = request.field { headers.append(field(size)) }
                var target = request.path + (query.isEmpty ? "" : "?" + query)
                if target.contains("{id}") {
                    // Each request is new, because data that an earlier one stored is not its cost.
                    let made = await world.create()
                    target.replace("{id}", with: made.json["id"]?.stringValue ?? "")
                }
                let path = target
                // Only a closure that captures the actor is isolated to it.
                let reply = await WorkMeter.$current.withValue({ steps.add($0) }) {
                    await self.deliver(request.method, path, body, headers, world)
                }
                let bytes = (body?.utf8.count ?? 0) + query.utf8.count
                let field = headers.last?.1.utf8.count ?? 0
                return Run(
                    reply: reply, bytes: bytes + field, lane: steps.all.lane,
                    elsewhere: steps.all.elsewhere)
            }

            private func deliver(
                _ method: String, _ target: String, _ body: String?,
                _ headers: [(String, String)], _ world: APIWorld
            ) async -> Reply {
                await world.send(method, target, body, headers: headers)
            }
        }

        private struct Run {
            let reply: Reply
            let bytes: Int
            let lane: Int
            let elsewhere: Int

            var steps: Int { lane + elsewhere }
        }

        /// Runs each of some requests in several sizes.
        private func run(
            _ requests: [CostlyRequest], sizes: [Int],
            _ check: (CostlyRequest, [Run]) -> Void
        ) async throws {
            try await APIWorld.with { world in
                let lane = Lane()
                for request in requests {
                    var runs: [Run] = []
                    for size in sizes { runs.append(await lane.send(request, size, world)) }
                    check(request, runs)
                }
            }
        }

        @Test(arguments: [0, 1, 2, 3])
        func workIsLinearAndRefusalsAreBounded(_ part: Int) async throws {
            let sizes = part == 3 ? [1000, 2000, 4000, 8000] : [500, 1000, 3000, 6000]
            try await run(
                [
                    CostlyRequest.downloads, CostlyRequest.settings, CostlyRequest.batches,
                    CostlyRequest.heads,
                ][part], sizes: sizes
            ) { request, runs in
                for run in runs { expectSmallRefusal(run.reply, request.name) }
                for (small, large) in zip(runs, runs.dropFirst()) {
                    let growth = Double(large.bytes) / Double(max(1, small.bytes))
                    let expected = Double(small.steps) * max(1, growth) * 1.25 + 5000
                    #expect(
                        Double(large.steps) <= expected,
                        """
                        \(request.name): \(small.steps) steps for \(small.bytes) bytes, \
                        \(large.steps) for \(large.bytes)
                        """)
                }
            }
        }

        private func expectSmallRefusal(_ reply: Reply, _ name: String) {
            guard reply.status >= 400 else { return }
            #expect(reply.status < 500, "\(name): \(reply.text)")
            #expect(reply.bytes.count < 64 << 10, "\(name): \(reply.bytes.count) bytes")
            #expect(reply.pointers.count <= 100, "\(name)")
            #expect(reply.json != .null, "\(name)")
        }

        @Test func largeBodiesRunOffTheServersLane() async throws {
            try await run(
                CostlyRequest.downloads + CostlyRequest.settings + CostlyRequest.batches,
                sizes: [9000]
            ) { request, runs in
                guard runs[0].bytes > 1 << 15 || request.path.hasSuffix("/batch") else { return }
                #expect(runs[0].lane == 0, "\(request.name): \(runs[0].lane) steps on the lane")
            }
        }

        @Test func smallBodiesRunOnTheServersLane() async throws {
            try await run([CostlyRequest.downloads[0]], sizes: [3]) { _, runs in
                #expect(runs[0].elsewhere == 0 && runs[0].lane > 0)
            }
        }

        @Test(arguments: [(1, 1, 1), (99, 100, 0), (100, 100, 1), (900, 100, 801)])
        func countsFindingsThatAreNotListed(
            _ unknown: Int, _ listed: Int, _ others: Int
        ) async throws {
            // The URL is missing, too.
            let members = (0..<unknown).map { "\"m\($0)\":1" }.joined(separator: ",")
            let reply = try await APIWorld.alone().send("POST", "/v1/downloads", "{\(members)}")
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers.count == min(100, unknown + 1))
            let counted = reply.json["errors_not_listed"]?.integerValue ?? 0
            #expect(Int(counted) + reply.pointers.count == unknown + 1)
            if unknown > 1 { #expect(listed == reply.pointers.count && others == Int(counted)) }
            #expect(reply.json["detail"]?.stringValue?.hasPrefix("\(unknown + 1) places") == true)
        }

        @Test func aBatchCountsFindingsThatAreNotListed() async throws {
            try await APIWorld.with { world in
                let items = Array(repeating: "{\"x\":1}", count: 1000).joined(separator: ",")
                let reply = await world.send(
                    "POST", "/v1/downloads/batch",
                    "{\"defaults\":{\"priority\":7},\"downloads\":[\(items)]}")
                reply.expectProblem("batch-rejected", status: 422)
                // Each has a missing URL and an unknown member, and errors of the shared part are
                // one finding.
                let counted = reply.json["errors_not_listed"]?.integerValue ?? 0
                #expect(reply.pointers.count + Int(counted) == 2001)
                #expect(reply.pointers.first == "#/defaults/priority")
                #expect(reply.pointers.count { $0.hasPrefix("#/defaults") } == 1)
            }
        }
    }
#endif
