// A link to the database that loses answers after their commit: everything arrives all the same,
// without a restart, and no place stays held.
import Base
import Crypto
import Downloads
import Foundation
import Platform
import Postgres
import Store
import Support
import Synchronization
import Testing
import Transfers
import Webhooks

@testable import Worker

@Suite struct LossyLinkTests {
    /// One world of losses: its seed, its length and its number of downloads.
    struct Plan: CustomTestStringConvertible {
        let seed: UInt64
        let downloads: Int
        /// The time during which new downloads come.
        let span: Duration
        var testDescription: String { "seed \(seed)" }

        /// One short plan; with `LULL_LOSSY=N` N plans of a minute each, with `full` ten of them.
        static var all: [Plan] {
            let words = ProcessInfo.processInfo.environment["LULL_LOSSY"] ?? ""
            let count = words == "full" ? 10 : UInt64(words) ?? 0
            return count > 0
                ? (1...count).map { Plan(seed: $0, downloads: 600, span: .seconds(60)) }
                : [Plan(seed: 1, downloads: 60, span: .seconds(6))]
        }
    }

    /// The number of rounds in a hundred that lose their answer; one more loses its request.
    private static let lostInHundred: UInt64 = 3

    @Test(arguments: Plan.all)
    func everyDownloadSucceedsOverALossyLink(plan: Plan) async throws {
        let bytes = content(30_000)
        try await Replica.with(
            { request in
                request.method == "POST" ? OriginStep.answer() : Answer.whole(bytes)
            }, isRunning: false
        ) { base, origin in
            let random = Mutex(plan.seed)
            let link = try DatabaseLink(to: base.url)
            defer { link.close() }
            try await base.besides(
                over: link, options: ConnectionOptions(timeout: .seconds(2))
            ) { replica in
                link.follow { _ in
                    let number = random.withLock { state -> UInt64 in
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        return (state >> 33) % 100
                    }
                    return number < Self.lostInHundred
                        ? .loseAnswer : number == 99 ? .loseRequest : .pass
                }
                try await Self.sending(replica) {
                    let pause = plan.span / plan.downloads
                    for number in 0..<plan.downloads {
                        try await Self.submit("/\(number)", to: replica, origin)
                        try await Task.sleep(for: pause)
                    }
                    try await Self.arrived(plan.downloads, base)
                }
                #expect(link.lost > 0)
                try await Self.check(plan.downloads, base, origin)
                link.restore()
            }
        }
    }

    /// Runs a body beside a webhook sender over the replica's link.
    private static func sending(
        _ replica: Replica, _ body: () async throws -> Void
    ) async throws {
        let engine = try TransferEngine.open(
            TransferEngine.Configuration(
                destinations: try Destinations.parse("loopback"), userAgent: "Lull/test"))
        let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let sender = WebhookSender(
            outbox: Outbox(pool: replica.pool, registration: replica.registration),
            engine: engine,
            secrets: SigningSecrets(
                box: SecretBox(keys: [Array(repeating: 7, count: 32)]),
                inherited: EndpointSecret(secret)),
            settings: WebhookSenderSettings(
                schedule: DeliverySchedule(waits: Array(repeating: .milliseconds(50), count: 20)),
                pollInterval: .milliseconds(50), lonelyPollInterval: .milliseconds(50),
                compareInterval: .seconds(1)),
            log: .silent)
        async let running: Void = sender.run()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        await sender.stop()
        await running
        await engine.close()
        try outcome.get()
    }

    /// Submits as a client does: repeats the request until it is told that the download is there.
    private static func submit(
        _ path: String, to replica: Replica, _ origin: OriginServer
    ) async throws {
        let new = try replica.draft(
            origin.url(path),
            ["webhook_url": .string(origin.url("/hook")), "webhook_events": ["download.*"]])
        let key = IdempotencyKey(
            app: 1, hash: WorkerLab.identifier(), fingerprint: WorkerLab.identifier())
        let answer = StoredAnswer(status: 201, headers: JSONObject(), body: "{}")
        for _ in 0..<200 {
            do throws(StoreError) {
                let claim = try await replica.intake.submit(
                    new, idempotency: KeyedAnswer(key, answer))
                #expect(claim == .mine || claim == .answered(answer))
                return replica.worker.hint()
            } catch {
                try #require(error.code == .unavailable, "\(error)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("not accepted: \(path)")
    }

    private static func arrived(_ count: Int, _ base: Replica) async throws {
        let isDone = try await eventually {
            let ended = try await base.number(
                "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')")
            let open = try await base.number("SELECT count(*) FROM deliveries WHERE state < 2")
            return ended == count && open == 0
        }
        #expect(isDone)
    }

    private static func check(
        _ count: Int, _ base: Replica, _ origin: OriginServer
    ) async throws {
        #expect(try await base.number("SELECT count(*) FROM downloads") == count)
        #expect(
            try await base.number(
                "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')")
                == count)
        #expect(try await base.number("SELECT count(*) FROM queue") == 0)
        #expect(try await base.number("SELECT sum(running) FROM gates") == 0)
        let ends = try await base.number(
            """
            SELECT count(*) FROM (SELECT download_id FROM events WHERE type = 9
                GROUP BY download_id HAVING count(*) = 1) z
            """)
        #expect(ends == count, "each end is told once")
        #expect(try await base.number("SELECT count(*) FROM deliveries WHERE state <> 2") == 0)
        let rows = try await base.pool.query(
            """
            SELECT lull_event_id(at, journal_no, xid)
            FROM deliveries JOIN events USING (download_id, sequence)
            """)
        let told = Set(
            origin.requests.filter { $0.method == "POST" }.compactMap { $0["webhook-id"] })
        for row in rows {
            let id = try row.get(0, as: UUIDValue.self).identifier
            #expect(told.contains(PublicNames.withoutKey.event(id).text(.event)))
        }
    }
}
