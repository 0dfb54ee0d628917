// The ten example policies of docs/policies.md, each judged in a world of its own.
import Base
import Foundation
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct ExamplePolicyTests {
    /// Monday by day, and at night, in Berlin.
    private static let day = Policies.instant("2026-11-23T10:00:00Z")
    private static let night = Policies.instant("2026-11-23T22:30:00Z")
    private static let dusk = Policies.instant("2026-11-23T21:00:00Z")
    private static let saturday = Policies.instant("2026-11-28T10:00:00Z")

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/policies")

    /// A policy of the folder, the findings about it, and a world to judge in.
    private struct World {
        let policy: Policy
        let remarks: [PolicyFinding]
        let zone: TimeZoneRules
        var book: ConditionBook

        init(_ name: String) throws {
            let text = try String(
                contentsOf: folder.appendingPathComponent(name + ".json"), encoding: .utf8)
            let reading = Policy.read(try JSON.parse(text), defaults: Policies.limits) {
                $0 == "Europe/Berlin"
            }
            policy = try #require(reading.policy, "\(reading.findings)")
            remarks = reading.remarks
            zone = policy.timeZone == "UTC" ? .utc : try CoreTests.zone(policy.timeZone)
            book = ConditionBook(policy, at: day - .seconds(3600))
        }

        mutating func push(_ value: ConditionValue, _ name: String) {
            book.take(ConditionPush(value: value, pushedAt: day), of: name, at: day)
        }

        func situation(_ now: Timestamp) -> Situation {
            Situation(now: now, policy: policy, zone: zone, conditions: book)
        }

        /// The reasons that hold back a download created at an instant.
        func blockers(
            at now: Timestamp, created: Timestamp? = nil,
            _ change: (inout AdmissionCandidate) -> Void = { _ in }
        ) -> [Blocker] {
            Admission.policyBlockers(
                Policies.candidate(at: created ?? now, change), in: situation(now))
        }
    }

    @Test func everyFileIsInTheTable() throws {
        let page = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/policies.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.count == 10)
        for file in files {
            #expect(text.contains("(../examples/policies/\(file))"))
            // The findings about the document are the ones that the page calls not obeyed.
            let world = try World(String(file.dropLast(5)))
            let line = text.split(separator: "\n").first { $0.contains("[\(file)]") } ?? ""
            let isPartly = line.contains("not yet obeyed") || line.contains("no effect yet")
            #expect(isPartly == world.remarks.contains { $0.level == .noEffect }, "\(file)")
            #expect(!world.remarks.contains { $0.level == .warning })
        }
    }

    @Test func nightsOnly() throws {
        let world = try World("nights-only")
        let held = world.blockers(at: Self.day)
        #expect(held.map(\.until) == [Self.dusk] && held[0].isSoft)
        #expect(world.blockers(at: Self.night).isEmpty)
        #expect(world.blockers(at: Self.saturday).isEmpty)
        #expect(world.blockers(at: Self.day) { $0.isDiscretionary = false }.isEmpty)
        // The download is held through its whole first night, then not any more.
        let late = Self.day + .seconds(3 * 86_400)
        #expect(world.blockers(at: late, created: Self.day).isEmpty)
    }

    @Test func quietMachine() throws {
        var world = try World("quiet-machine")
        world.book.take(
            measured: [(.loadPerCore, .number(0.3)), (.ioPressure, .number(0.05))], at: Self.day)
        let wait = world.blockers(at: Self.day + .seconds(30))
        #expect(wait.map(\.code) == [.condition] && wait[0].until == Self.day + .seconds(60))
        #expect(world.blockers(at: Self.day + .seconds(60)).isEmpty)
        world.book.take(measured: [(.loadPerCore, .number(0.85))], at: Self.day + .seconds(70))
        #expect(world.blockers(at: Self.day + .seconds(70)).isEmpty)
        world.book.take(measured: [(.loadPerCore, .number(0.95))], at: Self.day + .seconds(75))
        let busy = Self.day + .seconds(75)
        let run = Policies.candidate(at: Self.day)
        #expect(PolicyVerdict(run, in: world.situation(busy)).stoppingRule == "quiet")
    }

    @Test func cheapPower() throws {
        var world = try World("cheap-power")
        #expect(world.blockers(at: Self.day).map(\.code) == [.condition])
        world.push(.number(0.2), "power_price")
        #expect(world.blockers(at: Self.day).isEmpty)
        let cheap = Self.day + .seconds(5 * 3600)
        world.book.take(
            ConditionPush(
                value: .number(0.4), pushedAt: Self.day,
                schedule: [.init(from: cheap, value: .number(0.1))]),
            of: "power_price", at: Self.day)
        #expect(world.blockers(at: Self.day).map(\.code) == [.condition, .preferredTime])
        #expect(world.blockers(at: Self.day).map(\.until) == [cheap, cheap])
        #expect(world.blockers(at: cheap).isEmpty)
    }

    @Test func meteredLink() throws {
        var world = try World("metered-link")
        #expect(world.blockers(at: Self.day).isEmpty)
        world.push(.word("metered"), "network_cost")
        #expect(world.blockers(at: Self.day).map(\.code) == [.condition])
        #expect(world.blockers(at: Self.day) { $0.isDiscretionary = false }.isEmpty)
        let run = Policies.candidate(at: Self.day)
        #expect(PolicyVerdict(run, in: world.situation(Self.day)).stoppingRule == "metered")
    }

    @Test func politeMirror() throws {
        let world = try World("polite-mirror")
        let mirror = "https://de.mirror.example:443"
        #expect(world.policy.limits.origin(mirror) == 2)
        #expect(world.policy.limits.origin("https://other.example:443") == 6)
        let rate = world.policy.bandwidth.origin(mirror)?.state(at: Self.night, in: world.zone).rate
        #expect(rate == ByteRate(10_000_000))
        let held = world.blockers(at: Self.day) { $0.originName = mirror }
        #expect(held.map(\.until) == [Self.dusk] && !held[0].isSoft)
        #expect(world.blockers(at: Self.night) { $0.originName = mirror }.isEmpty)
        #expect(
            world.blockers(at: Self.day) { $0.originName = "https://other.example:443" }.isEmpty)
        let small = world.blockers(at: Self.day) {
            $0.originName = mirror
            $0.members = CandidateMembers(expectedBytes: 5_000_000, metadata: [:])
        }
        #expect(small.isEmpty)
        let full = Policies.candidate(at: Self.night) {
            $0.originName = mirror
            $0.origin.running = 2
        }
        #expect(
            Admission.blockers(full, in: world.situation(Self.night)).map(\.code) == [.originLimit])
    }

    @Test func deadline() throws {
        let world = try World("deadline")
        let complete = Self.day + .seconds(2 * 3600)
        func verdict(_ minutes: Int64) -> PolicyVerdict {
            let candidate = Policies.candidate(at: Self.day) {
                $0.deadline.complete = complete
                $0.need = 1798 << 20
            }
            return PolicyVerdict(
                candidate, in: world.situation(Self.day + .seconds(minutes * 60)))
        }
        // Half an hour of transfer and half an hour of margin before the deadline.
        #expect(verdict(0).latestBegin == Self.day + .seconds(3600))
        #expect(!verdict(0).isOpen && verdict(60).isGuarded && verdict(60).isOpen)
        // No night comes in time, so the download does not wait until the last minute.
        #expect(!verdict(47).isOpen && verdict(48).isOpen)
    }

    @Test func weekends() throws {
        let world = try World("weekends")
        let held = world.blockers(at: Self.day) { $0.session = "iso" }
        #expect(held.map(\.until) == [Policies.instant("2026-11-27T23:00:00Z")])
        #expect(world.blockers(at: Self.saturday) { $0.session = "iso" }.isEmpty)
        #expect(world.blockers(at: Self.day) { $0.session = "isolated" }.isEmpty)
        let explained = Explanation(
            Policies.candidate(at: Self.day) {
                $0.session = "iso"
                $0.runAt = Policies.instant("2026-11-25T00:00:00Z")
            }, in: world.situation(Self.day))
        #expect(explained.until == Policies.instant("2026-11-27T23:00:00Z"))
    }

    @Test func maintenance() throws {
        var world = try World("maintenance")
        #expect(world.blockers(at: Self.day).isEmpty)
        world.push(.flag(true), "hold")
        #expect(world.blockers(at: Self.day) { $0.isDiscretionary = false }.count == 1)
        let run = Policies.candidate(at: Self.day)
        #expect(PolicyVerdict(run, in: world.situation(Self.day)).stoppingRule == "hold")
    }

    @Test func monthlyBudget() throws {
        let world = try World("monthly-budget")
        let budget = try #require(world.policy.budgets.first)
        #expect(budget.isHard && budget.isPaced)
        // Of November's 30 days 22 are over: the pace allows 0.1 of the budget and 22/30 of the
        // other 0.9.
        let period = budget.span(at: Self.day, in: world.zone)
        func held(_ used: Int64, _ needs: Int64) -> [Blocker] {
            var book = BudgetBook()
            let reading = BudgetReading(period: period, spent: used, reserved: 0)
            book.take([(key: BudgetKey(budget: "month"), reading: reading)])
            let candidate = Policies.candidate(at: Self.day) {
                ($0.need, $0.priority) = (needs, 0.5)
            }
            return Admission.policyBlockers(
                candidate,
                in: Situation(
                    now: Self.day, policy: world.policy, zone: world.zone, budgets: book))
        }
        let days = (Self.day - period.lowerBound) / (period.upperBound - period.lowerBound)
        let free = Int64(500_000_000_000 * (0.1 + 0.9 * days))
        #expect(held(0, 100_000_000_000).isEmpty && held(free - 10, 9).isEmpty)
        let paced = held(free - 10, 1_000_000_000)
        #expect(paced.map(\.code) == [.budget] && paced[0].rule == "month")
        let until = try #require(paced[0].until)
        #expect(until > Self.day && until < period.upperBound)
        #expect(held(500_000_000_000, 1).map(\.until) != [nil])
    }

    @Test func noisyTenant() throws {
        let policy = try World("noisy-tenant").policy
        #expect(policy.limits.app("crawler") == 4 && policy.limits.app("media") == 64)
        #expect(policy.shares.apps.value(of: "crawler") == 0.25)
        #expect(policy.bandwidth.app("crawler") != nil && policy.bandwidth.app("media") == nil)
        let situation = Situation(now: Self.day, policy: policy, zone: .utc)
        for (app, count) in [("crawler", 1), ("media", 0)] {
            let candidate = Policies.candidate(at: Self.day) { $0.app = app }
            #expect(Admission.budgetDemands(candidate, in: situation).count == count)
        }
        #expect(
            policy.budgets.first?.match.judge(Policies.candidate { $0.app = "media" }).truth
                == .unmet)
    }
}
