// The pieces that tests of sessions need: sessions with receivers, ends of downloads, rounds of
// looks.
import Base
import Downloads
import Postgres
import Store
import Testing

/// A lab with a session that is woken at a URL and subscribes to the events of wakes.
struct SessionLab {
    let lab: StoreLab
    let ledger: Ledger
    var settings = WakeSettings.standard

    static let url = "https://hooks.example/wake"
    static let woken: JSONObject = [
        "webhook_url": .string(url),
        "webhook_events": ["session.wake", "session.events_finished"],
    ]

    init(_ lab: StoreLab) async throws {
        self.lab = lab
        ledger = try await lab.register()
    }

    var sessions: Sessions { Sessions(pool: lab.pool) }
    var wakes: Wakes { lab.downloads.wakes }

    /// Makes or changes a session; returns its key.
    @discardableResult
    func put(
        _ name: String, _ members: JSONObject = woken
    ) async throws
        -> Int64
    {
        let configuration = try SessionConfiguration.parse(.object(members)).get()
        let outcome = try await sessions.put(
            app: 1, identifier: name, configuration: configuration)
        return try #require(outcome.record).key
    }

    /// Looks until no session is due.
    @discardableResult
    func look() async throws -> [Wakes.Round] {
        var rounds: [Wakes.Round] = []
        while true {
            let round = try await wakes.look(settings)
            rounds.append(round)
            guard round.isPart || round.hasMore else { return rounds }
        }
    }

    /// Claims the due downloads and ends all of them.
    func end(_ outcome: RunOutcome = .succeeded) async throws {
        let claims = try await lab.claim(ledger)
        _ = try await ledger.finish(claims.map { lab.end($0, outcome) })
    }

    /// Sends the due deliveries, with this status as answer.
    func deliver(_ status: Int = 204) async throws -> [DueDelivery] {
        let outbox = lab.outbox(ledger)
        let due = try await outbox.claim(each: 100, total: 100).due
        try await outbox.record(
            due.map { delivery in
                var record = DeliveryRecord(
                    number: delivery.number, receiver: delivery.receiver, fence: delivery.fence,
                    nextAt: nil, isDelivered: (200...299).contains(status), status: status,
                    error: nil)
                record.isSilent = false
                record.isWake = delivery.type == .sessionWake
                return record
            })
        return due
    }

    /// The data of the events of a type, in order.
    func data(_ type: EventType) async throws -> [JSON] {
        let rows = try await lab.pool.query(
            "SELECT payload FROM events WHERE type = $1 ORDER BY xid, journal_no", [type.rawValue])
        return try rows.map { try JSON.parse(Array($0.get(0, as: String.self).utf8)) }
    }

    /// The wake state of a session.
    func status(_ session: Int64) async throws -> SessionWake {
        try await wakes.status(of: session)
    }
}
