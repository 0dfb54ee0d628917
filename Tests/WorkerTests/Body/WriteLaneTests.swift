// The writes of many transfers in one turn of the loop are merged, and one wake follows.
import Base
import Platform
import Support
import Synchronization
import Testing
import Transfers

@testable import Worker

@Suite struct WriteLaneTests {
    @Test func writesOfATurnAreMergedInOrder() async throws {
        let lane = WriteLane(label: "test", digests: false)
        let seen = Mutex<[Int]>([])
        let origin = try OriginServer { _ in Answer.whole(content(3000)) }
        defer { origin.close() }
        try await WorkerLab.with { lab in
            let engine = lab.engine
            let sink = unsafe TransferSink(
                begin: { _ in
                    for number in 0..<50 {
                        lane.drain(.soon, on: engine) { seen.withLock { $0.append(number) } }
                    }
                    // The turn of the loop is not over.
                    return seen.withLock { $0.isEmpty } ? .taken : .abort(reason: "too early")
                },
                receive: { _ in .taken })
            let result = await engine.run(
                TransferRequest(url: try SourceURL(parsing: origin.url("/"))), id: TransferID(),
                into: .sink(sink))
            #expect(result.bodyBytes == 3000)
            var rounds = 0
            while seen.withLock({ $0.count }) < 50, rounds < 10_000 {
                rounds += 1
                await Alarm().wait(upTo: .milliseconds(1))
            }
            #expect(seen.withLock { $0 } == Array(0..<50))
        }
    }

    @Test func urgentWritesDoNotWaitForTheTurn() async throws {
        let lane = WriteLane(label: "test", digests: false)
        let count = Mutex(0)
        try await WorkerLab.with { lab in
            lane.drain(.none, on: lab.engine) { count.withLock { $0 += 100 } }
            lane.drain(.now, on: lab.engine) { count.withLock { $0 += 1 } }
            var rounds = 0
            while count.withLock({ $0 }) == 0, rounds < 10_000 {
                rounds += 1
                await Alarm().wait(upTo: .milliseconds(1))
            }
            #expect(count.withLock { $0 } == 1)
        }
    }
}
