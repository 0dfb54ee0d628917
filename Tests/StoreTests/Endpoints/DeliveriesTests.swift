// Deliveries in lists, and deliveries that are sent once more.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct DeliveriesTests {
    private static let hook: JSONObject = [
        "webhook_url": "https://hooks.example/a", "webhook_events": ["download.created"],
    ]

    /// Five deliveries: two of a URL, three of an endpoint; each in another state.
    private func five(_ lab: StoreLab) async throws -> (EndpointRecord, [DueDelivery]) {
        try await lab.submit(2, DeliveriesTests.hook)
        let record = try await lab.endpoint(events: ["download.created"])
        try await lab.submit(3)
        let outbox = lab.outbox(try await lab.register())
        let due = try await outbox.claim(each: 9, total: 9).due
        try await outbox.record([
            due[0].ended(isDelivered: true), due[1].ended(isDelivered: false),
            due[2].ended(isDelivered: false, again: try await lab.now() + .seconds(60)),
            due[3].ended(isDelivered: true),
        ])
        return (record, due)
    }

    @Test func filtersAndPages() async throws {
        try await StoreLab.with { lab in
            let (record, due) = try await five(lab)
            let deliveries = lab.downloads.deliveries
            func list(
                _ change: (inout DeliveryFilter) -> Void, app: Int64 = 1, limit: Int = 9,
                before: Int64? = nil, scanned: Int = 100
            ) async throws -> [Int] {
                var filter = DeliveryFilter()
                change(&filter)
                let page = try await deliveries.list(
                    filter, app: app, before: before, limit: limit, scanned: scanned)
                return page.list.compactMap { view in
                    due.firstIndex { $0.number == view.number }
                }
            }
            #expect(try await list { _ in } == [4, 3, 2, 1, 0])
            #expect(try await list({ _ in }, app: 2) == [])
            #expect(try await list({ _ in }, limit: 2) == [4, 3])
            #expect(try await list({ _ in }, before: due[3].number) == [2, 1, 0])
            #expect(try await list({ _ in }, scanned: 3) == [4, 3, 2])
            #expect(try await list { $0.receiver = .addresses } == [1, 0])
            #expect(try await list { $0.receiver = .endpoint(record.number) } == [4, 3, 2])
            #expect(try await list { $0.state = .pending } == [4, 2])
            #expect(try await list { $0.state = .succeeded } == [3, 0])
            #expect(try await list { $0.state = .exhausted } == [1])
            #expect(try await list { $0.state = .abandoned } == [])
            let id = try #require(Identifier(due[2].message.subject, kind: .download))
            #expect(try await list { $0.download = id } == [2])
            // A page that reached its bound of rows says where to continue, even if it is empty.
            var filter = DeliveryFilter()
            filter.state = .pending
            let page = try await deliveries.list(
                filter, app: 2, before: nil, limit: 9, scanned: 2)
            #expect(page.list.isEmpty && page.next == due[3].number)
        }
    }

    @Test func showsEveryTry() async throws {
        try await StoreLab.with { lab in
            let (record, due) = try await five(lab)
            let deliveries = lab.downloads.deliveries
            let done = try #require(try await deliveries.find(due[0].number, app: 1))
            #expect(done.state == .succeeded && done.tries.count == 1)
            #expect(done.tries[0].status == 204 && done.tries[0].milliseconds == 7)
            #expect(done.url == "https://hooks.example/a" && done.endpoint == nil)
            #expect(done.body == due[0].message.body)
            let given = try #require(try await deliveries.find(due[1].number, app: 1))
            #expect(given.state == .exhausted && given.tries.map(\.body) == ["canary7f3d"])
            let waiting = try #require(try await deliveries.find(due[2].number, app: 1))
            #expect(waiting.state == .pending && waiting.nextAttemptAt != nil)
            #expect(waiting.endpoint == record.id && waiting.url == record.spec.url)
            #expect(try await deliveries.find(due[0].number, app: 2) == nil)
            #expect(try await deliveries.find(9999, app: 1) == nil)
        }
    }

    @Test func triesAreKeptUpToFifty() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(1, DeliveriesTests.hook)
            let outbox = lab.outbox(try await lab.register())
            for _ in 0..<55 {
                let due = try await outbox.claim(each: 1, total: 1).due
                let soon = try await lab.now() - .seconds(1)
                try await outbox.record(due.map { $0.ended(isDelivered: false, again: soon) })
            }
            let view = try #require(try await lab.downloads.deliveries.find(1, app: 1))
            #expect(view.attempts == 55 && view.tries.count == 50)
        }
    }

    @Test func aRedeliveryHasTheSameIdentifierAndBytes() async throws {
        try await StoreLab.with { lab in
            let (_, due) = try await five(lab)
            let deliveries = lab.downloads.deliveries
            // Delivered, given up, waiting, delivered to an endpoint, being sent.
            let expected = [true, true, false, true, false]
            for (delivery, isQueued) in zip(due, expected) {
                #expect(try await deliveries.redeliver(delivery.number, app: 2) == false)
                #expect(try await deliveries.redeliver(delivery.number, app: 1) == isQueued)
            }
            let outbox = lab.outbox(try await lab.register())
            let again = try await outbox.claim(each: 9, total: 9).due
            #expect(again.map(\.number).sorted() == [0, 1, 3].map { due[$0].number })
            for delivery in again {
                let first = try #require(due.first { $0.number == delivery.number })
                #expect(delivery.message == first.message && delivery.url == first.url)
                // The delivery's schedule starts from its first try.
                #expect(delivery.attempt == 2 && delivery.redeliveredAfter == 1)
            }
            var kept = again[0].ended(isDelivered: true)
            kept.kept = DeliveryTry(at: .epoch, milliseconds: 1, status: 204)
            try await outbox.record([kept])
            let view = try #require(try await deliveries.find(again[0].number, app: 1))
            #expect(view.tries.map(\.status) == [204, 204])
        }
    }

    @Test func whatIsErasedIsNotSentAgain() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit(1, DeliveriesTests.hook)[0]
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 1, total: 1).due
            try await outbox.record(due.map { $0.ended(isDelivered: false) })
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            _ = try await lab.downloads.perform(.delete, on: id, app: 1)
            let view = try #require(
                try await lab.downloads.deliveries.find(due[0].number, app: 1))
            #expect(view.isErased && view.body == nil && view.url == nil && view.tries.isEmpty)
            #expect(
                try await lab.downloads.deliveries.redeliver(due[0].number, app: 1) == false)
        }
    }

    /// Past events: delivered, given up, and some while the endpoint was disabled.
    @Test func recoversWhatAnEndpointDidNotGet() async throws {
        try await StoreLab.with { lab in
            let record = try await lab.endpoint(events: ["download.created"])
            let outbox = lab.outbox(try await lab.register())
            try await lab.submit(4)
            let due = try await outbox.claim(each: 4, total: 4).due
            try await outbox.record(
                due.enumerated().map { $1.ended(isDelivered: $0 < 2) })
            var spec = record.spec
            spec.isEnabled = false
            let off = try await lab.endpoints.change(
                record, to: spec, id: record.id, app: 1, sealed: nil)
            try await lab.submit(3)
            guard case .done(let disabled) = off else { throw StoreError(.refused, "not off") }
            _ = try await lab.endpoints.change(
                disabled, to: record.spec, id: record.id, app: 1, sealed: nil)
            let now = try await lab.now()
            func recover(
                since: Duration, until: Duration = .zero, limit: Int = 100, app: Int64 = 1
            ) async throws -> (queued: Int, isComplete: Bool)? {
                try await lab.endpoints.recover(
                    record.id, app: app, since: now - since, until: now - until, limit: limit)
            }
            #expect(try await recover(since: .seconds(60), app: 2) == nil)
            let none = try #require(try await recover(since: .seconds(60), until: .seconds(30)))
            #expect(none == (0, true))
            let some = try #require(try await recover(since: .seconds(60), limit: 2))
            #expect(some == (2, false))
            let rest = try #require(try await recover(since: .seconds(60)))
            #expect(rest == (3, true))
            let again = try #require(try await recover(since: .seconds(60)))
            #expect(again == (0, true))
            let queued = try await outbox.claim(each: 9, total: 9).due
            #expect(queued.count == 5)
            #expect(
                Set(queued.map(\.message.subject)).isDisjoint(
                    with: due[..<2].map(\.message.subject)))
        }
    }

    @Test func recoversWhatWasGivenUpForAddresses() async throws {
        try await StoreLab.with { lab in
            _ = try await five(lab)
            let now = try await lab.now()
            let outcome = try #require(
                try await lab.endpoints.recover(
                    nil, app: 1, since: now - .seconds(60), until: now))
            #expect(outcome == (1, true))
        }
    }

    /// The place in the journal is found by halving, whatever lies between its ends.
    @Test func theJournalIsEnteredAtATime() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(40)
            _ = try await lab.pool.query(
                """
                UPDATE events e SET at = timestamptz '2026-01-01' + n.place * interval '1 day'
                FROM (SELECT journal_no, row_number() OVER (ORDER BY xid, journal_no) AS place
                    FROM events) n WHERE n.journal_no = e.journal_no
                """)
            for day in [0, 1, 2, 17, 39, 40, 41] {
                let count = try await lab.number(
                    """
                    SELECT count(*) FROM events WHERE xid > lull_journal_place(1,
                        timestamptz '2026-01-01' + $1 * interval '1 day')
                    """, [Int32(day)])
                #expect(count == max(0, 41 - max(1, Int64(day))), "\(day)")
            }
        }
    }

    @Test func secretsOverlapUntilTheirTime() async throws {
        try await StoreLab.with { lab in
            let record = try await lab.endpoint()
            let outbox = lab.outbox(try await lab.register())
            func claimed() async throws -> DueDelivery {
                try await lab.submit(1)
                return try #require(try await outbox.claim(each: 1, total: 1).due.first)
            }
            #expect(try await claimed().secret == [1, 2, 3])
            func rotate(
                _ secret: [UInt8], _ overlap: Duration
            ) async throws -> Endpoints.Rotation {
                try await lab.endpoints.rotate(
                    record.id, app: 1, to: secret, inherited: nil, overlap: overlap)
            }
            guard case .done(let until) = try await rotate([4], .seconds(60)) else {
                Issue.record("not replaced")
                return
            }
            #expect(until > (try await lab.now()) + .seconds(50))
            let both = try await claimed()
            #expect(both.secret == [4] && both.replacedSecrets == [[1, 2, 3]])
            // All secrets that were replaced within the overlap sign, up to the allowed number.
            var replaced: [[UInt8]] = [[1, 2, 3]]
            for number in 5..<UInt8(4 + Endpoints.replacedAtMost) {
                _ = try await rotate([number], .seconds(60))
                replaced.insert([number - 1], at: 0)
                let seen = try await claimed()
                #expect(seen.secret == [number] && seen.replacedSecrets == replaced)
            }
            #expect(replaced.count == Endpoints.replacedAtMost)
            #expect(try await rotate([99], .seconds(60)) == .full(until: until))
            #expect(try await claimed().replacedSecrets == replaced)
            // A secret whose time is over does not sign any more, and frees its place.
            _ = try await lab.pool.query(
                """
                UPDATE webhook_endpoints SET replaced_until[$1] = clock_timestamp()
                WHERE id = $2
                """, [Int32(replaced.count), record.id.map { UUIDValue($0) }])
            #expect(try await claimed().replacedSecrets == replaced.dropLast())
            _ = try await rotate([50], .seconds(60))
            #expect(try await claimed().replacedSecrets.count == Endpoints.replacedAtMost)
            // A shorter overlap holds for secrets that were replaced before, too.
            _ = try await rotate([51], .zero)
            let one = try await claimed()
            #expect(one.secret == [51] && one.replacedSecrets == [])
            #expect(
                try await lab.endpoints.rotate(
                    StoreLab.identifier(), app: 1, to: [1], inherited: nil, overlap: .zero)
                    == .notFound)
            // The configuration did not change, so its tag stays.
            #expect(try await lab.endpoints.find(app: 1, id: record.id)?.version == 1)
        }
    }
}
