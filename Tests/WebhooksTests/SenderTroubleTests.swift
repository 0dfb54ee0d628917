// Receivers that do not answer, and leases that are lost: other receivers still get their webhooks.
import Base
import Postgres
import Store
import Support
import Synchronization
import Testing
import Webhooks

@Suite struct SenderTroubleTests {
    @Test func silentReceiverTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await OriginServer.with({ _ in [.wait(gate), .close] }) { receiver in
            try await SenderLab.with(waits: [.zero], timeout: .milliseconds(300)) { lab in
                try await lab.create(telling: receiver.url())
                let seen = try await lab.deliveries { $0.first?.state == 3 }
                #expect(seen.map(\.attempt) == [2])
                #expect(seen.first?.status == nil)
                #expect(seen.first?.error?.hasPrefix("timed_out: ") == true, "\(seen)")
            }
        }
    }

    @Test func unreachableReceiverIsRetried() async throws {
        // A port that was free a moment ago.
        let closed = try OriginServer { _ in [.close] }
        closed.close()
        for _ in 0..<1000 where closed.openConnectionCount > 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
        try await SenderLab.with(waits: [.zero]) { lab in
            try await lab.create(telling: closed.url())
            let seen = try await lab.deliveries { $0.first?.state == 3 }
            #expect(seen.map(\.attempt) == [2])
            #expect(seen.first?.status == nil)
            #expect(seen.first?.error?.hasPrefix("cannot_connect_to_host: ") == true, "\(seen)")
        }
    }

    @Test func deniedDestinationsAreNotCalled() async throws {
        try await SenderLab.with { lab in
            try await lab.create(telling: "http://192.0.2.1/hook")
            let seen = try await lab.deliveries { $0.first?.state == 3 }
            #expect(seen.first?.error?.hasPrefix("destination_not_allowed: ") == true, "\(seen)")
        }
    }

    @Test func silentReceiverDoesNotDelayOthers() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await OriginServer.with({ _ in [.wait(gate), .close] }) { silent in
            try await OriginServer.with({ _ in OriginStep.answer() }) { good in
                // Each receiver may have two places, and there is room for four: the silent one
                // gets two of its three deliveries.
                try await SenderLab.with(each: 2, total: 4) { lab in
                    for _ in 0..<3 {
                        try await lab.create(telling: silent.url())
                        try await lab.create(telling: good.url())
                    }
                    let seen = try await lab.deliveries { $0.filter { $0.state == 2 }.count == 3 }
                    #expect(seen.map(\.state).filter { $0 == 2 }.count == 3)
                    #expect(good.requests.count == 3)
                    #expect(silent.requests.count <= 2)
                    gate.open()
                }
            }
        }
    }

    /// Twenty of 200 receivers never answer, for longer than the test may take: all others get
    /// everything, and each silent one holds one place.
    @Test func othersGetEverythingBesideTwentySilentReceivers() async throws {
        let gate = OriginGate(seconds: 600)
        defer { gate.open() }
        let servers = try (0..<200).map { place in
            try OriginServer { _ in place % 10 == 3 ? [.wait(gate), .close] : OriginStep.answer() }
        }
        defer { for server in servers { server.close() } }
        try await SenderLab.with(timeout: .seconds(600), total: 64) { lab in
            for _ in 0..<4 {
                // As many requests at once as there are connections.
                try await withThrowingTaskGroup { group in
                    for first in 0..<4 {
                        group.addTask {
                            for place in stride(from: first, to: servers.count, by: 4) {
                                try await lab.create(telling: servers[place].url())
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let seen = try await lab.deliveries { $0.count { $0.state == 2 } == 720 }
            #expect(seen.count { $0.state == 2 } == 720)
            #expect(seen.count { $0.state == 1 } <= 20)
            for (place, server) in servers.enumerated() {
                let count = server.requests.count
                #expect(place % 10 == 3 ? count <= 1 : count == 4, "receiver \(place)")
            }
            gate.open()
        }
    }

    @Test func receiverThatAnswersAgainGetsAllThatWaited() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let answers = Mutex(false)
        let script: OriginServer.Script = { _ in
            answers.withLock { $0 } ? OriginStep.answer() : [.wait(gate), .close]
        }
        try await OriginServer.with(script) { receiver in
            let waits = Array(repeating: Duration.milliseconds(1), count: 9)
            try await SenderLab.with(waits: waits, timeout: .milliseconds(100)) { lab in
                for _ in 0..<8 { try await lab.create(telling: receiver.url()) }
                let isOpen = "SELECT count(*) FROM receivers WHERE half_open_at > '-infinity'"
                var count: Int64 = 0
                while count == 0 {
                    try await Task.sleep(for: .milliseconds(5))
                    count = try await lab.pool.query(isOpen)[0].get(0)
                }
                #expect(receiver.requests.count == 3, "one at a time, and three of them")
                #expect(try await lab.deliveries().allSatisfy { $0.state == 0 })
                answers.withLock { $0 = true }
                gate.open()
                _ = try await lab.pool.script(
                    """
                    UPDATE receivers SET half_open_at = clock_timestamp(),
                        next_at = clock_timestamp();
                    """)
                lab.sender.hint()
                let seen = try await lab.deliveries { $0.allSatisfy { $0.state == 2 } }
                #expect(seen.count { $0.state == 2 } == 8)
                #expect(seen.map(\.attempt).reduce(0, +) == 11)
                #expect(try await lab.pool.query(isOpen)[0].get(0, as: Int64.self) == 0)
            }
        }
    }

    /// One place, and deliveries claimed ahead of it: first tries come in the order of their
    /// events.
    @Test func firstTriesKeepTheirOrder() async throws {
        try await OriginServer.with({ _ in OriginStep.answer() }) { receiver in
            try await SenderLab.with(each: 1, isRegistered: false) { lab in
                var ids: [String] = []
                for _ in 0..<120 {
                    ids.append(try await lab.create(telling: receiver.url()).text(.download))
                }
                lab.registration.replica = lab.ledger.replica
                lab.sender.hint()
                let seen = try await lab.deliveries { $0.allSatisfy { $0.state == 2 } }
                #expect(seen.allSatisfy { $0.state == 2 && $0.attempt == 1 })
                #expect(receiver.requests.compactMap { $0["ce-subject"] } == ids)
            }
        }
    }

    /// After a receiver stops answering, deliveries that were claimed ahead for it wait in the
    /// store again.
    ///
    /// None has lost an attempt; this also holds when the program stops.
    @Test(arguments: [true, false]) func whatWasClaimedAheadIsGivenBack(
        byStop: Bool
    ) async throws {
        let gate = OriginGate()
        defer { gate.open() }
        let count = Mutex(0)
        let script: OriginServer.Script = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number <= 60 ? OriginStep.answer() : [.wait(gate), .close]
        }
        try await OriginServer.with(script) { receiver in
            let waits = [Duration](repeating: .seconds(3600), count: 3)
            let timeout = byStop ? Duration.seconds(600) : .seconds(2)
            try await SenderLab.with(
                waits: waits, timeout: timeout, each: 2, isRegistered: false
            ) { lab in
                for _ in 0..<200 { try await lab.create(telling: receiver.url()) }
                lab.registration.replica = lab.ledger.replica
                lab.sender.hint()
                if byStop {
                    _ = try await lab.deliveries { _ in receiver.requests.count >= 62 }
                    await lab.sender.stop()
                }
                let seen = try await lab.deliveries { list in
                    list.count { $0.state == 2 } == 60
                        && list.count { $0.state == 1 } <= (byStop ? 2 : 0)
                }
                let untried = seen.filter { $0.state == 0 && $0.attempt == 0 }
                let tried = seen.filter { $0.state < 2 && $0.attempt > 0 }
                #expect(seen.count { $0.state == 2 } == 60)
                #expect(untried.count + tried.count == 140 && tried.count <= 6, "\(tried.count)")
                gate.open()
            }
        }
    }

    @Test func continuesAfterReregistration() async throws {
        try await OriginServer.with({ _ in OriginStep.answer() }) { receiver in
            try await SenderLab.with(isRegistered: false) { lab in
                try await lab.create(telling: receiver.url())
                for _ in 0..<100 {
                    try await Task.sleep(for: .milliseconds(1))
                    #expect(try await lab.deliveries().map(\.state) == [0])
                }
                lab.registration.replica = lab.ledger.replica
                let seen = try await lab.deliveries { $0.first?.state == 2 }
                #expect(seen.map(\.attempt) == [1])
            }
        }
    }

    @Test func stopWaitsForRunningDeliveriesToBeRecorded() async throws {
        let gate = OriginGate()
        try await OriginServer.with({ _ in [.wait(gate)] + OriginStep.answer() }) { receiver in
            try await SenderLab.with { lab in
                try await lab.create(telling: receiver.url())
                _ = try await lab.deliveries { $0.first?.state == 1 }
                await lab.sender.stop()
                gate.open()
                let seen = try await lab.deliveries { $0.first?.state == 2 }
                #expect(seen.map(\.state) == [2])
            }
        }
    }
}
