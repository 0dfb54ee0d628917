// A row lies where its next mirror is: lane, gates, changes, retries.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing
import Trees

@Suite struct MirrorTests {
    private static let members: JSONObject = [
        "url": .string(StoreLab.origin + "/file"),
        "urls": ["http://b.example/file", "http://c.example:8080/file"],
        "expected_digest": .string("sha256:" + String(repeating: "a", count: 64)),
        "webhook_url": "https://hooks.example/", "webhook_events": ["download.*"],
    ]
    private static let second = "http://b.example:80"

    /// The end of an attempt after which the second mirror is next, bytes kept.
    private func turned(
        _ lab: StoreLab, _ claim: ClaimedDownload, _ outcome: RunOutcome = .retryScheduled
    ) throws -> RunRecord {
        var book = try #require(claim.mirrors)
        let failure = AttemptVerdict.failure(status: 404)
        var random = SeededGenerator(seed: 1)
        let end = FailedAttempt(
            failure: failure, madeProgress: true, attemptsWithoutProgress: 0, told: nil,
            now: claim.claimedAt, deadline: claim.deadline)
        _ = book.decide(end, schedule: .standard, using: &random)
        #expect(book.current == 1)
        var facts = ResponseFacts(status: 200, url: "x")
        facts.etag = "\"v1\""
        let point = ResumePoint(
            offset: 41, fence: claim.fence, instance: "here", facts: facts, total: 82,
            restarts: 0, now: claim.claimedAt)
        var run = lab.end(claim, outcome)
        run.resume = point.turned(to: &book, from: 0, attention: nil)
        run.nextOrigin = Self.second
        run.runAt = nil
        run.download.mirror = 1
        run.download.bytesReceived = 41
        run.download.bytesTotal = 82
        run.detail.url = claim.address
        return run
    }

    private func first(
        _ lab: StoreLab
    ) async throws -> (ledger: Ledger, claim: ClaimedDownload) {
        try await lab.running(Self.members)
    }

    @Test func rowMovesToTheLaneOfItsMirror() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            let id = claim.download.id
            #expect(claim.mirrors == MirrorBook(count: 3))
            #expect(claim.address == StoreLab.origin + "/file")
            let due = try await lab.pool.query("SELECT run_at FROM queue")[0]
                .get(0, as: TimestampValue.self)
            #expect(try await ledger.finish([turned(lab, claim)]) == [id])
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
            let record = try #require(await lab.find(id))
            #expect(record.download.address == "http://b.example/file")
            #expect(record.download.nextAttemptAt == record.candidate?.waitingSince)
            let after = try await lab.pool.query("SELECT run_at FROM queue")[0]
                .get(0, as: TimestampValue.self)
            #expect(after == due, "it keeps its place among those that wait")

            let head = try #require(await ledger.lanes().page.heads.first)
            #expect(head.originName == Self.second)
            let again = try #require(await lab.claim(ledger).first)
            #expect(again.originKey == head.originKey && again.originKey != claim.originKey)
            #expect(again.address == "http://b.example/file" && again.mirrors?.current == 1)
            #expect(again.download.url == claim.download.url)
            #expect(again.resume?.offset == 41 && again.resume?.ifRange == nil)
            #expect(try await lab.wrongGates() == 0)
            #expect(
                try await lab.number(
                    "SELECT running FROM gates WHERE kind = 1 AND key = \(claim.originKey)") == 0)
            let attempts = try #require(await lab.downloads.attempts(of: id, app: 1))
            let asked = attempts.map { $0.detail["url"]?.stringValue }
            #expect(asked == [StoreLab.origin + "/file", "http://b.example/file"])
            _ = try await ledger.finish([lab.end(again, .succeeded)])
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
        }
    }

    /// The lane as SQL computes it is the one that an intake gives.
    @Test(arguments: [(0.5, false), (1.0, true), (0.0, false)])
    func rowJoinsTheLaneOfItsOrigin(priority: Double, isDiscretionary: Bool) async throws {
        try await StoreLab.with { lab in
            let how: JSONObject = [
                "priority": .number(priority), "is_discretionary": .bool(isDiscretionary),
            ]
            var members = Self.members
            for (name, value) in how.members { members[name] = value }
            let (ledger, claim) = try await lab.running(members)
            // A change during a run decides where the row lies after the run.
            let old = try #require(await lab.find(claim.download.id)).download
            var new = old
            new.priority = 0.25
            _ = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
            _ = try await ledger.finish([turned(lab, claim)])
            // A download with further addresses waits in another lane than one with a single
            // address.
            var like = members
            like["priority"] = .number(0.25)
            like["urls"] = ["http://c.example/file"]
            try await lab.submit(1, like, origin: Self.second)
            #expect(try await lab.number("SELECT count(DISTINCT lane_no) FROM queue") == 1)
            #expect(try await lab.claim(ledger).count == 2)
            #expect(try await lab.wrongGates() == 0)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    /// An order that came during the run stops the download where its next mirror is.
    @Test(arguments: [DownloadAction.suspend, .cancel])
    func orderHoldsAfterAMirrorTurn(action: DownloadAction) async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            let id = claim.download.id
            _ = try await lab.downloads.perform(action, on: id, app: 1)
            _ = try await ledger.finish([turned(lab, claim)])
            let found = try #require(await lab.find(id)).download
            #expect(found.state == (action == .suspend ? .suspended : .canceled))
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
            guard action == .suspend else { return }
            #expect(found.address == "http://b.example/file")
            _ = try await lab.downloads.perform(.resume, on: id, app: 1)
            let again = try #require(await lab.claim(ledger).first)
            #expect(again.address == "http://b.example/file" && again.originKey != claim.originKey)
            try await ledger.unregister()
            #expect(try await lab.number("SELECT sum(running) FROM gates") == 0)
            #expect(try await lab.find(id)?.download.address == "http://b.example/file")
        }
    }

    @Test func blockersAreReadForTheCurrentMirror() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            let id = claim.download.id
            var run = try turned(lab, claim)
            run.coolOrigin = claim.claimedAt + .seconds(3600)
            _ = try await ledger.finish([run])
            let record = try #require(await lab.find(id))
            #expect(record.candidate?.origin.notBefore == nil, "the first one asked for time")
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM pushbacks WHERE until > now() AND origin_key = $1",
                    [claim.originKey]) == 1)
            _ = try await lab.pool.query(
                """
                UPDATE gates SET running_limit = 0 FROM queue q
                WHERE kind = 1 AND key = q.origin_key
                """)
            #expect(try await lab.find(id)?.candidate?.origin.limit == 0)
            #expect(try await lab.claim(ledger).isEmpty)
        }
    }

    /// The origin of a mirror that was not asked for a long time may have been removed.
    @Test func nextMirrorWithoutANumberGetsOne() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            _ = try await lab.pool.query(
                """
                WITH gone AS (DELETE FROM origins WHERE origin = $1 RETURNING origin_key)
                DELETE FROM gates WHERE kind = 1 AND key IN (SELECT * FROM gone)
                """, [Self.second])
            #expect(try await ledger.finish([turned(lab, claim)]) == [claim.download.id])
            let again = try #require(await lab.claim(ledger).first)
            #expect(again.address == "http://b.example/file")
            #expect(again.originKey != claim.originKey)
            #expect(try await lab.wrongGates() == 0)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    @Test func newMirrorsBeginWithTheFirst() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            let id = claim.download.id
            _ = try await ledger.finish([turned(lab, claim)])
            // A change of another value leaves the row at its mirror.
            let old = try #require(await lab.find(id)).download
            var new = old
            new.priority = 1
            _ = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
            let moved = try #require(await lab.find(id)).download
            #expect(moved.address == "http://b.example/file" && moved.priority == 1)
            #expect(
                try await ledger.lanes().page.heads.first?.originKey
                    != claim.originKey)

            var other = moved
            other.spec.urls = ["http://d.example/file"]
            other.mirror = 0
            _ = try await lab.downloads.change(
                moved, to: other, origins: [StoreLab.origin, "http://d.example:80"], app: 1)
            let found = try #require(await lab.find(id)).download
            #expect(found.spec.urls == ["http://d.example/file"])
            #expect(found.address == found.url && found.bytesReceived == 41)
            let again = try #require(await lab.claim(ledger).first)
            #expect(again.originKey == claim.originKey && again.mirrors == MirrorBook(count: 2))
            #expect(again.resume?.offset == 41 && again.resume?.etag == "\"v1\"")
            #expect(try await lab.wrongGates() == 0)
            #expect(
                try await lab.number(
                    """
                    SELECT count(*) FROM gates g JOIN origins o ON o.origin_key = g.key
                    WHERE g.kind = 1 AND o.origin = 'http://d.example:80'
                    """) == 1)
        }
    }

    @Test func retryBeginsWithTheFirstMirror() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            let id = claim.download.id
            _ = try await ledger.finish([turned(lab, claim)])
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            let ended = try #require(await lab.find(id)).download
            #expect(ended.address == "http://b.example/file", "it was next when it ended")
            _ = try await lab.downloads.perform(.retry, on: id, app: 1)
            let again = try #require(await lab.claim(ledger).first)
            #expect(again.address == again.download.url && again.originKey == claim.originKey)
            #expect(again.mirrors == MirrorBook(count: 3))
            #expect(try await lab.find(id)?.download.address == again.download.url)
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func eventsNameTheMirrorInUse() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await first(lab)
            _ = try await ledger.finish([turned(lab, claim)])
            let query = JournalQuery(scope: .download(claim.download.id))
            let events = try await lab.downloads.journal.read(query, after: nil, limit: 9).events
            let told = events.map { String(decoding: $0.message.body, as: UTF8.self) }
            #expect(told.count == 3)
            #expect(told[0].contains("\"mirror_url\":\"\(StoreLab.origin)/file\""))
            #expect(told[1].contains("\"mirror_url\":null"))
            #expect(told[2].contains("\"mirror_url\":\"http://b.example/file\""))
        }
    }
}
