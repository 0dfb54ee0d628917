// Random lanes, rules and conditions, and the events that change them.
import Base
import Downloads
import Scheduling
import Simulation

/// An index, compared with the verdict itself.
struct IndexWorld {
    static let start = Timestamp(seconds: 1_795_392_000)
    private static let origins = [
        "https://a.example:443", "https://b.a.example:443", "http://c.example:80", nil,
    ]

    var random: SeededRandom
    var policy: Policy
    var book: ConditionBook
    var budgets = BudgetBook()
    var now = IndexWorld.start
    /// The latest instant so far: requirements do not go back behind it.
    var latest = IndexWorld.start
    var disk: DiskReading?
    var isDraining = false
    var heads: [Int64: LaneHead] = [:]
    /// The lanes that were taken and not given back.
    var out: Set<Int64> = []
    var index: LaneIndex

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        policy = try IndexWorld.policy(&random)
        book = ConditionBook(policy, at: now - .seconds(86_400))
        index = LaneIndex(
            Situation(now: now, policy: policy, zone: .utc, conditions: book))
        for _ in 0..<Int.random(in: 1...12, using: &random) { enter() }
    }

    var situation: Situation {
        Situation(
            now: now, policy: policy, zone: .utc, isDraining: isDraining, disk: disk,
            conditions: book, budgets: budgets)
    }

    private static func policy(_ random: inout SeededRandom) throws -> Policy {
        let texts = [
            "window a", "window b", "not window a", "p < 5", "p >= 5 for 10m",
            "p < 3 until > 6", "q = true", "load_per_core < 0.7 for 60s", "io_pressure < 0.5",
        ]
        let matches: [JSON] = [
            [:], ["is_discretionary": true], ["session": ["s1", "x*"]], ["app": "a1"],
            ["origin": "*.a.example"], ["origin": "c.example", "is_discretionary": true],
            ["priority": ["min": 0.5]], ["expected_bytes": ["min": "1GB"]],
        ]
        let rules = (0..<Int.random(in: 0...6, using: &random)).map { place in
            var rule: JSONObject = [
                "name": .string("r\(place)"),
                "require": .array(
                    (0..<Int.random(in: 1...2, using: &random)).map { _ in
                        .string(texts[Int.random(in: 0..<texts.count, using: &random)])
                    }),
                "match": matches[Int.random(in: 0..<matches.count, using: &random)],
            ]
            if random.isOne(in: 2) { rule["soft"] = true }
            return JSON.object(rule)
        }
        var document: JSONObject = [
            "windows": ["a": ["22:00-06:00"], "b": ["Mon-Fri 08:00-18:00", "Sat 00:00-24:00"]],
            "rules": .array(rules),
            "conditions": [
                "p": ["type": "number", "ttl": "2h"], "q": ["type": "boolean", "default": false],
            ],
        ]
        if random.isOne(in: 2) {
            document["budgets"] = [
                ["name": "d", "bytes": "1GB", "per": "day", "scope": "app"],
                [
                    "name": "o", "bytes": "1GB", "per": "hour", "scope": "origin", "pace": "even",
                    "match": ["session": "s1"],
                ],
            ]
        }
        if random.isOne(in: 4) { document["bandwidth"] = "08:00,0 20:00,off" }
        return try Policy.parse(
            .object(document), defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
        ) { _ in true }.get()
    }

    static func head(_ lane: Int64) -> LaneHead {
        LaneHead(
            lane: lane, runAt: Timestamp(seconds: 1_800_000_000), sessionKey: 1,
            session: "default", originKey: lane, schedulingClass: .normal, rank: 2,
            origin: GateReading(), sessionGate: GateReading())
    }

    private func isIn(_ lane: Int64) -> Bool { heads[lane] != nil }

    /// Reads a lane, for the first time or again.
    mutating func enter() {
        let lane = Int64.random(in: 1...40, using: &random)
        var head = heads[lane] ?? IndexWorld.head(lane)
        if heads[lane] == nil || random.isOne(in: 4) {
            head.session = "s\(Int.random(in: 1...2, using: &random))"
            head.sessionKey = head.session == "s1" ? 1 : 2
            head.app = head.sessionKey
            head.appName = "a\(head.app)"
            head.originKey = Int64.random(in: 0...3, using: &random)
            head.originName = IndexWorld.origins[Int(head.originKey)]
            head.schedulingClass = random.isOne(in: 2) ? .discretionary : .normal
            head.rank = Int.random(in: 0...3, using: &random)
            head.laneFlags =
                random.isOne(in: 2)
                ? .anyNetwork : LaneFlags(rawValue: Int16.random(in: 0...3, using: &random))
        }
        head.runAt = now - .seconds(900 * Int64.random(in: 0...200, using: &random))
        heads[lane] = head
        let isOut = random.isOne(in: 2)
        if index.enter(head, isOut: isOut), isOut { out.insert(lane) } else { out.remove(lane) }
    }

    /// Makes an event happen.
    mutating func step() {
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1: enter()
        case 2...4: now += .seconds(Int64.random(in: 0...20_000, using: &random))
        case 5:
            let number = Double(Int.random(in: 0..<10, using: &random))
            book.take(
                ConditionPush(value: .number(number), pushedAt: now, schedule: steps()), of: "p",
                at: now)
        case 6:
            book.take(
                random.isOne(in: 4)
                    ? nil : ConditionPush(value: .flag(random.isOne(in: 2)), pushedAt: now),
                of: "q", at: now)
        case 7:
            let value = Double(Int.random(in: 0..<14, using: &random)) / 10
            book.take(
                measured: [(.loadPerCore, .number(value)), (.ioPressure, nil)], at: now)
        case 8: now = now - .seconds(Int64.random(in: 0...7200, using: &random))
        case 9: takeSome()
        case 10: isDraining.toggle()
        case 11:
            book.take(
                ConditionPush(
                    value: .word(random.isOne(in: 2) ? "expensive" : "metered"), pushedAt: now),
                of: "network_cost", at: now)
            book.take(
                ConditionPush(value: .flag(random.isOne(in: 2)), pushedAt: now),
                of: "network_constrained", at: now)
        case 12, 13: count()
        default: forget()
        }
        if policy.hasBudgets { budgets.prepare(policy, zone: .utc, at: now) }
        latest = max(latest, now)
        index.advance(to: situation)
    }

    private mutating func steps() -> [ConditionPush.Step] {
        guard random.isOne(in: 2) else { return [] }
        return (1...3).map {
            ConditionPush.Step(
                from: now + .seconds(1800 * Int64($0)),
                value: .number(Double(Int.random(in: 0..<10, using: &random))))
        }
    }

    /// Reads a counter.
    private mutating func count() {
        guard let budget = policy.budgets.randomElement(using: &random) else { return }
        let value =
            budget.scope == .app
            ? "a\(Int.random(in: 1...2, using: &random))"
            : IndexWorld.origins.compactMap(\.self).randomElement(using: &random) ?? ""
        let reading = BudgetReading(
            period: budget.span(at: now, in: .utc),
            spent: 100_000_000 * Int64.random(in: 0...8, using: &random),
            reserved: 100_000_000 * Int64.random(in: 0...4, using: &random))
        budgets.take([(BudgetKey(budget: budget.name, value: value), reading)])
    }

    private mutating func takeSome() {
        for head in index.take(Int.random(in: 1...9, using: &random)).heads {
            out.insert(head.lane)
        }
        for lane in out where random.isOne(in: 3) {
            out.remove(lane)
            index.giveBack(lane)
        }
    }

    private mutating func forget() {
        guard let lane = heads.keys.sorted().randomElement(using: &random) else { return }
        heads[lane] = nil
        out.remove(lane)
        index.remove(lane)
    }

    /// The lanes that are open according to the verdict itself.
    var openByVerdict: Set<Int64> {
        let situation = situation
        return Set(
            heads.values.filter {
                Admission.policyBlockers($0.candidate, in: situation).isEmpty
            }.map(\.lane))
    }
}
