// The bytes and time that a download is expected to need, by the client's word, the origin's, or
// other files.
import Base
import Scheduling
import Testing

@Suite struct ExpectedTransferTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let policy = {
        var policy = Policy(limits: PolicyLimits(perOrigin: 6))
        policy.deadlines.quantile = 0.2
        return policy
    }()

    private static func learned(progress: Double = 1) -> LearnedFacts {
        var facts = LearnedFacts()
        let quarter = LearnedKey.quarter(of: now)
        for step in 1...10 {
            facts.add(
                Double(step) * 1e6, .size, to: LearnedKey.sizes(session: 1, origin: 2), at: now)
            facts.add(
                Double(step) * 1e5, .rate, to: LearnedKey.rates(origin: 2, quarter: quarter),
                at: now)
            facts.add(progress, .progress, to: LearnedKey.progress(origin: 2), at: now)
        }
        return facts
    }

    private static func transfer(
        _ facts: LearnedFacts, _ change: (inout AdmissionCandidate) -> Void = { _ in }
    ) -> ExpectedTransfer {
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: now, waitingSince: now, runAt: now,
            attempt: 0, origin: GateReading(), sessionGate: GateReading())
        candidate.originKey = 2
        candidate.sessionKey = 1
        change(&candidate)
        return ExpectedTransfer(
            candidate, in: Situation(now: now, policy: policy, zone: .utc, learned: facts))
    }

    @Test func theClientsSizeCountsBeforeALearnedOne() {
        let given = Self.transfer(Self.learned()) { $0.need = 5 }
        #expect(given.source == .client && given.bytes == 5 && given.size == nil)
        let announced = Self.transfer(Self.learned()) {
            $0.need = 9
            $0.isAnnounced = true
        }
        #expect(announced.source == .announced && announced.bytes == 9)
    }

    @Test func aSizeThatNobodyGaveIsTheLearnedOneLessWhatIsHere() throws {
        let learned = Self.transfer(Self.learned())
        #expect(learned.source == .learned)
        #expect(abs(Double(learned.bytes) - 8e6) < 0.06 * 8e6)
        let begun = Self.transfer(Self.learned()) { $0.received = 1_000_000 }
        #expect(begun.bytes == learned.bytes - 1_000_000)
        let beyond = Self.transfer(Self.learned()) { $0.received = 99_000_000 }
        #expect(beyond.bytes == 1)
        // For another origin of the session, another session, and both, the more general record
        // decides.
        for (session, origin, word) in [
            (1, 2, "session_and_origin"), (1, 9, "session"), (9, 9, "everything"),
        ] {
            let other = Self.transfer(Self.learned()) {
                $0.sessionKey = Int64(session)
                $0.originKey = Int64(origin)
            }
            #expect(try #require(other.size).key.word == word)
        }
        let nothing = Self.transfer(LearnedFacts())
        #expect(nothing.source == .unknown && nothing.bytes == 0)
    }

    /// If a size is only learned, a deadline is judged by a large quantile: the largest files miss
    /// deadlines.
    @Test func aDeadlineCountsOnALargerSize() {
        let dated = Self.transfer(Self.learned()) { $0.deadline.complete = Self.now }
        #expect(abs(Double(dated.bytes) - 1e7) < 0.06 * 1e7)
        let given = Self.transfer(Self.learned()) {
            $0.deadline.complete = Self.now
            $0.need = 5
        }
        #expect(given.bytes == 5)
    }

    /// The expected time follows the run's own speed if it is slower than usual, not if it is
    /// faster.
    @Test func theTimeFollowsWhatARunHasHad() {
        func seconds(_ speed: Double?, _ facts: LearnedFacts) -> Double {
            let transfer = Self.transfer(facts) {
                $0.need = 20_000_000
                $0.speed = speed
            }
            return Double(transfer.time.wholeMilliseconds) / 1000
        }
        #expect(abs(seconds(1e5, Self.learned()) - 202) < 12)
        #expect(seconds(5e6, Self.learned()) == seconds(nil, Self.learned()))
        #expect(seconds(1e5, LearnedFacts()) == 202)
    }

    @Test func theTimeFollowsThePaceOfAllTransfers() {
        var slow = Self.learned()
        slow.pace = 0.25
        func seconds(_ facts: LearnedFacts) -> Double {
            Double(Self.transfer(facts) { $0.need = 20_000_000 }.time.wholeMilliseconds) / 1000
        }
        #expect(abs((seconds(slow) - 2) - 4 * (seconds(Self.learned()) - 2)) < 1)
    }

    /// The capacity of several transfers falls by the factor by which each of them is slower.
    @Test(arguments: [1.0, 0.5, 0.25])
    func whatDeadlinesShareFollowsThePaceToo(_ pace: Double) throws {
        var facts = Self.learned()
        facts.pace = pace
        let situation = Situation(now: Self.now, policy: Self.policy, zone: .utc, learned: facts)
        let six = BottleneckCapacity(of: 6, origin: 2, in: situation)
        let usual = try #require(Self.learned().rate(origin: 2, at: Self.now)).quantile(0.2)
        let bytes = six.bytes(from: Self.now, to: Self.now + .seconds(10))
        #expect(abs(bytes - 60 * usual * pace) < 1)
        // The assumed rate counts if nothing was learned.
        let unknown = Situation(now: Self.now, policy: Self.policy, zone: .utc)
        let capacity = BottleneckCapacity(of: 3, origin: 2, in: unknown)
        #expect(
            capacity.bytes(from: Self.now, to: Self.now + .seconds(1)) == 3
                * Double(TransferNeed.assumedRate)
        )
    }

    @Test func theTimeFollowsTheLowRateAndTheProgressOfAttempts() {
        func seconds(_ facts: LearnedFacts) -> Double {
            Double(Self.transfer(facts) { $0.need = 20_000_000 }.time.wholeMilliseconds) / 1000
        }
        // 20 MB at 1 MiB/s, then at the 20 % quantile of 0.2 MB/s, then in halves.
        #expect(abs(seconds(LearnedFacts()) - 21.1) < 0.1)
        #expect(abs(seconds(Self.learned()) - 102) < 6)
        #expect(abs(seconds(Self.learned(progress: 0.5)) - 202) < 22)
    }

    @Test func deadlinesAreGuardedByLearnedRates() {
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: Self.now, waitingSince: Self.now,
            runAt: Self.now, attempt: 0, origin: GateReading(), sessionGate: GateReading(),
            need: 3_600_000_000)
        candidate.originKey = 2
        candidate.deadline.complete = Self.now + .seconds(7200)
        func isGuarded(_ facts: LearnedFacts) -> Bool {
            let situation = Situation(
                now: Self.now, policy: Self.policy, zone: .utc, learned: facts)
            return PolicyVerdict(candidate, in: situation).isGuarded
        }
        // About an hour at the assumed rate, five at the learned one.
        #expect(!isGuarded(LearnedFacts()))
        #expect(isGuarded(Self.learned()))
    }

    /// 3.6 GB at 0.2 MB/s are five hours, at the 80 % quantile of 0.8 MB/s an hour and a quarter.
    @Test(
        arguments: [
            (400, .onTrack), (303, .guarded), (290, .atRisk), (85, .atRisk), (65, .late),
            (1, .late),
        ] as [(Int64, DeadlineStatus)])
    func lateIsWhatEvenAHighRateDoesNotSave(_ minutes: Int64, _ status: DeadlineStatus) {
        func report(_ facts: LearnedFacts) -> DeadlineReport {
            var candidate = AdmissionCandidate(
                isDiscretionary: true, session: "s", createdAt: Self.now, waitingSince: Self.now,
                runAt: Self.now, attempt: 0, origin: GateReading(), sessionGate: GateReading(),
                need: 3_600_000_000)
            candidate.originKey = 2
            candidate.deadline.complete = Self.now + .seconds(60 * minutes)
            candidate.asked = candidate.deadline
            let situation = Situation(
                now: Self.now, policy: Self.policy, zone: .utc, learned: facts)
            return DeadlineReport(
                candidate, PolicyVerdict(candidate, in: situation), in: situation)
        }
        let found = report(Self.learned())
        #expect(found.status == status)
        #expect((found.detail?.contains("even at the best rates") ?? false) == (status == .late))
        // Without a learned rate nothing says that the transfer cannot be faster.
        let unknown = report(LearnedFacts()).status
        #expect(unknown != .late && (unknown == .atRisk) == (minutes < 60))
    }
}
