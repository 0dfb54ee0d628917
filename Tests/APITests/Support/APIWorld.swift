// A router with its dependencies, over a real database or over one that does not answer.
import Base
import Crypto
import Downloads
import HTTPWire
import Platform
import Postgres
import Scheduling
import Store
import Support
import Synchronization

@testable import API

/// Records the API's calls to the worker.
final class Told: Sendable {
    struct State: Sendable {
        var hints = 0
        var deliveries = 0
        var orders: [(Identifier, RunOrder)] = []
        var policy = Policy(limits: APIWorld.limits)
        var zone = TimeZoneRules.utc
        var policyVersion: Int64 = 0
        var conditions = ConditionBook(Policy(limits: APIWorld.limits), at: .epoch)
        var learned = LearnedFacts()
        /// The time by which the service's clock is behind the database's.
        var lag = Duration.zero
        /// The origins that are held back at present.
        var heldBack: Set<Int64> = []
        var rates: [RateChange] = []
        var removed: [(Identifier, Int64)] = []
        var missed: [(Identifier, Int64)] = []
        var reports: [String] = []
        var checks: [ReadinessCheck] = []
        var isDraining = false
        var content: ContentOpening = .missing
        /// Content that comes in pieces; nil for `content`.
        var pieces: [[UInt8]]?
        var disk: DiskReading?
        /// The address of content in a store; its bytes are those of `content` or `pieces`.
        var address = ObjectAccess.Address.unknownStore
        var hasChangedInStore = false
        var objects: [ObjectAccess.Question] = []
        /// The answer of another replica, and the requests to it.
        var peer = PeerAnswer.unavailable("nobody is there")
        var asked: [PeerRequest] = []

        /// The wanted bytes, as a place without files gives them.
        func opening(_ range: ClosedRange<Int64>?) -> ContentOpening {
            guard let pieces else { return content }
            let all = pieces.flatMap(\.self)
            let wanted = range.map { Int($0.lowerBound)...Int($0.upperBound) }
            let stream = BodyStream(length: Int64(wanted?.count ?? all.count)) { writer in
                guard let wanted else {
                    for piece in pieces where !(await writer.write(piece)) { return }
                    return
                }
                _ = await writer.write(Array(all[wanted]))
            }
            return .stream(stream, length: Int64(all.count))
        }
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
}

/// A service by value: requests in, answers out.
struct APIWorld: Sendable {
    static let instance = Identifier(high: 1, low: 2)
    static let box = SecretBox(keys: [Array(repeating: 7, count: 32)])
    static let limits = PolicyLimits(running: 64, perOrigin: 6, perSession: 16)

    let dependencies: Dependencies
    /// Every endpoint, for comparing answers with their declarations.
    let table: RouteTable
    /// The handler of requests: a router, unless a test replaces it.
    var handler: Handler
    let pool: ConnectionPool
    let told: Told

    /// Content in a store, as `told` has it.
    private static func objects(_ told: Told) -> ObjectAccess {
        ObjectAccess(
            address: { question in
                told.change { $0.objects.append(question) }
                return told.now.address
            },
            open: { question, range in
                told.change { $0.objects.append(question) }
                if told.now.hasChangedInStore { return .changed }
                return told.now.address == .unknownStore
                    ? .unknownStore : .content(told.now.opening(range))
            })
    }

    /// A service over a database.
    init(pool: ConnectionPool, hosts: HostPolicy = .any, allowed: String = "public") throws {
        let told = Told()
        let changes = ChangeHub(progressInterval: .milliseconds(20))
        let destinations = try Destinations.parse(allowed)
        var content = ContentAccess(
            instance: APIWorld.instance,
            missed: { id, fence in told.change { $0.missed.append((id, fence)) } },
            open: { _, _, range in told.now.opening(range) },
            remove: { id, fence in told.change { $0.removed.append((id, fence)) } })
        content.peerKeys = PeerKeys(APIWorld.box)
        content.objects = APIWorld.objects(told)
        content.fetch = { wanted in
            told.change { $0.asked.append(wanted) }
            return told.now.peer
        }
        self.pool = pool
        self.told = told
        var dependencies = Dependencies(
            settings: APISettings(
                version: "1.2.3", hosts: hosts, destinations: destinations,
                webhookDestinations: destinations, uploadDestinations: destinations,
                defaults: .standard, limits: APIWorld.limits, app: 1),
            store: StoreAccess(
                intake: Intake(pool: pool),
                downloads: APIWorld.downloads(pool, changes),
                sessions: Sessions(pool: pool), policies: Policies(pool: pool),
                conditions: Conditions(pool: pool),
                changes: changes),
            secrets: APIWorld.box,
            content: content,
            worker: WorkerAccess(
                situation: { now in
                    let told = told.now
                    return Situation(
                        now: now, policy: told.policy, zone: told.zone,
                        isDraining: told.isDraining, disk: told.disk,
                        conditions: told.conditions, learned: told.learned)
                },
                conditionPushed: { name, push, _ in
                    let now = Timestamp(microseconds: SystemClock.wallMicroseconds())
                    told.change { $0.conditions.take(push, of: name, at: now) }
                },
                isDraining: { told.now.isDraining },
                hint: { told.change { $0.hints += 1 } },
                delivered: { told.change { $0.deliveries += 1 } },
                orderPlaced: { id, order in told.change { $0.orders.append((id, order)) } },
                policyChanged: { policy, zone, version in
                    told.change {
                        ($0.policy, $0.zone, $0.policyVersion) = (policy, zone, version)
                        let now = Timestamp(microseconds: SystemClock.wallMicroseconds())
                        $0.conditions.take(policy, at: now)
                    }
                },
                rateChanged: { change in told.change { $0.rates.append(change) } }),
            zone: APIWorld.zone,
            readiness: { told.now.checks },
            now: { Timestamp(microseconds: SystemClock.wallMicroseconds()) - told.now.lag },
            makeIdentifier: { now in
                var random = SystemRandomNumberGenerator()
                return Identifier(at: now, using: &random)
            },
            report: { _, cause in told.change { $0.reports.append(cause) } })
        dependencies.settings.sendsMail = true
        dependencies.worker.isHeldBack = { origin, _, _ in told.now.heldBack.contains(origin) }
        self.dependencies = dependencies
        let router = Router(dependencies)
        table = router.table
        handler = { router.answer($0) }
    }

    private static func downloads(_ pool: ConnectionPool, _ changes: ChangeHub) -> Downloads {
        var downloads = Downloads(pool: pool, changes: changes)
        downloads.zone = zone
        return downloads
    }

    /// The zones that the service knows: one of them changes its clock.
    @Sendable private static func zone(_ name: String) -> TimeZoneRules? {
        guard name == "Europe/Paris" else {
            return name == "UTC" || name == "Europe/Berlin" ? .utc : nil
        }
        do throws(TimeZoneError) {
            return try TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        } catch {
            return nil
        }
    }

    /// A service whose database does not answer, for decisions that need none.
    static func alone(hosts: HostPolicy = .any, allowed: String = "public") throws -> APIWorld {
        var limits = PoolLimits()
        limits.waitMilliseconds = 50
        return try APIWorld(
            pool: ConnectionPool(url: "host=/nonexistent dbname=none", size: 1, limits: limits),
            hosts: hosts, allowed: allowed)
    }

    /// Runs a body with a service over a fresh database.
    static func with(_ body: (APIWorld) async throws -> Void) async throws {
        try await TestDatabase.with(schema: true) { database in
            let world = try APIWorld(
                pool: ConnectionPool(url: database.url, size: 4, limits: .patient))
            do {
                try await body(world)
                await world.pool.close()
            } catch {
                await world.pool.close()
                throw error
            }
        }
    }

    /// Sends a request.
    func send(
        _ method: String, _ target: String, _ body: String? = nil,
        headers: [(String, String)] = [], authority: String? = "lull.example",
        peer: String = "127.0.0.1:9"
    ) async -> Reply {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields = HeaderFields()
        let isTyped = headers.contains { $0.0.lowercased() == "content-type" }
        if body != nil, !isTyped { fields.append("Content-Type", "application/json") }
        for (name, value) in headers { fields.append(name, value) }
        let request = Request(
            method: method, path: String(parts[0]),
            query: parts.count > 1 ? String(parts[1]) : nil, headers: fields,
            body: Array((body ?? "").utf8), authority: authority, peer: peer)
        let reply =
            switch handler(request) {
            case .now(let response): Reply(response: response)
            case .later(let work): Reply(response: await work())
            }
        expectDeclared(reply, of: request)
        return reply
    }

    /// Creates a download that is valid.
    func create(_ members: String = "") async -> Reply {
        let rest = members.isEmpty ? "" : "," + members
        return await send(
            "POST", "/v1/downloads", "{\"url\":\"https://mirror.example/a.iso\"\(rest)}")
    }
}
