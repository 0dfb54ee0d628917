// Measured conditions over several replicas: the reading of each, and when a download waits for
// them.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct ReplicaReadingsTests {
    private static let start = Policies.instant("2026-11-23T10:00:00Z")

    private static func policy() throws -> Policy {
        try Policies.read(
            """
            {"rules": [{"name": "quiet", "require": ["load_per_core < 0.7"]},
                       {"name": "calm", "require": ["io_pressure < 0.5"]}]}
            """)
    }

    private static func book(
        _ policy: Policy, load: Double, at second: Int64 = 0, pressure: Double? = nil
    ) -> ConditionBook {
        var book = ConditionBook(policy, at: start - .seconds(60))
        book.take(measured: [(.loadPerCore, .number(0))], at: start - .seconds(1))
        book.take(
            measured: [
                (.loadPerCore, .number(load)), (.ioPressure, pressure.map { .number($0) }),
            ], at: start + .seconds(second))
        return book
    }

    private static func blockers(
        _ policy: Policy, _ own: ConditionBook, _ others: [ConditionBook]
    ) -> [Blocker] {
        let now = start + .seconds(60)
        var situation = Situation(now: now, policy: policy, zone: .utc, conditions: own)
        situation.others = others.map { ReplicaReadings($0, at: now) }
        return Admission.policyBlockers(Policies.candidate(at: start), in: situation)
    }

    /// The readings of up to three replicas; a download has a blocker only if all are closed.
    @Test(arguments: [
        ([1.3], 1), ([0.2], 0), ([1.3, 0.2], 0), ([0.2, 1.3], 0), ([1.3, 0.9], 1),
        ([1.3, 0.9, 0.8], 1), ([1.3, 0.9, 0.1], 0), ([0.1, 0.9, 0.9], 0),
    ])
    func aDownloadWaitsWhereNoReplicaMayBeginIt(_ loads: [Double], _ count: Int) throws {
        let policy = try Self.policy()
        let books = loads.enumerated().map { Self.book(policy, load: $1, at: Int64($0)) }
        let found = Self.blockers(policy, books[0], Array(books.dropFirst()))
        #expect(found.count == count)
        guard let blocker = found.first else { return }
        #expect(blocker.code == .condition && blocker.rule == "quiet" && blocker.until == nil)
        let all = "on none of the \(loads.count) replicas"
        #expect(blocker.detail.contains(all) == (loads.count > 1), "\(blocker.detail)")
        // The last replica to close decides since when the rule holds.
        #expect(blocker.since == Self.start + .seconds(Int64(loads.count - 1)))
    }

    /// For the decision of one replica the others do not count.
    @Test func eachReplicaDecidesByItsOwnReadings() throws {
        let policy = try Self.policy()
        let busy = Self.book(policy, load: 1.3)
        let situation = Situation(
            now: Self.start, policy: policy, zone: .utc, conditions: busy)
        #expect(situation.others.isEmpty)
        #expect(
            !Admission.policyBlockers(Policies.candidate(at: Self.start), in: situation).isEmpty)
    }

    @Test func readingsSurviveTheirStoredForm() throws {
        let policy = try Self.policy()
        for book in [
            Self.book(policy, load: 0.41), Self.book(policy, load: 1.3, pressure: 0.6),
            ConditionBook(policy, at: Self.start),
        ] {
            let now = Self.start + .milliseconds(1500)
            let readings = ReplicaReadings(book, number: 3, node: "n", at: now)
            let json = try JSON.parse(readings.json.text)
            #expect(
                ReplicaReadings(json, number: 3, node: "n", measuredAt: now) == readings)
        }
        // A text that is not a reading, or is from another version, is left out.
        for text in ["{}", "[]", #"{"values": [{"name": 3}, 4], "requirements": [{}]}"#] {
            let read = ReplicaReadings(
                try JSON.parse(text), number: 1, node: "n", measuredAt: Self.start)
            #expect(read.values.isEmpty && read.standings.isEmpty)
        }
    }

    /// Pressure without /proc/pressure is unknown: its default counts.
    @Test func whatCannotBeReadIsUnknown() throws {
        let policy = try Self.policy()
        let readings = ReplicaReadings(Self.book(policy, load: 0.2), at: Self.start)
        #expect(readings.value(of: "io_pressure") != nil)
        #expect(readings.value(of: "io_pressure")?.value == nil)
        #expect(readings.value(of: "load_per_core")?.value == .number(0.2))
        #expect(readings.standings["io_pressure < 0.5"]?.isMet == true)
    }

    /// Four changes in ten minutes double the time, and the explanation names both.
    @Test func aFlappingConditionSaysSo() throws {
        let policy = try Policies.read(
            #"{"rules": [{"name": "quiet", "require": ["load_per_core < 0.7"]}]}"#)
        var book = ConditionBook(policy, at: Self.start)
        var now = Self.start
        for step in 0..<7 {
            now = Self.start + .seconds(Int64(step) * 20)
            let load = step % 2 == 0 ? 0.2 : 1.3
            book.take(measured: [(.loadPerCore, .number(load))], at: now)
        }
        let situation = Situation(now: now, policy: policy, zone: .utc, conditions: book)
        let blockers = Admission.policyBlockers(Policies.candidate(at: now), in: situation)
        #expect(blockers.first?.detail.contains("for 30s, because it changed often") == true)
        #expect(blockers.first?.until == now + .seconds(30))
    }
}
