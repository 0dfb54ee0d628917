// A replica whose link to the database falls silent: it stops before another one takes over.
import Content
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing
import Transfers

@testable import Worker

@Suite struct WorkerSilentLinkTests {
    /// The step of the heartbeat at which the link falls silent, and whether the client gives the
    /// call up.
    struct Case: CustomTestStringConvertible {
        let fate: DatabaseLink.Fate
        let timeout: Duration
        var testDescription: String { "\(fate) \(timeout)" }
    }

    /// With the long timeout only the clock of the lease ends the runs.
    private static let cases = [Duration.seconds(60), .milliseconds(500)].flatMap { timeout in
        [DatabaseLink.Fate.fallSilent, .fallSilentBehind].map { Case(fate: $0, timeout: timeout) }
    }

    @Test(arguments: cases)
    func runsStopBeforeAnotherReplicaMayTakeOver(silence: Case) async throws {
        let bytes = content(200_000)
        let gate = OriginGate()
        let isOthers = Mutex<(@Sendable () -> Int)?>(nil)
        let runningThen = Mutex<[Int]>([])
        try await Replica.with(
            { _ in
                guard let running = isOthers.withLock({ $0 }) else {
                    let steps = Answer.whole(bytes, cutAfter: 50_000)
                    return Array(steps.dropLast()) + [.wait(gate), .close]
                }
                runningThen.withLock { $0.append(running()) }
                return Answer.whole(bytes)
            }, isRunning: false
        ) { base, origin in
            defer { gate.open() }
            let link = try DatabaseLink(to: base.url)
            defer { link.close() }
            try await base.besides(
                over: link, options: ConnectionOptions(timeout: silence.timeout),
                change: { $0.lease = .seconds(3) }
            ) { silent in
                let id = try await base.submit(origin.url())
                #expect(try await eventually { origin.requests.count == 1 })
                let engine = silent.lab.engine
                isOthers.withLock { $0 = { engine.gauges.running } }
                link.follow { $0.contains("UPDATE replicas") ? silence.fate : .pass }
                try await base.besides { other in
                    let record = try await base.reached(.succeeded, id)
                    #expect(try other.file(record) == bytes)
                }
                #expect(link.isSilent)
                // At the other replica's request nothing ran here any more.
                #expect(runningThen.withLock { $0 } == [0])
                link.restore()
                let after = try await base.submit(origin.url("/after"))
                let record = try await base.reached(.succeeded, after)
                #expect(try silent.file(record) == bytes, "it works again")
                #expect(try await base.number("SELECT sum(running) FROM gates") == 0)
            }
        }
    }
}
