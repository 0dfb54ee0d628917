// Endpoints for the tests of the store, with secrets that are not sealed.
import Downloads
import Postgres
import Store
import Testing

extension StoreLab {
    var endpoints: Endpoints { downloads.endpoints }

    /// Registers an endpoint.
    @discardableResult
    func endpoint(
        _ url: String = "https://hooks.example/e", events: [String]? = ["*"],
        sessions: [String]? = nil, app: Int64 = 1
    ) async throws -> EndpointRecord {
        let spec = EndpointSpec(url: url, events: events, sessions: sessions)
        let outcome = try await endpoints.create(
            spec, id: StoreLab.identifier(), app: app, secret: [1, 2, 3])
        guard case .done(let record) = outcome else { throw StoreError(.refused, "not made") }
        return record
    }

    /// The states of all deliveries in the order in which the deliveries were written.
    func deliveryStates() async throws -> [Int16] {
        try await pool.query("SELECT state FROM deliveries ORDER BY delivery_no").map {
            try $0.get(0)
        }
    }

    /// The types of all events, in order.
    func journalTypes() async throws -> [EventType] {
        try await pool.query("SELECT type FROM events ORDER BY xid, journal_no").map {
            try #require(EventType(rawValue: $0.get(0)))
        }
    }
}
