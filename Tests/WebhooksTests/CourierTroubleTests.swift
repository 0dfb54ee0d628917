// Receivers that do not answer, and leases that are lost: the others still get theirs.
import Core
import Store
import Support
import Testing
import Webhooks

@Suite struct CourierTroubleTests {
    @Test func silentReceiverTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await OriginServer.with({ _ in [.wait(gate), .close] }) { receiver in
            try await CourierLab.with(waits: [.zero], timeout: .milliseconds(300)) { lab in
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
        try await CourierLab.with(waits: [.zero]) { lab in
            try await lab.create(telling: closed.url())
            let seen = try await lab.deliveries { $0.first?.state == 3 }
            #expect(seen.map(\.attempt) == [2])
            #expect(seen.first?.status == nil)
            #expect(seen.first?.error?.hasPrefix("cannot_connect_to_host: ") == true, "\(seen)")
        }
    }

    @Test func deniedDestinationsAreNotCalled() async throws {
        try await CourierLab.with { lab in
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
                // Three for each, and together room for four: the silent one gets two of them.
                try await CourierLab.with(each: 2, total: 4) { lab in
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

    @Test func continuesAfterReregistration() async throws {
        try await OriginServer.with({ _ in OriginStep.answer() }) { receiver in
            try await CourierLab.with(isRegistered: false) { lab in
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
            try await CourierLab.with { lab in
                try await lab.create(telling: receiver.url())
                _ = try await lab.deliveries { $0.first?.state == 1 }
                await lab.courier.stop()
                gate.open()
                let seen = try await lab.deliveries { $0.first?.state == 2 }
                #expect(seen.map(\.state) == [2])
            }
        }
    }
}
