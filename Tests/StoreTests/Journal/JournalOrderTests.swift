// The journal while everything happens at once: a reader from its beginning finds the events of
// each download in order, and at the end the download's last state.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Synchronization
import Testing
import Trees

/// The content of an event, as a reader of the journal finds it.
private struct Told: Sendable {
    let type: EventType
    let at: Timestamp
    let data: JSON

    init(_ event: JournalEvent) throws {
        type = event.message.type
        at = event.message.at
        data = try #require(try JSON.parse(event.message.body)["data"])
    }

    var sequence: Int64 { data["sequence"]?.integerValue ?? -1 }

    func instant(_ name: String) -> Timestamp? {
        data[name]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
    }
}

/// Creates, changes, claims and ends at once on one database.
private final class Crowd: Sendable {
    private static let outcomes: [RunOutcome] = [
        .succeeded, .failed, .retryScheduled, .retryScheduled, .retryScheduled, .canceled,
        .suspended, .attentionRequired,
    ]
    static let members: JSONObject = [
        "webhook_url": "https://hooks.example/a", "webhook_events": ["download.progress"],
    ]

    let lab: StoreLab
    let seed: UInt64
    let ids = Mutex<[Identifier]>([])

    init(lab: StoreLab, seed: UInt64) {
        self.lab = lab
        self.seed = seed
    }

    private func one(_ random: inout SeededGenerator) -> Identifier? {
        ids.withLock { $0.isEmpty ? nil : $0[Int(random.next() % UInt64($0.count))] }
    }

    func create(_ steps: Int) async throws {
        let intake = Intake(pool: lab.pool)
        for step in 0..<steps {
            var members = Crowd.members
            if step % 3 == 0 { members["suspended"] = true }
            let new = try lab.draft(members, origin: "https://o\(step % 3).example:443")
            _ = try await intake.submit(new)
            ids.withLock { $0.append(new.download.id) }
        }
    }

    /// Works as a replica whose clock is behind the database's.
    func work(_ number: UInt64, _ steps: Int) async throws {
        var random = SeededGenerator(seed: seed + number)
        let ledger = try await lab.register()
        var held: [(claim: ClaimedDownload, told: Int64)] = []
        for _ in 0..<steps {
            let heads = try await ledger.lanes().page.heads
            let quotas = heads.map { LaneQuota(head: $0, count: 3) }
            held += try await ledger.claim(
                ClaimOrder(quotas, total: 6), limits: StoreLab.limits
            ).runs
                .map { ($0, 0) }
            let late = try await lab.now() + .milliseconds(-5)
            for place in held.indices where random.next() % 3 == 0 {
                held[place].told += 1
                var download = held[place].claim.download
                download.bytesReceived += held[place].told
                download.sequence += held[place].told
                _ = try await ledger.report([
                    RunProgress(
                        download: download, fence: held[place].claim.fence,
                        at: max(late, held[place].claim.claimedAt), resume: nil, emitsEvent: true)
                ])
            }
            held.shuffle(using: &random)
            let ending = held.suffix(Int(random.next() % 4))
            held.removeLast(ending.count)
            _ = try await ledger.finish(
                ending.map { claim, told in
                    let outcome = Crowd.outcomes[Int(random.next() % 8)]
                    var run = lab.end(
                        claim, outcome, at: max(late, claim.claimedAt + .microseconds(1)))
                    run.download.sequence += told
                    return run
                })
        }
        let end = try await lab.now()
        _ = try await ledger.finish(
            held.map { claim, told in
                var run = lab.end(claim, .failed, at: end)
                run.download.sequence += told
                return run
            })
    }

    func act(_ number: UInt64, _ steps: Int) async throws {
        var random = SeededGenerator(seed: seed + number)
        let actions: [DownloadAction] = [.suspend, .resume, .resume, .retry, .retry, .cancel]
        for _ in 0..<steps {
            guard let id = one(&random) else { continue }
            let action = actions[Int(random.next() % 6)]
            if random.next() % 3 > 0 {
                _ = try await lab.downloads.perform(action, on: id, app: 1)
            } else {
                let some = (0..<6).compactMap { _ in one(&random) }
                _ = try await lab.downloads.perform(action, on: Set(some).sorted(), app: 1)
            }
        }
    }

    /// Changes live downloads; each change has a number of its own.
    func patch(_ number: UInt64, _ steps: Int) async throws {
        var random = SeededGenerator(seed: seed + number)
        for step in 0..<steps {
            guard let id = one(&random), let old = try await lab.find(id)?.download,
                !old.state.isTerminal
            else { continue }
            var new = old
            new.spec.metadata = ["step": .string("\(number)-\(step)")]
            if random.next() % 2 == 0 { new.priority = Double(random.next() % 10) / 10 }
            if random.next() % 3 == 0 {
                new.earliestBeginDate = Timestamp(
                    seconds: 1_700_000_000 + Int64(random.next() % 1000))
            }
            _ = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
        }
    }
}

@Suite struct JournalOrderTests {
    @Test(arguments: [1, 2, 3])
    func journalOrdersEventsOfADownload(seed: UInt64) async throws {
        try await StoreLab.with(connections: 12) { lab in
            let crowd = Crowd(lab: lab, seed: seed * 1000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await crowd.create(150) }
                group.addTask { try await crowd.create(150) }
                for number in 1...3 {
                    group.addTask { try await crowd.work(UInt64(number), 60) }
                }
                for number in 4...6 {
                    group.addTask { try await crowd.act(UInt64(number), 150) }
                }
                for number in 7...8 {
                    group.addTask { try await crowd.patch(UInt64(number), 200) }
                }
                try await group.waitForAll()
            }
            let lives = try await read(lab)
            #expect(lives.count == 300)
            var ends = 0
            for (id, events) in lives {
                check(events, of: id)
                let download = try #require(await lab.find(id)).download
                if download.state.isTerminal {
                    ends += 1
                    checkEnd(events, download)
                }
            }
            #expect(ends > 100)
        }
    }

    /// The whole journal, as pages give it, by download.
    private func read(_ lab: StoreLab) async throws -> [Identifier: [Told]] {
        let count = try await lab.number("SELECT count(*) FROM events")
        var lives: [Identifier: [Told]] = [:]
        var read: Int64 = 0
        var place: JournalPosition?
        // Events above the oldest transaction of the whole server are not shown, and other tests
        // run there.
        let isWhole = try await eventually {
            let page = try await lab.downloads.journal.read(
                JournalQuery(scope: .app(1, session: nil)), after: place, limit: 100)
            for event in page.events {
                let id = try #require(Identifier(event.message.subject, kind: .download))
                lives[id, default: []].append(try Told(event))
                place = event.position
            }
            read += Int64(page.events.count)
            return read == count
        }
        #expect(isWhole)
        return lives
    }

    private func check(_ events: [Told], of id: Identifier) {
        let story = "\(id): \(events.map { "\($0.sequence) \($0.type.name) \($0.at.rfc3339)" })"
        #expect(events.first?.type == .created, "\(story)")
        #expect(events.dropFirst().allSatisfy { $0.type != .created }, "\(story)")
        for (before, after) in zip(events, events.dropFirst()) {
            #expect(before.sequence < after.sequence, "\(story)")
            #expect(before.at <= after.at, "\(story)")
            // After an end only a retry follows.
            if before.type.stateAfter?.isTerminal == true {
                #expect(after.type == .waiting, "\(story)")
            }
        }
        for event in events {
            let began = event.instant("started_at")
            if let end = event.instant("completed_at") {
                #expect(end >= began ?? .epoch, "\(story)")
                #expect(end >= event.instant("created_at") ?? .epoch, "\(story)")
            }
            if let next = event.instant("next_attempt_at"),
                let earliest = event.instant("earliest_begin_date")
            {
                #expect(next >= earliest, "\(story)")
            }
        }
    }

    /// In this test no download changes after its end, so the last event shows its state.
    private func checkEnd(_ events: [Told], _ download: Download) {
        guard let last = events.last else { return }
        #expect(last.type.stateAfter == download.state)
        for name in ["sequence", "state", "metadata", "priority", "earliest_begin_date"] {
            let now = JSON.object(download.json(blockers: nil))[name]
            #expect(last.data[name] == now, "\(name) of \(download.id)")
        }
    }

    /// A claim has its place in the journal from its beginning, before it waits for anything.
    @Test func claimSkipsRowsYoungerThanItself() async throws {
        try await StoreLab.with { lab in
            let known = try await lab.submit()[0]
            let ledger = try await lab.register()
            let head = try #require(await lab.heads(ledger).first)
            let late = Mutex<Identifier?>(nil)
            let claimed = try await lab.pool.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query("SELECT pg_current_xact_id()::text")
                do {
                    let id = try await lab.submit()[0]
                    late.withLock { $0 = id }
                } catch {
                    Issue.record("not submitted: \(error)")
                }
                let claim = StoreLab.claim(
                    ledger.replica, [head.lane], quota: 9, atOrigin: 9, limit: 9)
                return try await transaction.query("SELECT id FROM \(claim)").map {
                    row throws(PostgresError) in
                    try row.get(0, as: UUIDValue.self).identifier
                }
            }
            #expect(claimed == [known])
            #expect(try await lab.claim(ledger).map(\.download.id) == [late.withLock { $0 }])
            for (id, events) in try await read(lab) { check(events, of: id) }
        }
    }
}
