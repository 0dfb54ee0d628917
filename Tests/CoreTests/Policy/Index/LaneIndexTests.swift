// The index asks the verdict only where something changed.
import Base
import Testing

@testable import Scheduling

@Suite struct LaneIndexTests {
    private static let start = Policies.instant("2026-11-23T00:00:00Z")

    /// Hard rules, so that no lane has a time of its own.
    private func crowd(_ lanes: Int, rules: Int) throws -> (LaneIndex, ConditionBook, Policy) {
        let list = (0..<rules).map { place -> JSON in
            [
                "name": .string("r\(place)"),
                "match": ["session": .string("s\(place)")],
                "require": [.string(place == 0 ? "p < 5" : "q\(place % 20) < 5")],
            ]
        }
        var conditions: JSONObject = ["p": ["type": "number", "default": 9]]
        for place in 0..<20 { conditions["q\(place)"] = ["type": "number", "default": 9] }
        let policy = try Policy.parse(
            ["rules": .array(list), "conditions": .object(conditions)],
            defaults: Policies.limits
        ) { _ in true }.get()
        let book = ConditionBook(policy, at: Self.start)
        var index = LaneIndex(
            Situation(now: Self.start, policy: policy, zone: .utc, conditions: book))
        for lane in 0..<lanes {
            var head = ConductorTests.head(Int64(lane), at: Self.start)
            head.sessionKey = Int64(lane % 10)
            head.session = "s\(lane % 10)"
            index.enter(head, isOut: false)
        }
        return (index, book, policy)
    }

    private func work(_ body: () -> Void) -> Int {
        let counter = Counter()
        WorkMeter.$current.withValue({ counter.add($0) }, operation: body)
        return counter.value
    }

    /// A flip costs work for the signatures that have the requirement, and for no others.
    @Test(arguments: [(100, 10), (100, 1000), (20_000, 10), (20_000, 1000)])
    func aFlipCostsWhatChangedNotWhatIsThere(_ lanes: Int, _ rules: Int) throws {
        let (index, book, policy) = try crowd(lanes, rules: rules)
        #expect(index.count == lanes && index.signatureCount == 10)
        var quiet = index
        let later = Situation(
            now: Self.start + .seconds(60), policy: policy, zone: .utc, conditions: book,
            windows: [:])
        #expect(work { quiet.advance(to: later) } == 0)
        var pushed = book
        pushed.take(
            ConditionPush(value: .number(1), pushedAt: later.now), of: "p", at: later.now)
        let open = Situation(
            now: later.now, policy: policy, zone: .utc, conditions: pushed, windows: [:])
        var opened = index
        // The work is the atom and the one signature that has it.
        #expect(work { opened.advance(to: open) } == 2)
        // Of the lanes that a flip opens only as many are judged as are wanted.
        var taken: [LaneHead] = []
        let most = min(64, lanes / 10)
        #expect(work { taken = opened.take(most).heads } <= 2 * most + 20)
        #expect(taken.count == most)
        #expect(taken.allSatisfy { $0.session == "s0" })
        // After the flip back none of them is offered.
        pushed.take(
            ConditionPush(value: .number(8), pushedAt: open.now), of: "p", at: open.now)
        let closed = Situation(
            now: open.now, policy: policy, zone: .utc, conditions: pushed, windows: [:])
        #expect(work { opened.advance(to: closed) } == 2)
        for head in taken { opened.giveBack(head.lane) }
        #expect(opened.take(64).heads.isEmpty)
    }

    /// A change of one app's use of its budget costs work for that app's lanes, and only where the
    /// counter opens or closes them.
    @Test(arguments: [100, 20_000])
    func aBudgetThatChangesCostsTheLanesThatItCounts(_ lanes: Int) throws {
        let policy = try Policies.read(
            #"{"budgets": [{"name": "d", "bytes": "1GB", "per": "day", "scope": "app"}]}"#)
        let now = Self.start
        var budgets = BudgetBook()
        budgets.prepare(policy, zone: .utc, at: now, isNew: true)
        func situation() -> Situation {
            Situation(now: now, policy: policy, zone: .utc, budgets: budgets, windows: [:])
        }
        var index = LaneIndex(situation())
        for lane in 0..<lanes {
            var head = ConductorTests.head(Int64(lane), at: now)
            head.app = Int64(lane % (lanes / 10))
            head.appName = "a\(head.app)"
            index.enter(head, isOut: false)
        }
        let first = situation()
        #expect(work { index.advance(to: first) } == 0)
        func use(_ bytes: Int64) -> Situation {
            let period = policy.budgets[0].span(at: now, in: .utc)
            let reading = BudgetReading(period: period, spent: bytes, reserved: 0)
            budgets.take([(BudgetKey(budget: "d", value: "a3"), reading)])
            return situation()
        }
        let own = (0..<Int64(lanes)).filter { $0 % Int64(lanes / 10) == 3 }
        // A reading that leaves part of the budget costs one look at the counter.
        for bytes: Int64 in [1, 500_000_000, 999_999_999] {
            let next = use(bytes)
            #expect(work { index.advance(to: next) } == 1)
        }
        // The budget is spent, and raised again by bytes that were given back: its ten lanes are
        // judged each time.
        for (bytes, isOpen) in [(Int64(1_000_000_000), false), (900_000_000, true)] {
            let next = use(bytes)
            #expect(work { index.advance(to: next) } == 1 + 10 + 10)
            let open = own.filter { index.isOpen($0) }
            #expect(open == (isOpen ? own : []))
            let isOtherOpen = index.isOpen(4)
            #expect(isOtherOpen)
        }
        // An equal reading is no change.
        let same = use(900_000_000)
        #expect(work { index.advance(to: same) } == 0)
    }

    /// A lane's rules are found once for its kind, not at each decision.
    @Test func lanesOfOneKindAreMatchedOnce() throws {
        let counter = Counter()
        _ = try WorkMeter.$current.withValue({ counter.add($0) }) {
            try crowd(5000, rules: 1000)
        }
        // Ten kinds, a thousand rules, a step and two bytes each; reading the document costs by its
        // length.
        let reading = Counter()
        _ = try WorkMeter.$current.withValue({ reading.add($0) }) { try crowd(0, rules: 1000) }
        #expect(counter.value - reading.value <= 10 * 1000 * 3 + 1000)
    }
}
