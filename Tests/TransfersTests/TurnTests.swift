// The transfers that a turn of the loop touches, and the end of all transfers if libcurl fails as a
// whole.
import Downloads
import Glibc
import Platform
import Support
import Testing

@testable import Transfers

extension TransferEngine {
    fileprivate var setDescriptor: Int32 { multi.sockets.epoll.descriptor }
}

@Suite struct TurnTests {
    /// `/live` comes in pieces; every other path gets the steps that the test makes of its head.
    private static func script(
        pieces: Int, others: @escaping @Sendable (_ head: String) -> [OriginStep]
    ) -> OriginServer.Script {
        { request in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(pieces)\r\n\r\n"
            guard request.target == "/live" else { return others(head) }
            return [
                .send(head), .drip(String(repeating: "x", count: pieces), everyMilliseconds: 2),
            ]
        }
    }

    @Test func idleTransfersCostNothingPerTurn() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let (silent, pieces) = (200, 100)
        try await withLab(
            Self.script(pieces: pieces) { [.send($0 + "x"), .wait(gate), .close] }
        ) { engine, origin in
            try await withThrowingTaskGroup(of: TransferResult.self) { group in
                for number in 0..<silent {
                    group.addTask { try await engine.fetch(origin.url("/\(number)")) }
                }
                #expect(await eventually { engine.gauges.receivedBytes == silent })
                let before = await engine.actions
                let live = try await engine.fetch(origin.url("/live"))
                let actions = await engine.actions - before
                #expect(live.text.count == pieces)
                // Each piece is one socket action, the start and the timer are a few; a look at all
                // transfers at each turn would be `silent` times as many.
                #expect(actions > 0)
                #expect(actions < 4 * pieces, "\(actions) actions")
                gate.open()
                for try await result in group { #expect(result.head?.status == 200) }
            }
        }
    }

    /// Many small files begin at once: pausing before their answers are read would hold all of them
    /// back.
    @Test(arguments: [true, false])
    func onlyBodiesThatTrickleAreACrowd(_ hasHeads: Bool) async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let (silent, pieces) = (200, 50)
        try await withLab(
            Self.script(pieces: pieces) {
                (hasHeads ? [.send($0 + "x")] : []) + [.wait(gate), .close]
            }
        ) { engine, origin in
            try await withThrowingTaskGroup(of: TransferResult.self) { group in
                for number in 0..<silent {
                    group.addTask { try await engine.fetch(origin.url("/\(number)")) }
                }
                #expect(await eventually { origin.requests.count == silent })
                if hasHeads { #expect(await eventually { engine.gauges.inBody == silent }) }
                let before = await engine.pauses
                #expect(try await engine.fetch(origin.url("/live")).text.count == pieces)
                let pauses = await engine.pauses - before
                #expect((pauses > 0) == hasHeads, "\(pauses) pauses")
                gate.open()
                for try await _ in group {}
            }
        }
    }

    @Test func failedMultiHandleIsReplaced() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { request in
            request.target == "/held" ? [.wait(gate)] : OriginStep.answer(body: "x")
        } _: { engine, origin in
            #expect(try await engine.fetch(origin.url()).text == "x")
            async let held = engine.fetch(origin.url("/held"))
            #expect(await eventually { origin.requests.count == 2 })
            // The number of the set is given to a file that cannot be waited for.
            let nothing = try retryingInterrupts { unsafe open("/dev/null", O_RDONLY) }
            let descriptor = await engine.setDescriptor
            try retryingInterrupts { dup2(nothing, descriptor) }
            _ = close(nothing)
            // The thread sleeps in the old set until it has something to do.
            engine.resume(TransferID())
            let result = try await held
            #expect(result.failure?.code == .resourceUnavailable)
            #expect(result.failure?.isRetryable == true)
            for _ in 0..<3 {
                let later = try await engine.fetch(origin.url())
                #expect(later.text == "x")
            }
            let requests = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await engine.fetch(origin.url("/n")).text == "x" }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(requests == 20)
        }
    }
}
