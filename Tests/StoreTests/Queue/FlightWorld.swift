// Seeded worlds of downloads that share transfers, over the real statements: creates, claims, ends,
// clients and killed processes in any order, with the rules that hold after each step.
import Base
import Downloads
import Postgres
import Seeds

@testable import Store

/// One world: two replicas, each with a data directory of its own, and three files that are asked
/// for again and again.
struct FlightWorld {
    /// The number of followers of one leader that a step handles; it is small, so that work is
    /// under way at most steps.
    private static let batch: Int32 = 2
    private static let clientSteps = 70
    /// A lease that does not end while a world runs beside other work.
    private static let lease = Duration.seconds(1800)
    /// Rounds of work in which everything ends; worlds without a fault need a fifth of them.
    private static let endRounds = 100

    /// A file of a data directory.
    private struct File: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// A share whose files are made and whose rows are not written yet.
    private struct Landing {
        let file: Flights.SharedFile
        let followers: [Flights.Follower]
    }

    private struct Replica {
        let instance: Identifier
        var ledger: Ledger
        var runs: [ClaimedDownload] = []
        var files: Set<File> = []
        var landing: Landing?
    }

    private let lab: StoreLab
    private var random: SplitMix64
    private var replicas: [Replica] = []
    private let flights = (0..<3).map { _ in StoreLab.identifier() }
    private var ids: [Identifier] = []
    /// The date from which each download may begin.
    private var begins: [Identifier: Timestamp] = [:]
    /// The names of files that were shared as links to a leader's file.
    private var shared: Set<File> = []
    /// Followers of leaders that succeeded, until a client acts on them.
    private var promised: Set<Identifier> = []
    /// Downloads that were stopped, or got another URL, since their files were made.
    private var changed: Set<Identifier> = []
    /// The number of times that a client retried an ended download.
    private var revivals: [Identifier: Int] = [:]
    /// The first rule that was broken.
    private(set) var violation: String?

    /// Runs a world to its end.
    ///
    /// - Returns: the broken rule; nil if all hold.
    static func run(seed: UInt64, in lab: StoreLab) async throws -> String? {
        var world = try await FlightWorld(seed: seed, lab)
        for step in 0..<FlightWorld.clientSteps where world.violation == nil {
            try await world.step(step)
            try await world.judge()
        }
        if world.violation == nil { try await world.end() }
        return world.violation
    }

    private init(seed: UInt64, _ lab: StoreLab) async throws {
        self.lab = lab
        random = SplitMix64(seed: seed)
        for _ in 0..<2 {
            let instance = StoreLab.identifier()
            replicas.append(
                Replica(
                    instance: instance,
                    ledger: try await lab.register(instance: instance, lease: FlightWorld.lease)))
        }
    }

    private mutating func fail(_ words: String) { violation = violation ?? words }

    // MARK: steps

    private mutating func step(_ number: Int) async throws {
        let place = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3: try await create()
        case 4, 5: try await claim(place, total: Int.random(in: 1...3, using: &random))
        case 6...8: try await endOne(place)
        case 9...13: try await work(place)
        case 14, 15: try await act()
        case 16: try await patch()
        case 17: try await expire()
        case 18: try await kill(place)
        default: try await create()
        }
    }

    private mutating func create() async throws {
        var batch: [NewDownload] = []
        let flight = flights[Int.random(in: 0..<flights.count, using: &random)]
        let later = Int.random(in: 0..<4, using: &random) == 0
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            var members: JSONObject = ["on_duplicate_url": "join"]
            if later { members["earliest_begin_date"] = "2039-01-01T00:00:00Z" }
            var new = try lab.draft(members)
            new.flight = flight
            ids.append(new.download.id)
            begins[new.download.id] = new.download.earliestBeginDate ?? .epoch
            batch.append(new)
        }
        _ = try await Intake(pool: lab.pool).submit(batch: batch, idempotency: nil)
    }

    private mutating func claim(_ place: Int, total: Int) async throws {
        let claims = try await lab.claim(replicas[place].ledger, total: total)
        for claim in claims {
            if shared.contains(File(id: claim.download.id, fence: claim.fence)) {
                fail("an attempt has the name of a file that was shared")
            }
            if promised.contains(claim.download.id) { fail("the same bytes are fetched twice") }
            if begins[claim.download.id] != .epoch { fail("it began before its date") }
            if claim.download.joinedTo != nil { fail("one that waits for another one runs") }
        }
        replicas[place].runs += claims
    }

    /// The end of a run, in most cases a success.
    private mutating func endOne(_ place: Int) async throws {
        guard let index = replicas[place].runs.indices.randomElement(using: &random) else { return }
        let run = replicas[place].runs.remove(at: index)
        let outcomes: [RunOutcome] = [
            .succeeded, .succeeded, .succeeded, .retryScheduled, .yielded, .failed,
            .attentionRequired,
        ]
        let outcome = outcomes[Int.random(in: 0..<outcomes.count, using: &random)]
        try await finish(run, outcome, place)
    }

    private mutating func finish(
        _ run: ClaimedDownload, _ outcome: RunOutcome, _ place: Int
    ) async throws {
        let id = run.download.id
        let followers = try await followers(of: id)
        var record = lab.end(run, outcome)
        if outcome == .succeeded {
            record.download.bytesReceived = 4
            record.content = KeptContent(
                instance: replicas[place].instance, length: 4, at: record.at, retention: 600)
            record.download.result.content = DownloadContent(
                length: 4, sha256: String(repeating: "ab", count: 32), isLengthVerified: true,
                expiresAt: record.content?.expiresAt)
            replicas[place].files.insert(File(id: id, fence: run.fence))
        }
        _ = try await replicas[place].ledger.finish([record])
        guard outcome == .succeeded, try await lab.find(id)?.download.state == .succeeded else {
            return
        }
        promised.formUnion(followers)
    }

    private func followers(of id: Identifier) async throws -> [Identifier] {
        try await lab.pool.query(
            "SELECT id FROM queue WHERE joined_to = $1 ORDER BY id", [UUIDValue(id)]
        ).map { try $0.get(0, as: UUIDValue.self).identifier }
    }

    /// One piece of the work for followers; files are linked in one step and rows written in a
    /// later one, and anything may happen between them.
    private mutating func work(_ place: Int) async throws {
        let flights = lab.downloads.flights
        if let landing = replicas[place].landing {
            replicas[place].landing = nil
            let landed = try await flights.finish(
                landing.followers, landing.file, at: try await lab.now(), retention: 600)
            for id in landed {
                if changed.contains(id) { fail("one that has changed has ended with the others") }
                if begins[id] != .epoch { fail("it has ended before its date") }
                promised.remove(id)
            }
            return
        }
        let due = try await flights.due(instance: replicas[place].instance, limit: 16)
        guard let work = due.randomElement(using: &random) else { return }
        switch work {
        case .share(let file):
            guard replicas[place].files.contains(File(id: file.leader, fence: file.fence)) else {
                return fail("a file is to be shared that is not here")
            }
            let followers = try await flights.followers(of: file).prefix(Int(FlightWorld.batch))
            guard !followers.isEmpty else { return }
            for follower in followers {
                let link = File(id: follower.id, fence: follower.fence)
                replicas[place].files.insert(link)
                shared.insert(link)
            }
            replicas[place].landing = Landing(file: file, followers: Array(followers))
            changed.subtract(followers.map(\.id))
        case .pass(let leader): try await settle("lull_pass_flight", leader)
        case .release(let leader): try await settle("lull_release_flight", leader)
        }
    }

    private mutating func settle(_ function: String, _ leader: Identifier) async throws {
        let before = try await followers(of: leader).count
        let count = try await lab.pool.query(
            "SELECT \(function)($1, $2)", [UUIDValue(leader), FlightWorld.batch])[0]
            .get(0, as: Int32.self)
        if try await followers(of: leader).count != before - Int(count) {
            fail("one is said to go on and waits for the same download")
        }
    }

    private mutating func act() async throws {
        // Followers whose files are made and whose rows are not written are changed most often.
        let landing = replicas.compactMap(\.landing).flatMap(\.followers).map(\.id)
        guard let id = (landing + landing + landing + ids).randomElement(using: &random),
            let download = try await lab.find(id)?.download
        else { return }
        let actions: [DownloadAction] = [.cancel, .cancel, .suspend, .resume, .retry, .delete]
        let allowed = actions.filter { $0.allowedStates.contains(download.state) }
        guard let action = allowed.randomElement(using: &random) else { return }
        if action == .retry, download.state == .waiting { return }
        promised.remove(id)
        // A resume of a waiting download changes nothing.
        if action == .suspend || action == .cancel { changed.insert(id) }
        if action == .retry, download.state.isTerminal { revivals[id, default: 0] += 1 }
        if action == .delete { ids.removeAll { $0 == id } }
        _ = try await lab.downloads.perform(action, on: id, app: 1)
    }

    /// Sets another URL, which ends the sharing, or another priority, which does not.
    private mutating func patch() async throws {
        guard let id = ids.randomElement(using: &random),
            let old = try await lab.find(id)?.download, !old.state.isTerminal,
            old.state != .running
        else { return }
        var new = old
        if Bool.random(using: &random) {
            new.url += "?again"
            changed.insert(id)
        } else {
            new.priority = 1
        }
        promised.remove(id)
        _ = try await lab.downloads.change(
            old, to: new, origins: new.url == old.url ? nil : [StoreLab.origin], app: 1)
    }

    private mutating func expire() async throws {
        guard let id = ids.randomElement(using: &random) else { return }
        promised.remove(id)
        _ = try await lab.pool.query(
            "UPDATE queue SET deadline = now() WHERE id = $1 AND state <> 1", [UUIDValue(id)])
        _ = try await lab.downloads.expire(limit: 9)
    }

    /// A process is killed and comes back: its runs continue elsewhere, its links stay.
    ///
    /// The file that it was about to share is deleted now and then, so that followers fetch for
    /// themselves.
    private mutating func kill(_ place: Int) async throws {
        if let leader = replicas[place].landing?.file.leader, Bool.random(using: &random) {
            for follower in try await followers(of: leader) { promised.remove(follower) }
            ids.removeAll { $0 == leader }
            _ = try await lab.downloads.perform(.delete, on: leader, app: 1)
            _ = try await lab.pool.query(
                "DELETE FROM contents WHERE id = $1", [UUIDValue(leader)])
        }
        replicas[place].runs = []
        replicas[place].landing = nil
        replicas[place].ledger = try await lab.register(
            instance: replicas[place].instance, lease: FlightWorld.lease)
    }

    // MARK: rules

    private mutating func judge() async throws {
        let wrong = try await lab.pool.query(
            """
            SELECT CASE
                WHEN (q.state = 4) <> (q.joined_to IS NOT NULL) THEN 'a state is wrong'
                WHEN q.joined_to IS NOT NULL AND q.joined_to = q.id THEN 'one has joined itself'
                WHEN q.joined_to IS NOT NULL AND l.id IS NULL AND e.leader IS NULL
                    THEN 'one waits for a download that brings nothing'
                WHEN q.joined_to IS NOT NULL AND d.session <> 'default' THEN 'of another session'
                END
            FROM queue q JOIN downloads d ON d.id = q.id
                LEFT JOIN queue l ON l.id = q.joined_to AND l.joined_to IS NULL AND l.state < 2
                    AND l.flight IS NOT NULL
                LEFT JOIN flight_ends e ON e.leader = q.joined_to
            """)
        for row in wrong {
            if let words = try row.get(0, as: String?.self) { fail(words) }
        }
        if try await lab.wrongGates() > 0 { fail("a gate counts wrong") }
        if let words = try await lab.wrongLanes().first { fail(words) }
        // Each end is reported once, and once more for each retry by a client.
        let ends = try await lab.pool.query(
            "SELECT download_id, count(*) FROM events WHERE type = ANY ($1) GROUP BY 1",
            [[EventType.succeeded, .failed, .canceled].map(\.rawValue)])
        for row in ends {
            let id = try row.get(0, as: UUIDValue.self).identifier
            if try row.get(1, as: Int64.self) > Int64(1 + revivals[id, default: 0]) {
                fail("a download has ended twice")
            }
        }
    }

    /// Clients are silent and everything succeeds: all downloads end, each with a file of its own.
    private mutating func end() async throws {
        for id in ids where begins[id] != .epoch {
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
        }
        for _ in 0..<FlightWorld.endRounds where violation == nil {
            for id in ids {
                switch try await lab.find(id)?.download.state {
                case .suspended, .attentionRequired:
                    promised.remove(id)
                    _ = try await lab.downloads.perform(.resume, on: id, app: 1)
                default: break
                }
            }
            for place in replicas.indices {
                for run in replicas[place].runs { try await finish(run, .succeeded, place) }
                replicas[place].runs = []
                try await work(place)
                try await claim(place, total: 8)
            }
            _ = try await lab.pool.query("UPDATE flight_ends SET due_at = clock_timestamp()")
            try await judge()
            if try await lab.number("SELECT count(*) FROM queue") == 0,
                replicas.allSatisfy({ $0.runs.isEmpty && $0.landing == nil })
            {
                return try await judgeTheEnd()
            }
        }
        fail("downloads wait for ever")
    }

    private mutating func judgeTheEnd() async throws {
        for _ in 0..<100 {
            guard try await lab.number("SELECT count(*) FROM flight_ends") > 0 else { break }
            for place in replicas.indices { try await work(place) }
            _ = try await lab.pool.query("UPDATE flight_ends SET due_at = clock_timestamp()")
        }
        if try await lab.number("SELECT count(*) FROM flight_ends") > 0 {
            fail("an end is looked after for ever")
        }
        for id in ids {
            guard let record = try await lab.find(id) else { continue }
            guard record.download.state.isTerminal else {
                return fail("\(record.download.state) at the end")
            }
            guard let fence = record.contentFence else { continue }
            let file = File(id: id, fence: fence)
            if !replicas.contains(where: { $0.files.contains(file) }) {
                fail("content is recorded and there is no file")
            }
        }
        if !promised.isEmpty { fail("one did not get the bytes that were brought") }
    }
}
