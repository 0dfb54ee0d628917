// Messages to people, through a webhook sender at work: one a minute, and what came meanwhile.
import Base
import Crypto
import Downloads
import Platform
import Postgres
import Store
import Support
import Testing
import Webhooks

@Suite struct NoticeSenderTests {
    private struct Row: Equatable {
        let state: Int16
        let attempt: Int32
        let isCounted: Bool
        let tries: Int
    }

    private func register(_ lab: SenderLab, _ url: String) async throws -> EndpointRecord {
        var random = SystemRandomNumberGenerator()
        let id = Identifier(at: Timestamp(seconds: 1_795_309_200), using: &random)
        let outcome = try await lab.endpoints.create(
            EndpointSpec(url: url, events: ["download.created"], format: .slack), id: id, app: 1,
            secret: SenderLab.box.seal(
                [1], for: EndpointSecret.associatedData(of: id, app: 1)))
        guard case .done(let record) = outcome else { throw StoreError(.refused, "not made") }
        return record
    }

    private func rows(_ lab: SenderLab) async throws -> [Row] {
        try await lab.pool.query(
            """
            SELECT state, attempt, notice_no IS NOT NULL, coalesce(jsonb_array_length(tries), 0)
            FROM deliveries ORDER BY delivery_no
            """
        ).map {
            Row(
                state: try $0.get(0), attempt: try $0.get(1), isCounted: try $0.get(2),
                tries: Int(try $0.get(3, as: Int32.self)))
        }
    }

    private func create(_ count: Int, _ lab: SenderLab) async throws {
        for _ in 0..<count { _ = try await lab.create([:]) }
    }

    /// Ends the minute after the last message.
    private func passMinute(_ lab: SenderLab) async throws {
        _ = try await lab.pool.query(
            """
            UPDATE receivers SET half_open_at = half_open_at - interval '1 minute', next_at = CASE
                WHEN next_at < 'infinity' THEN next_at - interval '1 minute' ELSE next_at END
            """)
        _ = try await lab.pool.query(
            "UPDATE deliveries SET run_at = run_at - interval '1 minute' WHERE state = 0")
        lab.sender.hint()
    }

    /// Waits until the receiver has so many requests, then a little longer.
    private func requests(_ count: Int, _ receiver: OriginServer) async throws -> [OriginRequest] {
        for _ in 0..<2000 where receiver.requests.count < count {
            try await Task.sleep(for: .milliseconds(5))
        }
        try await Task.sleep(for: .milliseconds(200))
        return receiver.requests
    }

    private func text(_ request: OriginRequest) throws -> String {
        try #require(try JSON.parse(request.body)["text"]?.stringValue)
    }

    @Test func whatComesWithinAMinuteIsCountedInTheNextMessage() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with { lab in
                _ = try await register(lab, receiver.url("/p"))
                try await create(1, lab)
                _ = try await lab.deliveries { $0.first?.state == 2 }
                try await create(42, lab)
                #expect(try await requests(1, receiver).count == 1)
                #expect(try await rows(lab).dropFirst().allSatisfy { $0.state == 0 })
                try await passMinute(lab)
                let seen = try await requests(2, receiver)
                #expect(seen.count == 2)
                #expect(try !text(seen[0]).contains("more"))
                #expect(try text(seen[1]).hasSuffix("and 41 more"))
                #expect(seen.allSatisfy { $0["webhook-signature"] == nil })
                let end = try await rows(lab)
                #expect(end.count == 43 && end.allSatisfy { $0.state == 2 && $0.attempt == 1 })
                #expect(end.filter(\.isCounted).count == 41)
                let endpoint = try await lab.pool.query(
                    "SELECT succeeded, failed FROM webhook_tallies")
                #expect(try endpoint[0].get(0, as: Int64.self) == 2)
                #expect(lab.sender.tally.countedInNotices == 41)
            }
        }
    }

    @Test func whatIsCountedInAMessageThatFailedWaitsWithItAndEndsAsIt() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("500 No") }) { receiver in
            try await SenderLab.with(waits: [.seconds(30)]) { lab in
                _ = try await register(lab, receiver.url("/p"))
                try await create(1, lab)
                _ = try await lab.deliveries { $0.first?.status == 500 }
                try await create(2, lab)
                try await passMinute(lab)
                // The first was tried most and is the message; it ends, the others have a try left.
                #expect(try text(try await requests(2, receiver)[1]).hasSuffix("and 2 more"))
                #expect(
                    try await rows(lab) == [
                        Row(state: 3, attempt: 2, isCounted: false, tries: 2),
                        Row(state: 0, attempt: 1, isCounted: false, tries: 1),
                        Row(state: 0, attempt: 1, isCounted: false, tries: 1),
                    ])
                try await passMinute(lab)
                #expect(try text(try await requests(3, receiver)[2]).hasSuffix("and 1 more"))
                let end = try await rows(lab)
                #expect(end.allSatisfy { $0.state == 3 && $0.attempt == 2 && $0.tries == 2 })
                #expect(receiver.requests.count == 3)
            }
        }
    }

    @Test func aPingGoesFirstAndCountsNothingElse() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with { lab in
                let record = try await register(lab, receiver.url("/p"))
                try await create(1, lab)
                _ = try await lab.deliveries { $0.first?.state == 2 }
                try await create(2, lab)
                _ = try await lab.endpoints.ping(try #require(record.id), app: 1)
                try await passMinute(lab)
                #expect(
                    try text(try await requests(2, receiver)[1])
                        == "Lull reaches you\nThis is a test.")
                #expect(try await rows(lab).map(\.state) == [2, 0, 0, 2])
                try await passMinute(lab)
                #expect(try text(try await requests(3, receiver)[2]).hasSuffix("and 1 more"))
            }
        }
    }

    @Test func aMessageWhoseTryWasNotMadeIsChosenAnew() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with(sends: false) { lab in
                _ = try await register(lab, receiver.url("/p"))
                try await create(3, lab)
                // A replica claims them, and its answer is lost.
                let outbox = Outbox(
                    pool: lab.pool, registration: lab.registration, changes: lab.changes)
                let due = try await outbox.due(full: [], limit: 10)
                let receiverNumber = try #require(due.list.first?.number)
                let grant = DeliveryPlaces.Grant(receiver: receiverNumber, count: 16, ahead: 0)
                let claim = try await outbox.claim([grant])
                #expect(claim.due.count == 1 && claim.due[0].counted == 2)
                // Meanwhile another replica gets nothing, even behind the minute.
                _ = try await lab.pool.query("UPDATE receivers SET half_open_at = '-infinity'")
                #expect(try await outbox.claim([grant]).isEmpty)
                #expect(try await outbox.releaseUnknown(known: []) == 1)
                #expect(
                    try await rows(lab).allSatisfy {
                        $0 == Row(state: 0, attempt: 0, isCounted: false, tries: 0)
                    })
                let again = try await outbox.claim([grant])
                #expect(again.due.count == 1 && again.due[0].counted == 2)
            }
            #expect(receiver.requests.isEmpty)
        }
    }

    @Test func claimsOfSeveralReplicasAtOnceGetOneMessage() async throws {
        try await OriginServer.with({ _ in OriginStep.answer("204 No Content") }) { receiver in
            try await SenderLab.with(sends: false) { lab in
                _ = try await register(lab, receiver.url("/p"))
                try await create(20, lab)
                let outbox = Outbox(
                    pool: lab.pool, registration: lab.registration, changes: lab.changes)
                let number = try #require(try await outbox.due(full: [], limit: 10).list.first)
                    .number
                let grant = DeliveryPlaces.Grant(receiver: number, count: 16, ahead: 16)
                let claims = try await withThrowingTaskGroup(of: DeliveryClaim.self) { group in
                    for _ in 0..<4 { group.addTask { try await outbox.claim([grant]) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(claims.flatMap(\.due).map(\.counted) == [19])
            }
        }
    }
}
