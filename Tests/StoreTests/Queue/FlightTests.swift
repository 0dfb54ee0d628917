// Downloads that share a transfer: which one joins which, and the end of those that have joined.
import Base
import Downloads
import Postgres
import Scheduling
import Support
import Testing

@testable import Store

@Suite struct FlightTests {
    static let join: JSONObject = ["on_duplicate_url": "join"]
    static let flight = StoreLab.identifier()

    func draft(
        _ lab: StoreLab, _ members: JSONObject = JSONObject(), flight: Identifier = flight
    ) throws -> NewDownload {
        guard case .object(let all) = JSON.object(Self.join).merging(.object(members)) else {
            preconditionFailure("a merge of objects is an object")
        }
        var new = try lab.draft(all)
        new.flight = flight
        return new
    }

    /// Downloads that are stored one after the other; all of them share a transfer.
    func submit(
        _ lab: StoreLab, _ count: Int, _ members: JSONObject = JSONObject(),
        flight: Identifier = flight
    ) async throws -> [Identifier] {
        // The oldest is the first in line.
        let drafts = try (0..<count).map { _ in try draft(lab, members, flight: flight) }
            .sorted { $0.download.id < $1.download.id }
        for new in drafts { _ = try await Intake(pool: lab.pool).submit(new) }
        return drafts.map(\.download.id)
    }

    /// The leader that each download has joined.
    func joined(_ lab: StoreLab, _ ids: [Identifier]) async throws -> [Identifier?] {
        try await lab.records(ids).map(\.download.joinedTo)
    }

    /// Does the due work in a data directory until none is left.
    func settle(_ lab: StoreLab, at instance: Identifier) async throws {
        let flights = lab.downloads.flights
        for _ in 0..<1000 {
            var changed = 0
            for work in try await flights.due(instance: instance, limit: 16) {
                switch work {
                case .share(let file):
                    changed += try await flights.finish(
                        try await flights.followers(of: file), file, at: try await lab.now(),
                        retention: 60
                    ).count
                case .pass(let leader):
                    changed += try await flights.settle(leader, isPassed: true)
                case .release(let leader):
                    changed += try await flights.settle(leader, isPassed: false)
                }
            }
            if changed == 0 { return }
        }
        Issue.record("it does not end")
    }

    func expectSound(_ lab: StoreLab) async throws {
        #expect(try await lab.wrongGates() == 0)
        #expect(try await lab.wrongLanes() == [])
        #expect(
            try await lab.number(
                "SELECT count(*) FROM queue WHERE (state = 4) <> (joined_to IS NOT NULL)") == 0)
        #expect(try await lab.downloads.flights.audit() == 0)
    }

    @Test func theFirstLeadsAndTheOthersWaitForIt() async throws {
        try await StoreLab.with { lab in
            let ids = try await submit(lab, 3)
            #expect(try await joined(lab, ids) == [nil, ids[0], ids[0]])
            let follower = try #require(await lab.find(ids[1]))
            #expect(follower.download.state == .waiting)
            #expect(follower.candidate?.joined == JoinedFlight(leader: ids[0]))
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger).map(\.download.id) == [ids[0]])
            // A download that comes while the leader runs joins as well.
            let late = try await submit(lab, 1)
            #expect(try await joined(lab, late) == [ids[0]])
            #expect(try await lab.claim(ledger).isEmpty)
            var filter = DownloadFilter()
            filter.states = [.waiting]
            let page = try await lab.downloads.list(app: 1, filter, after: nil, limit: 10)
            #expect(Set(page.records.map(\.download.id)) == Set(ids.dropFirst() + late))
            let figures = try await Sessions(pool: lab.pool).figures(of: 1)
            #expect(figures.counts[.waiting] == 3 && figures.counts[.running] == 1)
            #expect(try await lab.number("SELECT lull_session_is_live(1)::int") == 1)
            try await expectSound(lab)
        }
    }

    @Test func untilIsTheEndOfTheOneThatRuns() async throws {
        try await StoreLab.with { lab in
            let ids = try await submit(lab, 2)
            let ledger = try await lab.register()
            _ = try await lab.claim(ledger)
            #expect(try await lab.find(ids[1])?.candidate?.joined?.until == nil)
            _ = try await lab.pool.query(
                """
                UPDATE queue SET bytes = 100, total_bytes = 1100, bytes_per_second = 100,
                    measured_at = to_timestamp(1790000000) WHERE id = $1
                """, [UUIDValue(ids[0])])
            let until = try await lab.find(ids[1])?.candidate?.joined?.until
            #expect(until == Timestamp(seconds: 1_790_000_010))
        }
    }

    @Test func thoseOfABatchShareTheFirstOne() async throws {
        try await StoreLab.with { lab in
            let other = StoreLab.identifier()
            let batch = try [
                draft(lab), draft(lab, flight: other), draft(lab), draft(lab, flight: other),
            ].sorted { $0.download.id < $1.download.id }
            _ = try await Intake(pool: lab.pool).submit(batch: batch, idempotency: nil)
            for flight in [Self.flight, other] {
                let ids = batch.filter { $0.flight == flight }.map(\.download.id)
                #expect(try await joined(lab, ids) == [nil, ids[0]])
            }
            try await expectSound(lab)
        }
    }

    /// A download does not join a leader with another date, so no promise is broken and no wait is
    /// added.
    @Test func thoseThatMayBeginAtAnotherInstantDoNotJoin() async throws {
        try await StoreLab.with { lab in
            let dates: [JSON] = [
                .null, "2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z", "2030-01-01T00:00:00Z",
                "2020-01-01T00:00:00Z",
            ]
            var ids: [Identifier] = []
            for date in dates {
                ids += try await submit(lab, 1, ["earliest_begin_date": date])
            }
            #expect(try await joined(lab, ids) == [nil, nil, nil, ids[1], ids[0]])
            let suspended = try await submit(lab, 1, ["suspended": true])
            #expect(try await joined(lab, suspended) == [nil])
            #expect(try await lab.state(of: suspended[0]) == .suspended)
            try await expectSound(lab)
        }
    }

    @Test func ofManyAtTheSameMomentOneLeads() async throws {
        try await StoreLab.with { lab in
            let drafts = try (0..<60).map { _ in try draft(lab) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<4 {
                    // Each intake is a process of its own.
                    let intake = Intake(pool: lab.pool)
                    for new in drafts[(part * 15)..<(part * 15 + 15)] {
                        group.addTask { _ = try await intake.submit(new) }
                    }
                }
                try await group.waitForAll()
            }
            let leaders = try await joined(lab, drafts.map(\.download.id))
            #expect(leaders.filter { $0 == nil }.count == 1)
            #expect(Set(leaders.compactMap(\.self)).count == 1)
            try await expectSound(lab)
        }
    }

    /// A leader ends while others join it: each has joined one that leads, or one whose end is
    /// noted.
    @Test func nothingIsStrandedWhereTheLeaderEndsMeanwhile() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            for _ in 0..<12 {
                let first = try await submit(lab, 1)
                let late = try draft(lab)
                async let stored = Intake(pool: lab.pool).submit(late)
                async let outcome = lab.downloads.perform(.cancel, on: first[0], app: 1)
                _ = try await (stored, outcome)
                #expect(try await lab.downloads.flights.audit() == 0)
                try await settle(lab, at: instance)
                let id = late.download.id
                #expect(try await joined(lab, [id]) == [nil])
                #expect(try await lab.claim(ledger).map(\.download.id) == [id])
                _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
                _ = try await ledger.releaseUnknownRuns(
                    known: [], claimedBefore: try await lab.now())
                try await expectSound(lab)
            }
        }
    }

    @Test func theContentIsSharedAndEachHasItsOwn() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            let ids =
                try await submit(lab, 2)
                + submit(lab, 1, ["content_retention": 7, "webhook_url": "https://h.example/"])
            let claim = try #require(await lab.claim(ledger).first)
            let run = succeeded(lab, claim, instance)
            _ = try await ledger.finish([run])
            #expect(try await lab.find(ids[1])?.download.state == .waiting)
            // Another data directory does not do this work.
            #expect(
                try await lab.downloads.flights.due(instance: StoreLab.identifier(), limit: 9)
                    .isEmpty)
            // The client deletes the first download: the file stays until the others have it.
            _ = try await lab.downloads.perform(.delete, on: ids[0], app: 1)
            #expect(
                try await lab.downloads.contents.releasedFiles(instance: instance, limit: 9).isEmpty
            )
            try await settle(lab, at: instance)
            #expect(
                try await lab.downloads.contents.releasedFiles(instance: instance, limit: 9).map(
                    \.id)
                    == [ids[0]])
            for id in ids.dropFirst() {
                let record = try #require(await lab.find(id))
                #expect(record.download.state == .succeeded && record.download.attempt == 0)
                #expect(record.download.bytesReceived == 4 && record.contentFence == 1)
                let digest = run.download.result.content?.sha256
                #expect(record.download.result.content?.sha256 == digest)
                #expect(record.download.result.joinedTo == ids[0])
                #expect(try await lab.events(of: id) == [.created, .succeeded])
            }
            let ends = try await lab.records(Array(ids.dropFirst())).map { record in
                (record.download.result.content?.expiresAt ?? .epoch)
                    - (record.download.completedAt ?? .epoch)
            }
            #expect(ends[0] > .seconds(50) && ends[1] < .seconds(8))
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM deliveries WHERE download_id = '\(uuid(ids[2]))'") == 1)
            #expect(try await lab.number("SELECT count(*) FROM flight_ends") == 0)
            #expect(try await lab.number("SELECT count(*) FROM queue") == 0)
            try await expectSound(lab)
        }
    }

    func succeeded(
        _ lab: StoreLab, _ claim: ClaimedDownload, _ instance: Identifier
    ) -> RunRecord {
        var run = lab.end(claim, .succeeded)
        run.download.bytesReceived = 4
        run.content = KeptContent(
            instance: instance, length: 4, at: run.at, retention: 60)
        run.download.result.content = DownloadContent(
            length: 4, sha256: String(repeating: "ab", count: 32), isLengthVerified: true,
            expiresAt: run.content?.expiresAt)
        return run
    }

    private func uuid(_ id: Identifier) -> String { "\(id.hexadecimal)" }

    /// A way in which a leader stops bringing bytes, and whether a follower takes its place.
    enum Stop: String, CaseIterable {
        case canceled, canceledWhileRunning, suspended, suspendedWhileRunning, expired, patched
        case lostAfterCancel, failed, attention, unreadable

        var isPassed: Bool {
            switch self {
            case .failed, .attention, .unreadable: false
            default: true
            }
        }
    }

    private func stop(
        _ lab: StoreLab, _ id: Identifier, _ stop: Stop, _ ledger: Ledger
    ) async throws {
        let uuid = UUIDValue(id)
        func end(_ outcome: RunOutcome) async throws {
            let claim = try #require(await lab.claim(ledger).first)
            #expect(claim.download.id == id)
            _ = try await ledger.finish([lab.end(claim, outcome)])
        }
        switch stop {
        case .canceled: _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
        case .suspended: _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
        case .canceledWhileRunning: try await end(.canceled)
        case .suspendedWhileRunning:
            let claim = try #require(await lab.claim(ledger).first)
            _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            _ = try await ledger.finish([lab.end(claim, .suspended)])
        case .failed: try await end(.failed)
        case .attention: try await end(.attentionRequired)
        case .expired, .unreadable:
            if stop == .unreadable {
                _ = try await lab.pool.query(
                    "UPDATE download_requests SET spec = '[]' WHERE id = $1", [uuid])
            }
            _ = try await lab.pool.query(
                "UPDATE queue SET deadline = now() WHERE id = $1", [uuid])
            #expect(try await lab.downloads.expire(limit: 9) == 1)
        case .patched:
            let old = try #require(await lab.find(id)).download
            var new = old
            new.url += "?token"
            _ = try await lab.downloads.change(
                old, to: new, origins: [StoreLab.origin], app: 1)
        case .lostAfterCancel:
            _ = try await lab.claim(ledger)
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            #expect(
                try await ledger.releaseUnknownRuns(
                    known: [], claimedBefore: try await lab.now()) == 1)
        }
    }

    @Test(arguments: Stop.allCases)
    func theOthersGoOnWhereTheFirstOneIs(_ stop: Stop) async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            let ids = try await submit(lab, 4)
            try await self.stop(lab, ids[0], stop, ledger)
            try await settle(lab, at: instance)
            let rest = Array(ids.dropFirst())
            let leaders = try await joined(lab, rest)
            if stop.isPassed {
                #expect(leaders == [nil, rest[0], rest[0]])
            } else {
                #expect(leaders == [nil, nil, nil])
            }
            let claimed = try await lab.claim(ledger).map(\.download.id).filter(rest.contains)
            #expect(claimed.sorted() == (stop.isPassed ? [rest[0]] : rest.sorted()))
            // The waiting followers are unchanged.
            #expect(try await lab.events(of: rest[2]).first == .created)
            #expect(try await lab.number("SELECT count(*) FROM flight_ends") == 0)
            try await expectSound(lab)
        }
    }

    /// A retry and a date that passes leave the lead as it is.
    @Test func theFirstOneKeepsItsPlaceThroughARetry() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let ids = try await submit(lab, 2)
            for outcome in [RunOutcome.retryScheduled, .yielded] {
                let claim = try #require(await lab.claim(ledger).first)
                _ = try await ledger.finish([lab.end(claim, outcome)])
                #expect(try await joined(lab, ids) == [nil, ids[0]])
            }
            #expect(try await lab.number("SELECT count(*) FROM flight_ends") == 0)
        }
    }

    @Test func theNextGoesOnWithTheBytes() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            let ids = try await submit(lab, 3)
            let claim = try #require(await lab.claim(ledger).first)
            var claims = RepresentationClaims()
            claims.length = 9000
            let point = ResumePoint(
                offset: 4000, fence: claim.fence, instance: instance.hexadecimal, claims: claims,
                restarts: 0)
            var run = lab.end(claim, .canceled)
            run.resume = point
            _ = try await ledger.finish([run])
            // The sweep leaves the bytes, and a download that copies them finds their owner.
            let owners = try await ledger.owners(of: ids, instance: instance)
            #expect(owners.owners[ids[0]] == .ended(content: nil, part: claim.fence))
            let source = try await lab.downloads.flights.sourcePoint(of: ids[0])
            #expect(source?.covers(point) == true)
            try await settle(lab, at: instance)
            // The bytes that it copies need room as well, for its reader and for its claim.
            #expect(try await lab.find(ids[1])?.candidate?.need == 9000)
            let next = try #require(await lab.claim(ledger).first)
            #expect(next.download.id == ids[1] && next.resume?.source == ids[0])
            #expect(next.resume?.offset == 4000 && next.need == 9000)
            #expect(try await lab.downloads.flights.sourcePoint(of: ids[0])?.covers(point) == true)
            // Once the bytes are copied the first download is not needed.
            var own = point
            own.fence = next.fence
            #expect(try await ledger.saveResumePoint(own, for: ids[1], fence: next.fence))
            _ = try await lab.pool.query("UPDATE flight_ends SET due_at = now()")
            try await settle(lab, at: instance)
            #expect(
                try await ledger.owners(of: ids, instance: instance).owners[ids[0]]
                    == .ended(content: nil))
            try await expectSound(lab)
        }
    }

    @Test func aFollowerThatIsChangedGoesOnByItself() async throws {
        try await StoreLab.with { lab in
            let ids = try await submit(lab, 5)
            let downloads = lab.downloads
            _ = try await downloads.perform(.suspend, on: ids[1], app: 1)
            #expect(try await lab.state(of: ids[1]) == .suspended)
            _ = try await downloads.perform(.resume, on: ids[1], app: 1)
            _ = try await downloads.perform(.cancel, on: ids[2], app: 1)
            for (id, isOther) in [(ids[3], true), (ids[4], false)] {
                let old = try #require(await lab.find(id)).download
                var new = old
                if isOther { new.spec.rules.onSourceChange = .fail } else { new.priority = 1 }
                let outcome = try await downloads.change(old, to: new, origins: nil, app: 1)
                guard case .done = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
            }
            let records = try await lab.records(ids)
            #expect(records.map(\.download.joinedTo) == [nil, nil, nil, nil, ids[0]])
            #expect(records[2].download.state == .canceled)
            let ledger = try await lab.register()
            let claimed = Set(try await lab.claim(ledger).map(\.download.id))
            #expect(claimed == [ids[0], ids[1], ids[3]])
            try await expectSound(lab)
        }
    }

    /// A follower that changed after its file was made does not get the file, and none of its later
    /// attempts has that file's name.
    @Test func aFollowerThatChangedMeanwhileDoesNotLand() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            let ids = try await submit(lab, 3)
            let claim = try #require(await lab.claim(ledger).first)
            _ = try await ledger.finish([succeeded(lab, claim, instance)])
            let flights = lab.downloads.flights
            guard case .share(let file) = try await flights.due(instance: instance, limit: 1).first
            else {
                Issue.record("nothing is due")
                return
            }
            let followers = try await flights.followers(of: file)
            #expect(followers.map(\.fence) == [1, 1])
            _ = try await lab.downloads.perform(.suspend, on: ids[1], app: 1)
            _ = try await lab.downloads.perform(.resume, on: ids[1], app: 1)
            let landed = try await flights.finish(
                followers, file, at: try await lab.now(), retention: 60)
            #expect(landed == [ids[2]])
            // A repeated report, as after a lost answer, changes nothing.
            #expect(
                try await flights.finish(followers, file, at: try await lab.now(), retention: 60)
                    .isEmpty)
            let own = try #require(await lab.claim(ledger).first)
            #expect(own.download.id == ids[1] && own.fence > 1)
            try await settle(lab, at: instance)
            #expect(try await lab.number("SELECT count(*) FROM flight_ends") == 0)
            try await expectSound(lab)
        }
    }

    @Test func withoutTheFileEachFetchesItsOwn() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            let ids = try await submit(lab, 3)
            let claim = try #require(await lab.claim(ledger).first)
            _ = try await ledger.finish([succeeded(lab, claim, instance)])
            _ = try await lab.pool.query("DELETE FROM contents")
            // Any data directory can do this work.
            try await settle(lab, at: StoreLab.identifier())
            #expect(try await joined(lab, ids) == [nil, nil, nil])
            #expect(try await lab.claim(ledger).count == 2)
            try await expectSound(lab)
        }
    }

    @Test func whoseEndIsNotNotedIsFound() async throws {
        try await StoreLab.with { lab in
            let ids = try await submit(lab, 3)
            _ = try await lab.pool.query("DELETE FROM queue WHERE id = $1", [UUIDValue(ids[0])])
            #expect(try await lab.downloads.flights.audit() == 1)
            #expect(try await lab.downloads.flights.audit() == 0)
            try await settle(lab, at: StoreLab.identifier())
            #expect(try await joined(lab, Array(ids.dropFirst())) == [nil, nil])
        }
    }
}
