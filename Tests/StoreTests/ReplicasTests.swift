// Replicas: their addresses, their absence, and the content of theirs that is lost or fetched
// again.
import Base
import Downloads
import Postgres
import Support
import Testing

@testable import Store

@Suite struct ReplicasTests {
    private static let second = Duration.seconds(1)

    /// Registers a replica on a data directory.
    private func register(
        _ lab: StoreLab, _ instance: Identifier, address: String? = nil
    ) async throws -> Ledger {
        try await Ledger.register(
            pool: lab.pool, instance: instance, node: "n", address: address,
            lease: .seconds(30), changes: lab.changes
        ).ledger
    }

    /// Downloads that have succeeded on a data directory.
    private func succeeded(
        _ lab: StoreLab, _ count: Int, on instance: Identifier, _ members: JSONObject = JSONObject()
    ) async throws -> [Identifier] {
        let ids = try await lab.submit(count, members)
        let ledger = try await register(lab, instance, address: "10.0.0.1:8080")
        var runs: [RunRecord] = []
        for claim in try await lab.claim(ledger) {
            var run = lab.end(claim, .succeeded)
            run.content = KeptContent(
                instance: instance, length: 4, at: run.at, retention: 604_800)
            run.download.result.content = DownloadContent(
                length: 4, sha256: "00", isLengthVerified: true)
            runs.append(run)
        }
        #expect(try await ledger.finish(runs).count == runs.count)
        return ids.sorted()
    }

    /// Ends the lease of the replica on a data directory, and releases the downloads that it held.
    private func lose(_ lab: StoreLab, _ instance: Identifier) async throws {
        _ = try await lab.pool.query(
            "UPDATE replicas SET expires_at = now() - interval '1 second' WHERE instance = $1",
            [UUIDValue(instance)])
        while try await Ledger(
            pool: lab.pool, heartbeats: lab.pool, replica: 0, changes: lab.changes,
            holder: KeyText("")
        ).reap() > 0 {}
    }

    private func age(_ lab: StoreLab, hours: Int64) async throws {
        _ = try await lab.pool.query(
            "UPDATE instances SET last_seen_at = last_seen_at - $1 * interval '1 hour'", [hours])
    }

    /// Declares all content of a data directory lost.
    private func loseAll(
        _ lab: StoreLab, _ instance: Identifier, limit: Int = 2
    ) async throws
        -> (lost: Int, refetched: Int)
    {
        var (after, lost, refetched): (Identifier?, Int, Int) = (nil, 0, 0)
        while let loss = try await lab.downloads.contents.markLost(
            of: instance, after: after, limit: limit)
        {
            lost += loss.count
            refetched += loss.refetched
            guard let last = loss.last else { break }
            after = last
        }
        return (lost, refetched)
    }

    @Test func contentIsWhereALiveReplicaHasIt() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let id = try await succeeded(lab, 1, on: instance)[0]
            let contents = lab.downloads.contents
            #expect(
                try await contents.holder(of: id)
                    == ContentHolder(instance: instance, works: true, address: "10.0.0.1:8080"))
            // Another process at another address takes over the data directory.
            _ = try await register(lab, instance, address: "10.0.0.2:1")
            #expect(try await contents.holder(of: id)?.address == "10.0.0.2:1")
            try await lose(lab, instance)
            #expect(
                try await contents.holder(of: id)
                    == ContentHolder(instance: instance, works: false, address: nil))
            _ = try await contents.release(id, app: 1)
            #expect(try await contents.holder(of: id) == nil)
            #expect(try await contents.holder(of: StoreLab.identifier()) == nil)
        }
    }

    @Test func onlyAbsentReplicasAreGone() async throws {
        try await StoreLab.with { lab in
            let (away, working) = (StoreLab.identifier(), StoreLab.identifier())
            _ = try await succeeded(lab, 3, on: away)
            _ = try await register(lab, working)
            let replicas = lab.downloads.replicas
            try await age(lab, hours: 48)
            #expect(try await replicas.findGone(for: .seconds(3600)) == nil, "both work")
            try await lose(lab, away)
            #expect(try await replicas.findGone(for: .seconds(3600)) == nil, "for a moment only")
            let list = try await replicas.list()
            #expect(list.map(\.instance) == [away, working])
            #expect(list.map(\.works) == [false, true])
            #expect(list.map(\.files) == [3, 0] && list.map(\.bytes) == [12, 0])
            try await age(lab, hours: 2)
            #expect(try await replicas.findGone(for: .seconds(3600))?.instance == away)
            #expect(
                try await replicas.findGone(for: .seconds(3600), after: list[0].number) == nil)
            // The replica comes back.
            _ = try await register(lab, away)
            #expect(try await replicas.findGone(for: .seconds(3600)) == nil)
            #expect(
                try await lab.downloads.contents.markLost(of: away, after: nil, limit: 9) == nil)
        }
    }

    @Test func contentOfAGoneReplicaIsLostOnceWithOneEvent() async throws {
        try await StoreLab.with { lab in
            let (gone, other) = (StoreLab.identifier(), StoreLab.identifier())
            let hook: JSONObject = [
                "webhook_url": "http://r.example/", "webhook_events": ["download.content_lost"],
            ]
            let ids = try await succeeded(lab, 5, on: gone, hook)
            let kept = try await succeeded(lab, 2, on: other)
            _ = try await lab.downloads.contents.release(ids[4], app: 1)
            try await lose(lab, gone)
            #expect(try await loseAll(lab, gone) == (4, 0))
            #expect(
                try await lab.downloads.contents.markLost(of: gone, after: nil, limit: 9) == nil)
            for id in ids.dropLast() {
                let record = try #require(await lab.find(id))
                #expect(record.download.result.content?.state == .lost)
                #expect(try await lab.events(of: id).suffix(2) == [.succeeded, .contentLost])
            }
            #expect(try await lab.find(ids[4])?.download.result.content?.state == .released)
            for id in kept {
                #expect(try await lab.find(id)?.download.result.content?.state == .held)
            }
            #expect(try await lab.number("SELECT count(*) FROM contents WHERE phase = 3") == 4)
            #expect(try await lab.number("SELECT count(*) FROM contents WHERE phase < 2") == 2)
            #expect(try await lab.downloads.replicas.list().map(\.instance) == [other])
            #expect(
                try await lab.number(
                    """
                    SELECT count(*) FROM deliveries d
                    JOIN events e ON e.download_id = d.download_id AND e.sequence = d.sequence
                    WHERE e.type = 14
                    """) == 4)
        }
    }

    @Test func lostContentOfAReplicaThatComesBackIsContentAgain() async throws {
        try await StoreLab.with { lab in
            let (gone, elsewhere) = (StoreLab.identifier(), StoreLab.identifier())
            let ids = try await succeeded(lab, 4, on: gone)
            let contents = lab.downloads.contents
            #expect(try await contents.lostFile(of: ids[0]) == nil, "it is held")
            try await lose(lab, gone)
            #expect(try await loseAll(lab, gone) == (4, 0))
            // The client gives up one download, and one is fetched again: their files are not
            // waited for.
            _ = try await contents.release(ids[2], app: 1)
            _ = try await lab.downloads.perform(.retry, on: ids[3], app: 1)
            let ledger = try await register(lab, gone)
            #expect(try await lab.downloads.replicas.list().map(\.instance) == [gone])
            let owners = try await ledger.owners(of: ids, instance: gone).owners
            for id in ids.prefix(2) {
                let file = try #require(await contents.lostFile(of: id))
                #expect(file.length == 4)
                #expect(owners[id] == .lost(content: file.fence))
                #expect(try await contents.markFound(id, fence: file.fence + 1, in: gone) == false)
                // The file is found in a directory into which somebody has copied it.
                #expect(try await contents.markFound(id, fence: file.fence, in: elsewhere))
                #expect(try await contents.markFound(id, fence: file.fence, in: gone) == false)
                #expect(try await lab.find(id)?.download.result.content?.state == .held)
                #expect(try await contents.holder(of: id)?.instance == elsewhere)
            }
            for id in ids.suffix(2) {
                #expect(try await contents.lostFile(of: id) == nil)
                #expect(try await contents.markFound(id, fence: 1, in: gone) == false)
            }
            #expect(owners[ids[2]] == .ended(content: nil))
            #expect(
                try await contents.releasedFiles(instance: gone, limit: 9).map(\.id) == [ids[2]])
            // The expiry of the content has not changed.
            _ = try await lab.pool.query("UPDATE contents SET due_at = now(), expires_at = now()")
            #expect(try await contents.proceed(limit: 9).count == 2)
            #expect(try await lab.find(ids[0])?.download.result.content?.state == .expired)
        }
    }

    @Test func lostContentIsNotWaitedForBeyondItsTime() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let id = try await succeeded(lab, 1, on: instance)[0]
            #expect(try await lab.downloads.contents.markLost(id, instance: instance))
            _ = try await lab.downloads.contents.proceed(limit: 9)
            #expect(try await lab.number("SELECT count(*) FROM contents WHERE phase = 3") == 1)
            _ = try await lab.pool.query("UPDATE contents SET expires_at = now()")
            _ = try await lab.downloads.contents.proceed(limit: 9)
            #expect(
                try await lab.downloads.contents.releasedFiles(instance: instance, limit: 9).map(
                    \.id)
                    == [id])
            #expect(try await lab.find(id)?.download.result.content?.state == .lost)
        }
    }

    @Test func dataDirectoriesThatAreGoneForAMonthAreForgotten() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ids = try await succeeded(lab, 2, on: instance)
            try await lose(lab, instance)
            #expect(try await loseAll(lab, instance).lost == 2)
            let replicas = lab.downloads.replicas
            _ = try await lab.pool.query(
                "UPDATE instances SET gone_at = gone_at - interval '31 days'")
            try await replicas.forgetGone(limit: 9)
            #expect(try await lab.number("SELECT count(*) FROM contents") == ids.count, "lost")
            _ = try await lab.pool.query("UPDATE contents SET phase = 2")
            for _ in 0..<2 { try await replicas.forgetGone(limit: 9) }
            #expect(try await lab.number("SELECT count(*) FROM contents") == 0)
            #expect(try await lab.number("SELECT count(*) FROM instances") == 0)
        }
    }

    @Test func onlyAWorkingReplicaThatMissesFilesMayBeToldSo() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            _ = try await succeeded(lab, 1, on: instance)
            let replicas = lab.downloads.replicas
            let number = try #require(await replicas.list().first?.number)
            #expect(try await replicas.acceptLoss(of: number + 1) == .unknown)
            #expect(try await replicas.acceptLoss(of: number) == .nothingMissing)
            #expect(try await replicas.note(missing: 7, of: instance) == (number, false))
            #expect(try await replicas.list().first?.missing == 7)
            #expect(try await replicas.acceptLoss(of: number) == .done(7))
            #expect(try await replicas.note(missing: 7, of: instance) == (number, true))
            // Once the files are back the state ends.
            _ = try await replicas.note(missing: 0, of: instance)
            #expect(try await replicas.note(missing: 5, of: instance) == (number, false))
            try await lose(lab, instance)
            #expect(try await replicas.acceptLoss(of: number) == .away)
        }
    }

    /// A clock that jumped says that all content has expired; the latest trusted instant says that
    /// it has not.
    @Test func nothingEndsBehindTheLatestInstantThatIsTrusted() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ids = try await succeeded(lab, 2, on: instance)
            let trusted = try await lab.now()
            // The rows look as if the clock had moved on by a month: all content is long past its
            // end.
            for statement in [
                """
                UPDATE contents SET due_at = now() - interval '1 s',
                    expires_at = now() - interval '1 s'
                """,
                "UPDATE instances SET last_seen_at = now() - interval '1 s', gone_at = NULL",
                "UPDATE download_results SET finished_at = now() - interval '1 s'",
            ] { _ = try await lab.pool.query(statement) }
            try await lose(lab, instance)
            let early = trusted - .seconds(86_400)
            let contents = lab.downloads.contents
            let replicas = lab.downloads.replicas
            let history = History(pool: lab.pool)
            #expect(try await contents.proceed(limit: 9, until: early).count == 0)
            #expect(try await contents.proceed(limit: 9, until: .epoch).count == 0)
            #expect(try await replicas.findGone(for: .zero, until: early) == nil)
            #expect(
                try await history.forgetDownloads(
                    after: nil, olderThan: .zero, limit: 9, until: early
                ).removed == 0)
            #expect(
                try await history.journal.agedApps(
                    olderThan: .zero, after: -1, limit: 9, until: early
                ).isEmpty)
            #expect(try await lab.downloads.expire(limit: 9, until: early) == 0)
            // By a steady clock the content ends.
            #expect(try await replicas.findGone(for: .zero, until: try await lab.now()) != nil)
            #expect(try await contents.proceed(limit: 9, until: try await lab.now()).count == 2)
            #expect(try await lab.find(ids[0])?.download.result.content?.state == .expired)
        }
    }

    @Test func whatWasSeenOfTheClockIsKept() async throws {
        try await StoreLab.with { lab in
            let replicas = lab.downloads.replicas
            #expect(try await replicas.clock() == nil)
            let now = try await lab.now()
            for jumpedAt in [nil, now - .seconds(60)] {
                let seen = ClockRecord(
                    seenAt: now, boot: "a", bootTime: .seconds(77), jumpedAt: jumpedAt)
                try await replicas.note(seen)
                #expect(try await replicas.clock() == seen)
            }
        }
    }

    @Test func retryFetchesLostContentAgain() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ids = try await succeeded(lab, 2, on: instance)
            let fence = try #require(await lab.find(ids[0])?.contentFence)
            guard
                case .impossible(.succeeded) = try await lab.downloads.perform(
                    .retry, on: ids[0], app: 1)
            else { throw StoreError(.refused, "content that is held needs no retry") }
            #expect(try await lab.downloads.contents.markLost(ids[0], instance: instance))
            guard
                case .done(let record, _) = try await lab.downloads.perform(
                    .retry, on: ids[0], app: 1)
            else { throw StoreError(.refused, "lost content can be fetched again") }
            #expect(record.download.state == .waiting && record.download.result.content == nil)
            #expect(
                try await lab.events(of: ids[0]).suffix(3)
                    == [.succeeded, .contentLost, .waiting])
            // The event of the first end still shows the content of that time.
            #expect(
                try await lab.number(
                    """
                    SELECT count(*) FROM events WHERE download_id = $1 AND type = 9
                        AND payload::jsonb->'content'->>'state' = 'held'
                    """, [UUIDValue(ids[0])]) == 1)
            let ledger = try await register(lab, StoreLab.identifier())
            let claims = try await lab.claim(ledger)
            #expect(claims.map(\.download.id) == [ids[0]])
            #expect(claims[0].fence > fence, "no late writer of the first life is a present one")
            #expect(try await ledger.finish([lab.end(claims[0], .succeeded)]).count == 1)
            #expect(try await lab.state(of: ids[0]) == .succeeded)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func sessionsThatAskForItFetchLostContentAgain() async throws {
        try await StoreLab.with { lab in
            let gone = StoreLab.identifier()
            let secret: JSONObject = ["headers": ["X-Key": "k"]]
            let plain = try await succeeded(lab, 3, on: gone)
            let sealed = try await succeeded(lab, 1, on: gone, secret)
            try await lose(lab, gone)
            _ = try await lab.pool.query(
                "UPDATE sessions SET configuration = '{\"refetch_lost\": true}'")
            #expect(try await loseAll(lab, gone) == (4, 3))
            for id in plain { #expect(try await lab.state(of: id) == .waiting) }
            #expect(try await lab.state(of: sealed[0]) == .succeeded, "its secrets are erased")
            #expect(try await lab.wrongGates() == 0)
            // Content that is found missing is fetched again as well.
            let here = StoreLab.identifier()
            _ = try await succeeded(lab, 1, on: here)
            let id = plain[0]
            #expect(try await lab.state(of: id) == .succeeded)
            #expect(try await lab.downloads.contents.markLost(id, instance: here))
            #expect(try await lab.state(of: id) == .waiting)
        }
    }

    @Test func lostContentIsFetchedAgainAsFarAsTheQueueHasRoom() async throws {
        try await StoreLab.with { lab in
            let gone = StoreLab.identifier()
            let ids = try await succeeded(lab, 5, on: gone)
            try await lose(lab, gone)
            _ = try await lab.pool.query(
                "UPDATE sessions SET configuration = '{\"refetch_lost\": true}'")
            _ = try await lab.pool.query("UPDATE apps SET queued_at_most = 3")
            #expect(try await loseAll(lab, gone) == (5, 3))
            let states = try await lab.records(ids).map(\.download.state)
            #expect(states.filter { $0 == .waiting }.count == 3)
            #expect(try await lab.wrongLanes().isEmpty)
            let here = StoreLab.identifier()
            _ = try await lab.pool.query("UPDATE apps SET queued_at_most = 4")
            let again = try await succeeded(lab, 1, on: here)[0]
            _ = try await lab.pool.query("UPDATE apps SET queued_at_most = 0")
            #expect(try await lab.downloads.contents.markLost(again, instance: here))
            #expect(try await lab.state(of: again) == .succeeded)
        }
    }

    @Test func lostContentIsFetchedAgainOnlyFromWhatIsAllowed() async throws {
        try await StoreLab.with { lab in
            let here = StoreLab.identifier()
            let ids = try await succeeded(lab, 2, on: here)
            _ = try await lab.pool.query(
                "UPDATE sessions SET configuration = '{\"refetch_lost\": true}'")
            let downloads = Downloads(
                pool: lab.pool, changes: lab.changes,
                isAllowed: { download, app in download.id == ids[0] && app == "default" })
            for id in ids {
                #expect(try await downloads.contents.markLost(id, instance: here))
            }
            let records = try await lab.records(ids)
            #expect(records.map(\.download.state) == [.waiting, .succeeded])
            #expect(records[1].download.result.content?.state == .lost)
        }
    }

    @Test func lostContentIsNotFetchedAgainInASessionThatEnds() async throws {
        try await StoreLab.with { lab in
            let here = StoreLab.identifier()
            let id = try await succeeded(lab, 1, on: here)[0]
            _ = try await lab.pool.query(
                "UPDATE sessions SET state = 2, configuration = '{\"refetch_lost\": true}'")
            #expect(try await lab.downloads.contents.markLost(id, instance: here))
            #expect(try await lab.state(of: id) == .succeeded)
        }
    }

    @Test func forgettingNeedsAnAbsentReplica() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            _ = try await succeeded(lab, 1, on: instance)
            let replicas = lab.downloads.replicas
            let number = try #require(await replicas.list().first?.number)
            #expect(try await replicas.abandon(number + 1) == .unknown)
            #expect(try await replicas.abandon(number) == .works)
            _ = try await lab.pool.query(
                "UPDATE replicas SET expires_at = now() - interval '1 second'")
            #expect(try await replicas.abandon(number) == .done(instance))
            #expect(try await replicas.findGone(for: .seconds(86_400))?.instance == instance)
            #expect(try await loseAll(lab, instance).lost == 1)
            #expect(try await replicas.list().isEmpty)
        }
    }

    @Test func newsNameOrdersAndThePolicy() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            let replicas = lab.downloads.replicas
            #expect(try await replicas.news(for: ledger.replica).orders.isEmpty)
            #expect(try await replicas.news(for: ledger.replica).policy == 0)
            _ = try await lab.downloads.perform(.suspend, on: claim.download.id, app: 1)
            guard case .stored = try await Policies(pool: lab.pool).replace(document: JSONObject())
            else { throw StoreError(.refused, "no policy") }
            let news = try await replicas.news(for: ledger.replica)
            #expect(news.orders.map(\.id) == [claim.download.id])
            #expect(news.orders.map(\.order) == [.suspend] && news.policy == 1)
            #expect(try await replicas.news(for: ledger.replica + 1).orders.isEmpty)
            try await replicas.announce([.orders, .policy])
        }
    }
}
