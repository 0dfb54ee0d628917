// The reasons why a download waits: each alone, all together, and always at least one.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct AdmissionTests {
    // 2026-11-22 is a Sunday.
    private static let now = instant("2026-11-22T12:00:00Z")
    private static let created = instant("2026-11-22T11:00:00Z")
    private static let waiting = instant("2026-11-22T11:30:00Z")

    private static func instant(_ text: String) -> Timestamp {
        Timestamp(rfc3339: text) ?? .epoch
    }

    private static func candidate(
        _ change: (inout AdmissionCandidate) -> Void = { _ in }
    ) -> AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: created, waitingSince: waiting,
            runAt: created, attempt: 0, origin: GateReading(), sessionGate: GateReading())
        change(&candidate)
        return candidate
    }

    private func blockers(
        _ candidate: AdmissionCandidate, _ policy: Policy? = nil, at now: Timestamp = now,
        in zone: TimeZoneRules = .utc, draining: Bool = false
    ) -> [Blocker] {
        let situation = Situation(
            now: now, policy: policy ?? Policy(limits: Policies.limits), zone: zone,
            isDraining: draining)
        return Admission.blockers(candidate, in: situation)
    }

    @Test func dueDownloadIsBlockedBySlotsOnly() {
        let free = blockers(Self.candidate())
        #expect(
            free == [
                Blocker(
                    .slots, "it is due and begins when a slot is free",
                    since: Self.waiting)
            ])
        let later = blockers(Self.candidate { $0.runAt = Self.waiting + .seconds(9) })
        #expect(later.map(\.since) == [Self.waiting + .seconds(9)])
        #expect(blockers(Self.candidate { $0.runAt = Self.now }).map(\.code) == [.slots])
    }

    @Test func futureEarliestBeginBlocks() {
        let date = Self.now + .seconds(1)
        #expect(
            blockers(Self.candidate { $0.runAt = date }) == [
                Blocker(
                    .earliestBeginDate, "it does not begin before 2026-11-22T12:00:01.000Z",
                    since: Self.created, until: date)
            ])
    }

    @Test func retryBackoffBlocksUntilNextAttempt() {
        let date = Self.now + .seconds(1)
        let candidate = Self.candidate {
            $0.runAt = date
            $0.attempt = 2
        }
        #expect(
            blockers(candidate) == [
                Blocker(
                    .retryBackoff, "attempt 2 failed; the next begins at 2026-11-22T12:00:01.000Z",
                    since: Self.waiting, until: date)
            ])
        let known = Self.candidate {
            $0.runAt = date
            $0.attempt = 2
            $0.lastFailure = .cannotFindHost
        }
        #expect(
            blockers(known).map(\.detail) == [
                "attempt 2 failed (cannot_find_host); the next begins at 2026-11-22T12:00:01.000Z"
            ])
    }

    @Test func retryAfterBlocksTheOrigin() {
        let until = Self.now + .seconds(1)
        let asked = blockers(Self.candidate { $0.origin.notBefore = until })
        #expect(asked.map(\.code) == [.originPushback])
        #expect(asked.first?.until == until)
        #expect(blockers(Self.candidate { $0.origin.notBefore = Self.now }).map(\.code) == [.slots])
    }

    @Test(arguments: [
        (6, nil as Int?, true), (5, nil, false), (7, nil, true), (1, 1, true), (0, 0, true),
        (6, 7, false),
    ])
    func fullOriginBlocks(_ running: Int, _ limit: Int?, _ isFull: Bool) {
        let found = blockers(
            Self.candidate { $0.origin = GateReading(running: running, limit: limit) })
        #expect(found.map(\.code) == [isFull ? .originLimit : .slots])
        if isFull { #expect(found[0].detail.contains("\(running) of \(limit ?? 6) ")) }
    }

    @Test(arguments: [(16, nil as Int?, true), (15, nil, false), (2, 2, true), (16, 17, true)])
    func fullSessionBlocks(_ running: Int, _ limit: Int?, _ isFull: Bool) {
        let found = blockers(
            Self.candidate { $0.sessionGate = GateReading(running: running, limit: limit) })
        #expect(found.map(\.code) == [isFull ? .sessionLimit : .slots])
        // A session's own limit only lowers the policy's.
        if isFull { #expect(found[0].detail.contains("\(running) of \(min(limit ?? 16, 16)) ")) }
    }

    @Test(arguments: [
        (9, nil as Int?, nil as Int?, false), (9, 9, nil, true), (8, 9, nil, false),
        (9, nil, 9, true), (9, 20, 9, true), (9, 9, 20, true), (0, 0, nil, true),
    ])
    func fullAppBlocks(_ running: Int, _ own: Int?, _ ofPolicy: Int?, _ isFull: Bool) {
        var policy = Policy(limits: Policies.limits)
        policy.limits.perApp = ofPolicy
        let found = blockers(
            Self.candidate { $0.appGate = GateReading(running: running, limit: own) }, policy)
        #expect(found.map(\.code) == [isFull ? .appLimit : .slots])
    }

    @Test(arguments: [
        (nil as Int?, nil as Int?, "it is due and begins when a slot is free"),
        (3, 0, "it is due and begins when a slot is free"),
        (64, 0, "it is due and begins when a slot is free; 64 of 64 downloads are running"),
        (
            65, 1,
            "; 65 of 64 downloads are running; downloads of its origin and session before it: 1"
        ),
        (3, 7, "when a slot is free; downloads of its origin and session before it: 7"),
        (3, 101, "; downloads of its origin and session before it: more than 100"),
    ])
    func slotsNameWhatRunsAndWhatIsBefore(_ running: Int?, _ before: Int?, _ words: String) {
        let found = blockers(
            Self.candidate {
                $0.running = running
                $0.before = before
            })
        #expect(found.map(\.code) == [.slots])
        #expect(found[0].detail.hasSuffix(words))
    }

    @Test func closedWindowNamesItsNextOpening() throws {
        let policy = try Policies.nightly()
        let opening = Self.instant("2026-11-22T22:00:00Z")
        #expect(
            blockers(Self.candidate(), policy) == [
                Blocker(
                    .window,
                    "discretionary downloads wait for the window \"night\", which opens at "
                        + "2026-11-22T22:00:00.000Z",
                    since: Self.created, until: opening, rule: "at-night")
            ])
        // The rule holds since it closed, if that was after the download came.
        let old = Self.candidate { $0.createdAt = Self.created - .seconds(86_400) }
        #expect(
            blockers(old, policy).map(\.since) == [Self.instant("2026-11-22T06:00:00Z")])
        #expect(blockers(Self.candidate(), policy, at: opening).map(\.code) == [.slots])
        let before = opening - .microseconds(1)
        #expect(blockers(Self.candidate(), policy, at: before).map(\.code) == [.window])
        let urgent = Self.candidate { $0.isDiscretionary = false }
        #expect(blockers(urgent, policy).map(\.code) == [.slots])
    }

    @Test func everyClosedWindowIsListed() throws {
        let policy = try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"], "monday": ["Mon 00:00-24:00"],
                         "now": ["11:00-13:00"]},
             "rules": [{"name": "a", "require": ["window night", "window now"]},
                       {"name": "b", "match": {"session": "s"}, "require": ["window monday"]},
                       {"name": "c", "match": {"session": "t"}, "require": ["window monday"]}]}
            """)
        let found = blockers(Self.candidate { $0.isDiscretionary = false }, policy)
        #expect(found.map(\.rule) == ["a", "b"])
        #expect(found[1].until == Self.instant("2026-11-23T00:00:00Z"))
        #expect(found[0].detail.hasPrefix("downloads wait for the window \"night\""))
    }

    /// In Berlin the clocks change at 01:00 UTC.
    @Test func windowsFollowDaylightSavingOfTheirZone() throws {
        let berlin = try zone("Europe/Berlin")
        let policy = try Policies.nightly()
        func opening(_ text: String) -> [Timestamp?] {
            let now = Self.instant(text)
            let fresh = Self.candidate {
                $0.createdAt = now
                $0.runAt = now
            }
            return blockers(fresh, policy, at: now, in: berlin).map(\.until)
        }
        #expect(opening("2026-03-28T12:00:00Z") == [Self.instant("2026-03-28T21:00:00Z")])
        #expect(opening("2026-03-29T12:00:00Z") == [Self.instant("2026-03-29T20:00:00Z")])
        #expect(opening("2026-10-24T12:00:00Z") == [Self.instant("2026-10-24T20:00:00Z")])
        #expect(opening("2026-10-25T12:00:00Z") == [Self.instant("2026-10-25T21:00:00Z")])
        // The night of the change is one window: 06:00 CEST is 04:00 UTC, 06:00 CET is 05:00 UTC.
        #expect(opening("2026-03-29T03:59:59Z") == [nil])
        #expect(opening("2026-03-29T04:00:00Z") == [Self.instant("2026-03-29T20:00:00Z")])
        #expect(opening("2026-10-25T04:59:59Z") == [nil])
        #expect(opening("2026-10-25T05:00:00Z") == [Self.instant("2026-10-25T21:00:00Z")])
    }

    @Test func drainBlocks() {
        #expect(
            blockers(Self.candidate(), draining: true) == [
                Blocker(.draining, "the service is stopping", since: Self.now)
            ])
    }

    @Test func allBlockersAreListed() throws {
        let candidate = Self.candidate {
            $0.runAt = Self.now + .seconds(1)
            $0.origin = GateReading(running: 6, notBefore: Self.now + .seconds(2))
            $0.sessionGate = GateReading(running: 16)
        }
        let found = blockers(candidate, try Policies.nightly(), draining: true)
        #expect(
            found.map(\.code) == [
                .earliestBeginDate, .window, .originPushback, .originLimit, .sessionLimit,
                .draining,
            ])
    }

    @Test func waitingDownloadAlwaysHasABlocker() throws {
        let policy = try Policies.nightly()
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            let candidate = Self.candidate {
                $0.isDiscretionary = random.isOne(in: 2)
                $0.runAt = Self.now + .seconds(Int.random(in: -2...2, using: &random))
                $0.attempt = Int.random(in: 0...2, using: &random)
                $0.origin.running = Int.random(in: 4...7, using: &random)
                $0.sessionGate.running = Int.random(in: 14...17, using: &random)
            }
            let now = Self.now + .seconds(Int.random(in: -43_200...43_200, using: &random))
            let found = blockers(candidate, policy, at: now, draining: random.isOne(in: 4))
            #expect(!found.isEmpty)
            #expect(found.allSatisfy { $0.until.map { $0 > now } ?? true })
            #expect(found.filter { $0.code == .slots }.isEmpty || found.count == 1)
        }
    }
}
