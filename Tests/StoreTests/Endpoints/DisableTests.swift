// The conditions that disable an endpoint, the record that is written, and the end of its
// deliveries.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct DisableTests {
    private static let rule = DisableRule(
        after: .seconds(3600), failures: 3, spread: .seconds(600))

    /// Failures so far, seconds since the first, whether one delivery was answered between; and
    /// whether the next failure disables the endpoint.
    private static let rows: [(failures: Int, since: Int64, isHealed: Bool, isDisabled: Bool)] = [
        (2, 3600, false, true), (9, 36_000, false, true), (1, 36_000, false, false),
        (2, 3500, false, false), (99, 3599, false, false), (9, 36_000, true, false),
    ]

    private func fail(
        _ outbox: Outbox, _ due: [DueDelivery], rule: DisableRule = rule, isGone: Bool = false,
        at next: Timestamp? = nil
    ) async throws -> DeliveryEffects {
        try await outbox.record(
            due.map { delivery in
                var record = delivery.ended(isDelivered: false, again: next)
                if isGone { (record.status, record.isGone) = (410, true) }
                return record
            }, rule: rule)
    }

    @Test(arguments: rows)
    func manyFailuresOverALongTimeDisable(
        _ failures: Int, _ since: Int64, _ isHealed: Bool, _ isDisabled: Bool
    ) async throws {
        try await StoreLab.with { lab in
            let record = try await lab.endpoint(events: ["download.created"])
            try await lab.endpoint(events: ["endpoint.disabled"])
            _ = try await lab.pool.query(
                """
                INSERT INTO webhook_tallies (endpoint_no, failed, failures, failing_since,
                    last_failure_at)
                VALUES ($1, $2, $2, clock_timestamp() - $3 * interval '1 second',
                    clock_timestamp())
                """, [record.number, Int32(failures), since])
            let outbox = lab.outbox(try await lab.register())
            try await lab.submit(1)
            if isHealed {
                let due = try await outbox.claim(each: 1, total: 1).due
                try await outbox.record(due.map { $0.ended(isDelivered: true) })
                try await lab.submit(1)
            }
            let later = try await lab.now() + .seconds(900)
            let due = try await outbox.claim(each: 1, total: 1).due
            let effects = try await fail(outbox, due, at: later)
            #expect(effects.disabled.map(\.id) == (isDisabled ? [record.id] : []))
            #expect(effects.disabled.allSatisfy { $0.reason == "failing" })
            let after = try await lab.endpoints.find(app: 1, id: record.id)
            #expect(after?.spec.isEnabled == !isDisabled)
            #expect(after?.version == (isDisabled ? 2 : 1))
            // The waiting deliveries are abandoned, and the other endpoints are told.
            let heard = try await outbox.claim(each: 9, total: 9).due
            #expect(heard.map(\.type) == (isDisabled ? [.endpointDisabled] : []))
            #expect(heard.allSatisfy { $0.message.subject == record.id?.text(.endpoint) })
            let states = try await lab.deliveryStates()
            #expect(states.contains(4) == isDisabled)
        }
    }

    @Test func status410DisablesAtOnceAndNeverRestsTheURL() async throws {
        try await StoreLab.with { lab in
            let record = try await lab.endpoint(events: ["download.created"])
            try await lab.submit(3)
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 1, total: 1).due
            let effects = try await fail(outbox, due, rule: .standard, isGone: true)
            #expect(effects.disabled.map(\.reason) == ["gone"])
            #expect(effects.gone.isEmpty)
            #expect(try await lab.deliveryStates() == [3, 4, 4])
            #expect(try await lab.endpoints.find(app: 1, id: record.id)?.disabledReason == "gone")
            #expect(
                try await lab.journalTypes().suffix(2) == [.deliveryExhausted, .endpointDisabled])
            #expect(try await lab.downloads.restingReceivers.list(app: 1).isEmpty)
        }
    }

    /// A failed ping or progress event does not count against an endpoint.
    @Test func pingsAndProgressNeverDisable() async throws {
        try await StoreLab.with { lab in
            let record = try await lab.endpoint(events: ["download.started"])
            let outbox = lab.outbox(try await lab.register())
            let harsh = DisableRule(after: .zero, failures: 1, spread: .zero)
            _ = try await lab.endpoints.ping(try #require(record.id), app: 1)
            let due = try await outbox.claim(each: 1, total: 1).due
            #expect(due.map(\.type) == [.endpointPing])
            let effects = try await fail(outbox, due, rule: harsh)
            #expect(effects.disabled.isEmpty)
            #expect(try await lab.journalTypes() == [.endpointPing])
            let figures = try await lab.endpoints.statistics(
                of: record, app: 1)
            #expect(figures.failed == 1 && figures.exhausted == 1 && figures.failingSince == nil)
        }
    }

    @Test func aPingReachesADisabledEndpointAlone() async throws {
        try await StoreLab.with { lab in
            let record = try await lab.endpoint()
            try await lab.endpoint()
            var spec = record.spec
            spec.isEnabled = false
            _ = try await lab.endpoints.change(
                record, to: spec, id: record.id, app: 1, sealed: nil)
            let number = try await lab.endpoints.ping(try #require(record.id), app: 1)
            #expect(try await lab.endpoints.ping(StoreLab.identifier(), app: 1) == nil)
            #expect(try await lab.endpoints.ping(try #require(record.id), app: 2) == nil)
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 9, total: 9).due
            #expect(due.map(\.number) == [number])
            #expect(due.map(\.endpoint) == [record.id])
        }
    }

    @Test func anExhaustedDeliveryIsAnEventForTheOthers() async throws {
        try await StoreLab.with { lab in
            let failing = try await lab.endpoint("https://a.example/", events: ["download.*"])
            try await lab.endpoint("https://b.example/", events: ["delivery.exhausted"])
            let outbox = lab.outbox(try await lab.register())
            try await lab.submit(2)
            let due = try await outbox.claim(each: 2, total: 2).due
            _ = try await fail(outbox, due)
            let told = try await outbox.claim(each: 9, total: 9).due
            #expect(told.map(\.type) == [.deliveryExhausted, .deliveryExhausted])
            #expect(told.map(\.url) == ["https://b.example/", "https://b.example/"])
            let data = try told[0].data
            #expect(data["id"] == .string(due[0].id.text(.delivery)))
            #expect(data["event"] == .string(due[0].message.id))
            #expect(data["download"] == .string(due[0].message.subject))
            #expect(data["endpoint"] == .string(try #require(failing.id).text(.endpoint)))
            #expect(data["attempts"] == 1 && data["http_status"] == 500)
            #expect(data["app"] == "default")
            // An event about a delivery is not followed by an event about its own delivery.
            _ = try await fail(outbox, told)
            #expect(try await outbox.claim(each: 9, total: 9).due.isEmpty)
            #expect(try await lab.journalTypes().filter { $0 == .deliveryExhausted }.count == 2)
        }
    }

    /// The events an endpoint subscribes to, and whether its receiver is locked before a failure is
    /// recorded.
    private static let hearers: [(events: [String], isLocked: Bool)] = [
        (["endpoint.disabled"], true), (["delivery.exhausted"], true),
        (["endpoint.disabled", "delivery.exhausted"], true), (["*"], true),
        (["download.*"], false), (["endpoint.ping"], false), (["session.wake"], false),
    ]

    @Test(arguments: hearers)
    func receiversThatMayHearOfAFailureAreLockedFirst(
        _ events: [String], _ isLocked: Bool
    ) async throws {
        try await StoreLab.with { lab in
            try await lab.endpoint("https://a.example/", events: ["download.created"])
            let hearer = try await lab.endpoint("https://b.example/", events: events)
            let outbox = lab.outbox(try await lab.register())
            // A receiver has a row from its first delivery on.
            _ = try await lab.endpoints.ping(try #require(hearer.id), app: 1)
            try await lab.submit(1)
            let due = try await outbox.claim(each: 9, total: 9).due
            let failed = try #require(due.first { $0.type == .created })
            let pool = lab.pool
            try await pool.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query(
                    "SELECT lull_lock_receivers('{}', ARRAY[$1::bigint])", [failed.number])
                let free = try await pool.query(
                    """
                    SELECT 1 FROM receivers
                    WHERE receiver = lull_endpoint_receiver($1) FOR NO KEY UPDATE SKIP LOCKED
                    """, [hearer.number])
                #expect(free.isEmpty == isLocked)
            }
        }
    }

    @Test func replicasThatDisableAndSubmitAtOnceDoNotWaitForEachOther() async throws {
        try await StoreLab.with(connections: 8) { lab in
            for name in ["a", "b", "c"] { try await lab.endpoint("https://\(name).example/") }
            let outbox = lab.outbox(try await lab.register())
            async let written: Void = {
                for _ in 0..<40 { try await lab.submit(1) }
            }()
            async let failed: Void = {
                for _ in 0..<80 {
                    let due = try await outbox.claim(each: 4, total: 9).due
                    _ = try await self.fail(outbox, due)
                }
            }()
            async let pinged: Void = {
                for _ in 0..<20 {
                    for record in try await lab.endpoints.list(app: 1) {
                        guard let id = record.id else { continue }
                        _ = try await lab.endpoints.ping(id, app: 1)
                    }
                }
            }()
            _ = try await (written, failed, pinged)
        }
    }
}
