// Answers of the outbox that are lost, and events that cannot be read.
import Postgres
import Store
import Support
import Synchronization
import Testing
import Webhooks

@Suite struct LostAnswerTests {
    /// Statements of the outbox, each named by one of its words.
    @Test(arguments: ["lull_claim_deliveries", "last_status", "delivery_no <> ALL"])
    func lostAnswersRepeatNoDelivery(word: String) async throws {
        let losses = Mutex(3)
        let rule: DatabaseLink.Rule = { statement in
            guard statement.contains(word) || statement.contains("lull_claim_deliveries") else {
                return .pass
            }
            return losses.withLock { left in
                guard left > 0 else { return .pass }
                left -= 1
                return .loseAnswer
            }
        }
        try await OriginServer.with({ _ in OriginStep.answer() }) { receiver in
            try await SenderLab.with(rule: rule) { lab in
                for _ in 0..<20 { try await lab.create(telling: receiver.url()) }
                let seen = try await lab.deliveries { $0.allSatisfy { $0.state == 2 } }
                #expect(seen.count == 20 && seen.allSatisfy { $0.state == 2 && $0.attempt == 1 })
                #expect(receiver.requests.count == 20)
                #expect(losses.withLock { $0 } == 0)
            }
        }
    }

    @Test func unreadableEventFailsAlone() async throws {
        try await OriginServer.with({ _ in OriginStep.answer() }) { receiver in
            // Before the registration no delivery is claimed.
            try await SenderLab.with(isRegistered: false) { lab in
                for _ in 0..<3 { try await lab.create(telling: receiver.url()) }
                _ = try await lab.pool.query(
                    "UPDATE events SET type = 99 WHERE journal_no = 2")
                lab.registration.replica = lab.ledger.replica
                let seen = try await lab.deliveries { $0.allSatisfy { $0.state > 1 } }
                #expect(seen.map(\.state) == [2, 3, 2])
                #expect(seen[1].error == "the stored event cannot be read")
                #expect(receiver.requests.count == 2)
            }
        }
    }
}
