// The pieces that every test of the webhook sender needs: a database with an outbox, an engine, a
// webhook sender at work.
import Base
import Crypto
import Downloads
import Platform
import Postgres
import Store
import Support
import Testing
import Transfers
import Webhooks

/// A migrated database, and one replica that sends webhooks.
struct SenderLab: Sendable {
    static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    /// A delivery as a row of the table.
    struct Delivery: Equatable {
        /// 0 pending, 1 being sent, 2 succeeded, 3 exhausted, 4 abandoned.
        var state: Int16
        var attempt: Int32
        var status: Int32?
        var error: String?
    }

    let pool: ConnectionPool
    let registration: Registration
    let ledger: Ledger
    let sender: WebhookSender
    let changes: ChangeHub
    let engine: TransferEngine

    /// The keys that seal secrets.
    static let box = SecretBox(keys: [Array(repeating: 7, count: 32)])

    /// Runs a test beside a webhook sender, which sends unless it is told otherwise, and stops it.
    static func with(
        waits: [Duration] = [], disabling: DisableRule = .standard,
        timeout: Duration = .seconds(20), each: Int = 16, total: Int = 64,
        isRegistered: Bool = true, poll: Duration = .milliseconds(50), sends: Bool = true,
        rule: DatabaseLink.Rule? = nil,
        _ test: (SenderLab) async throws -> Void
    ) async throws {
        try await TestDatabase.with(schema: true) { database in
            let pool = ConnectionPool(url: database.url, size: 4, limits: .patient)
            let link = try DatabaseLink(to: database.url, rule: rule ?? { _ in .pass })
            defer { link.close() }
            let linked = ConnectionPool(url: link.url, size: 1)
            let engine = try TransferEngine.open(
                TransferEngine.Configuration(
                    destinations: try Destinations.parse("loopback"), userAgent: "Lull/test"))
            let changes = ChangeHub()
            let ledger = try await Ledger.register(
                pool: pool, instance: Identifier(high: 1, low: 1), node: "test",
                lease: .seconds(600), changes: changes
            ).ledger
            let registration = Registration(replica: isRegistered ? ledger.replica : 0)
            let sender = WebhookSender(
                outbox: Outbox(pool: linked, registration: registration, changes: changes),
                engine: engine,
                secrets: SigningSecrets(
                    box: box, inherited: EndpointSecret(secret)),
                settings: WebhookSenderSettings(
                    schedule: DeliverySchedule(waits: waits), disabling: disabling,
                    timeout: timeout, each: each,
                    total: total, pollInterval: poll, lonelyPollInterval: poll,
                    compareInterval: .seconds(600)),
                log: .silent)
            let lab = SenderLab(
                pool: pool, registration: registration, ledger: ledger, sender: sender,
                changes: changes, engine: engine)
            async let running: Void = sends ? sender.run() : ()
            let failure: (any Error)?
            do {
                try await test(lab)
                failure = nil
            } catch {
                failure = error
            }
            await sender.stop()
            await running
            await engine.close()
            await linked.close()
            await pool.close()
            if let failure { throw failure }
        }
    }

    /// Creates a download whose acceptance is told to a receiver.
    @discardableResult
    func create(telling url: String) async throws -> Identifier {
        try await create(["webhook_url": .string(url), "webhook_events": ["download.created"]])
    }

    /// A download with other members.
    func create(_ members: JSONObject) async throws -> Identifier {
        var object = members
        object["url"] = "https://origin.example/file"
        let request = try DownloadRequest.parse(.object(object)).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        var random = SystemRandomNumberGenerator()
        let id = Identifier(at: Timestamp(seconds: 1_795_309_200), using: &random)
        _ = try await Intake(pool: pool).submit(
            NewDownload(
                download: Download(id: id, request: request, spec: spec, createdAt: .epoch),
                app: 1, sessionKey: 1, origin: "https://origin.example:443"))
        sender.hint()
        return id
    }

    /// The deliveries in the order in which they were written.
    func deliveries() async throws -> [Delivery] {
        let rows = try await pool.query(
            "SELECT state, attempt, last_status, last_error FROM deliveries ORDER BY delivery_no")
        return try rows.map {
            Delivery(
                state: try $0.get(0), attempt: try $0.get(1), status: try $0.get(2),
                error: try $0.get(3))
        }
    }

    /// Waits until the deliveries are as expected, or returns them as they are at the end.
    func deliveries(
        when isReached: ([Delivery]) -> Bool
    ) async throws -> [Delivery] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(30)
        var seen = try await deliveries()
        while !isReached(seen), clock.now < end {
            try await Task.sleep(for: .milliseconds(5))
            seen = try await deliveries()
        }
        return seen
    }
}

extension OriginServer {
    /// Runs a test beside a receiver and closes it.
    static func with(
        _ script: @escaping Script, _ test: (OriginServer) async throws -> Void
    ) async throws {
        let server = try OriginServer(script)
        defer { server.close() }
        try await test(server)
    }
}
