// The events that each endpoint gets.
import Base
import Downloads
import Postgres
import Testing

@testable import Store

@Suite struct FanOutTests {
    /// The events and the sessions of an endpoint, and whether it gets `download.created` of a
    /// download in the session `default`.
    private static let rows: [([String]?, [String]?, Bool)] = [
        (["*"], nil, true), (["download.*"], nil, true), (["download.created"], nil, true),
        (nil, nil, false), (["download.failed"], nil, false), (["session.*"], nil, false),
        (["endpoint.*", "delivery.*"], nil, false), (["*"], ["default"], true),
        (["*"], ["other", "default"], true), (["*"], ["other"], false),
        (["*"], ["Default"], false),
    ]

    @Test(arguments: [nil, "https://hooks.example/e"])
    func anEventGoesToEveryEndpointThatHearsIt(hook: String?) async throws {
        try await StoreLab.with { lab in
            var expected = hook == nil ? [] : ["https://hooks.example/e"]
            for (place, (events, sessions, isHeard)) in FanOutTests.rows.enumerated() {
                let url = "https://hooks.example/\(place)"
                try await lab.endpoint(url, events: events, sessions: sessions)
                if isHeard { expected.append(url) }
            }
            var members: JSONObject = ["webhook_events": ["download.created"]]
            if let hook { members["webhook_url"] = .string(hook) }
            try await lab.submit(1, members)
            let outbox = lab.outbox(try await lab.register())
            let due = try await outbox.claim(each: 9, total: 99).due
            #expect(due.map(\.url).sorted() == expected.sorted())
            // One event has one identifier and one text for all endpoints.
            #expect(Set(due.map(\.message.id)).count == 1)
            #expect(Set(due.map(\.message.body)).count == 1)
            #expect(due.allSatisfy { $0.message.source == "/v1/sessions/default" })
        }
    }

    @Test func endpointsOfOtherAppsHearNothing() async throws {
        try await StoreLab.with { lab in
            _ = try await lab.pool.query("INSERT INTO apps (name) VALUES ('other')")
            try await lab.endpoint(app: 2)
            try await lab.submit(2)
            #expect(try await lab.deliveryStates().isEmpty)
        }
    }

    /// Each endpoint has a receiver of its own, so that a silent one delays no other on its host.
    @Test func endpointsOfOneHostHaveReceiversOfTheirOwn() async throws {
        try await StoreLab.with { lab in
            let first = try await lab.endpoint("https://hooks.example/a")
            let second = try await lab.endpoint("https://hooks.example/b")
            try await lab.submit(1, ["webhook_url": "https://hooks.example/c"])
            let names = try await lab.pool.query("SELECT receiver FROM receivers ORDER BY 1")
                .map { try $0.get(0, as: String.self) }
            #expect(names == ["endpoint:\(first.number)", "endpoint:\(second.number)"].sorted())
        }
    }

    @Test func disabledAndDeletedEndpointsGetNothingMore() async throws {
        try await StoreLab.with { lab in
            let first = try await lab.endpoint()
            let second = try await lab.endpoint()
            try await lab.submit(2)
            #expect(try await lab.deliveryStates() == [0, 0, 0, 0])
            var spec = first.spec
            spec.isEnabled = false
            guard
                case .done(let off) = try await lab.endpoints.change(
                    first, to: spec, id: first.id, app: 1, sealed: nil)
            else { throw StoreError(.refused, "not changed") }
            #expect(off.disabledReason == "client" && off.version == 2)
            #expect(try await lab.deliveryStates().filter { $0 == 4 }.count == 2)
            _ = try await lab.endpoints.delete(try #require(second.id), app: 1) { _ in true }
            #expect(try await lab.deliveryStates() == [4, 4, 4, 4])
            try await lab.submit(1)
            #expect(try await lab.deliveryStates().count == 4)
            #expect(try await lab.endpoints.list(app: 1).map(\.id) == [first.id])
            #expect(lab.changes.listeners.isEmpty)
        }
    }

    /// A delivery that was written beside the change is abandoned when it is due.
    @Test(arguments: ["disabled_at", "deleted_at"])
    func whatWasWrittenBesideTheChangeIsAbandonedByTheClaim(column: String) async throws {
        try await StoreLab.with { lab in
            try await lab.endpoint()
            try await lab.submit(3)
            _ = try await lab.pool.query(
                "UPDATE webhook_endpoints SET \(column) = clock_timestamp()", [])
            let outbox = lab.outbox(try await lab.register())
            let claim = try await outbox.claim(each: 9, total: 9)
            #expect(claim.due.isEmpty && claim.ended == 3)
            #expect(try await lab.deliveryStates() == [4, 4, 4])
        }
    }

    @Test func anAppHasAHundredEndpointsAtMost() async throws {
        try await StoreLab.with { lab in
            var made: [EndpointRecord] = []
            for _ in 0..<EndpointSpec.countAtMost { made.append(try await lab.endpoint()) }
            let spec = EndpointSpec(url: "https://hooks.example/")
            func create() async throws -> Bool {
                let outcome = try await lab.endpoints.create(
                    spec, id: StoreLab.identifier(), app: 1, secret: [1])
                if case .tooMany = outcome { return false }
                return true
            }
            #expect(try await !create())
            // The default endpoint is not counted; a deleted one leaves room.
            _ = try await lab.endpoints.keepSecret([9], app: 1)
            _ = try await lab.endpoints.delete(try #require(made[0].id), app: 1) { _ in true }
            #expect(try await create())
            #expect(try await !create())
            #expect(try await lab.endpoints.list(app: 1).count == 101)
        }
    }

    /// Without endpoints the statement of a create writes no delivery.
    @Test func aDownloadWithoutListenersWritesNoDelivery() async throws {
        try await StoreLab.with { lab in
            try await lab.endpoint(events: ["download.failed"])
            try await lab.submit(2)
            #expect(try await lab.number("SELECT count(*) FROM receivers") == 0)
            #expect(try await lab.deliveryStates().isEmpty)
            #expect(lab.changes.listeners.events(of: 1).names == ["download.failed"])
        }
    }

    @Test func identifiersAreTheSameInSQLAndSwift() async throws {
        try await StoreLab.with { lab in
            var random = SeededGenerator(seed: 5)
            for _ in 0..<50 {
                let id = Identifier(high: random.next(), low: random.next())
                let text = try await lab.pool.query(
                    "SELECT lull_id_text('whe', $1)", [UUIDValue(id)])
                #expect(try text[0].get(0, as: String.self) == id.text(.endpoint))
                let number = Int64(random.next() >> UInt64.random(in: 1...60, using: &random))
                let delivery = try await lab.pool.query("SELECT lull_delivery_id($1)", [number])
                let found = try delivery[0].get(0, as: UUIDValue.self).identifier
                let names = lab.changes.names
                #expect(names.subject(found, of: .deliveryExhausted) == names.delivery(number))
                #expect(names.deliveryNumber(names.delivery(number)) == number)
                #expect(names.deliveryNumber(found) == nil)
            }
        }
    }
}
