// Properties of the verdict over random policies, downloads and instants.
import Testing

@testable import Core

/// A random policy of windows and pushed conditions, and a random download.
private struct VerdictWorld {
    static let start = Policies.instant("2026-11-23T00:00:00Z")
    var rules: [JSON]
    var windows: JSONObject
    var pushes: [(String, ConditionPush)] = []
    var candidate: AdmissionCandidate
    var now: Timestamp

    init(_ random: inout SeededRandom, measures: Bool = false) {
        var windows = JSONObject()
        for name in ["a", "b", "c"] {
            let day = ["", "Mon-Fri ", "Sat,Sun ", "Wed "][Int.random(in: 0..<4, using: &random)]
            let start = Int.random(in: 0..<24, using: &random)
            let end = (start + Int.random(in: 1...20, using: &random)) % 24
            let hours = [start, end].map { ($0 < 10 ? "0" : "") + "\($0):00" }
            windows[name] = .array([.string(day + hours.joined(separator: "-"))])
        }
        self.windows = windows
        let texts = [
            "window a", "window b", "window c", "not window a", "not window c", "p < 5",
            "p >= 5 for 1h", "q = true",
        ]
        rules = (0..<Int.random(in: 1...4, using: &random)).map { place in
            let count = Int.random(in: 1...2, using: &random)
            let require = (0..<count).map { _ in
                JSON.string(texts[Int.random(in: 0..<texts.count, using: &random)])
            }
            var rule: JSONObject = ["name": .string("r\(place)"), "require": .array(require)]
            if random.isOne(in: 2) { rule["soft"] = true }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: rule["match"] = ["is_discretionary": true]
            case 1: rule["match"] = ["session": ["s", "x*"]]
            default: break
            }
            return .object(rule)
        }
        now = Self.start + .seconds(900 * Int64.random(in: 0..<1344, using: &random))
        let created = now - .seconds(900 * Int64.random(in: 0..<100, using: &random))
        candidate = Policies.candidate(at: created)
        candidate.isDiscretionary = !random.isOne(in: 3)
        candidate.session = ["s", "t", "xy"][Int.random(in: 0..<3, using: &random)]
        candidate.rank = Int.random(in: 0...3, using: &random)
        if random.isOne(in: 2) {
            candidate.deadline.complete =
                now + .seconds(900 * Int64.random(in: 1..<300, using: &random))
        }
        if random.isOne(in: 4) { candidate.deadline.begin = now + .seconds(86_400) }
        for name in ["p", "q"] where random.isOne(in: 2) {
            let value = Int.random(in: 0..<10, using: &random)
            pushes.append(
                (
                    name,
                    ConditionPush(
                        value: name == "p" ? .number(Double(value)) : .flag(value > 4),
                        pushedAt: created)
                ))
        }
    }

    func policy() throws -> Policy {
        let document: JSON = [
            "windows": .object(windows), "rules": .array(rules),
            "conditions": [
                "p": ["type": "number"], "q": ["type": "boolean", "default": false],
            ],
        ]
        return try Policy.parse(document, defaults: Policies.limits) { _ in true }.get()
    }

    func book(_ policy: Policy) -> ConditionBook {
        var book = ConditionBook(policy, at: Self.start - .seconds(86_400 * 30))
        for (name, push) in pushes { book.take(push, of: name, at: push.pushedAt) }
        return book
    }

    func verdict(_ policy: Policy, _ book: ConditionBook, at now: Timestamp) -> PolicyVerdict {
        PolicyVerdict(
            candidate, in: Situation(now: now, policy: policy, zone: .utc, conditions: book))
    }
}

@Suite struct VerdictWorldTests {
    /// More with LULL_WORLDS in longer runs is not needed: each world is small and seeded.
    private static let worlds = 1000

    private func each(
        _ seed: UInt64, worlds: Int = worlds,
        _ body: (inout VerdictWorld, inout SeededRandom) throws -> Void
    ) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<worlds {
            var world = VerdictWorld(&random)
            try body(&world, &random)
        }
    }

    @Test func blockersBeginBeforeNowAndEndAfterIt() throws {
        try each(31) { world, _ in
            let policy = try world.policy()
            let verdict = world.verdict(policy, world.book(policy), at: world.now)
            for blocker in verdict.blockers {
                #expect(blocker.since <= world.now)
                #expect(blocker.until.map { $0 > world.now } ?? true)
                #expect(blocker.isSoft || blocker.waivedAt == nil)
                #expect(blocker.waivedAt.map { $0 > world.now } ?? true)
            }
            #expect(verdict.isOpen == !verdict.rules.contains { $0.outcome == .closed })
            // The whole list is never empty, and the rules' part of it is this verdict.
            let situation = Situation(
                now: world.now, policy: policy, zone: .utc, conditions: world.book(policy))
            #expect(!Admission.blockers(world.candidate, in: situation).isEmpty)
            #expect(
                Admission.policyBlockers(world.candidate, in: situation) == verdict.blockers)
        }
    }

    /// Walks through the quarters of an hour until the instant that was named.
    @Test func untilIsTheFirstInstantThatIsOpen() throws {
        try each(32) { world, random in
            let policy = try world.policy()
            let book = world.book(policy)
            let opening = world.verdict(policy, book, at: world.now).opening()
            if let opening {
                #expect(world.verdict(policy, book, at: opening).isOpen)
            }
            let end = min(
                opening ?? world.now + .seconds(21 * 86_400), world.now + .seconds(86_400 * 21))
            var instant = world.now
            while instant < end {
                #expect(!world.verdict(policy, book, at: instant).isOpen)
                instant += .seconds(900 * Int64.random(in: 1...40, using: &random))
            }
            if let opening, opening > world.now {
                #expect(!world.verdict(policy, book, at: opening - .microseconds(1)).isOpen)
            }
        }
    }

    @Test func oneMoreRuleNeverOpens() throws {
        try each(33) { world, random in
            let full = try world.policy()
            let isOpen = world.verdict(full, world.book(full), at: world.now).isOpen
            let isHardOnly = !world.rules.contains { $0["soft"] == true }
            world.rules.remove(at: Int.random(in: 0..<world.rules.count, using: &random))
            let less = try world.policy()
            // Another soft rule moves the others' points; hard ones only add.
            if isOpen, isHardOnly {
                #expect(world.verdict(less, world.book(less), at: world.now).isOpen)
            }
        }
    }

    @Test func theOrderOfRulesMeansNothing() throws {
        try each(34) { world, random in
            let one = try world.policy()
            let opening = world.verdict(one, world.book(one), at: world.now).opening()
            let isOpen = world.verdict(one, world.book(one), at: world.now).isOpen
            world.rules.shuffle(using: &random)
            let other = try world.policy()
            #expect(world.verdict(other, world.book(other), at: world.now).isOpen == isOpen)
            #expect(world.verdict(other, world.book(other), at: world.now).opening() == opening)
        }
    }

    @Test func softIsOpenWhereHardIs() throws {
        try each(35) { world, _ in
            world.rules = world.rules.map { rule in
                var rule = rule.objectValue ?? JSONObject()
                rule["soft"] = false
                return .object(rule)
            }
            let hard = try world.policy()
            let isOpen = world.verdict(hard, world.book(hard), at: world.now).isOpen
            world.rules = world.rules.map { rule in
                var rule = rule.objectValue ?? JSONObject()
                rule["soft"] = true
                return .object(rule)
            }
            let soft = try world.policy()
            let verdict = world.verdict(soft, world.book(soft), at: world.now)
            #expect(verdict.isOpen || !isOpen)
            // What is only soft opens at the end of the life, or at the latest begin.
            let end = verdict.latestBegin ?? verdict.curve.end
            #expect(world.verdict(soft, world.book(soft), at: max(end, world.now)).isOpen)
        }
    }

    /// What begins too late for its deadline was said to be at risk when only its own time was
    /// left, and nothing that begins in time is late.
    @Test func noDeadlineIsMissedWithoutASign() throws {
        var missed = 0
        // Each is walked through, so they are fewer.
        try each(37, worlds: 100) { world, random in
            guard let deadline = world.candidate.deadline.complete else { return }
            world.candidate.need = Int64.random(in: 0..<6 * 3600, using: &random) << 20
            world.candidate.deadline.begin = nil
            world.candidate.asked.complete = deadline
            let policy = try world.policy()
            let book = world.book(policy)
            let last = deadline - TransferNeed.time(bytes: world.candidate.need)
            var instant = world.now
            var isSaid = false
            while instant < deadline {
                let situation = Situation(
                    now: instant, policy: policy, zone: .utc, conditions: book)
                let verdict = PolicyVerdict(world.candidate, in: situation)
                let report = DeadlineReport(world.candidate, verdict, in: situation)
                isSaid = isSaid || report.status == .atRisk
                #expect(report.status != .none && report.status != .late)
                // At the guard nothing soft is left.
                #expect(!verdict.isGuarded || verdict.blockers.allSatisfy { !$0.isSoft })
                if instant > last { #expect(report.status == .atRisk) }
                if verdict.isOpen { break }
                // Not past the instant at which only its own time is left.
                let next = instant + .seconds(3600)
                instant = instant <= last ? min(next, last + .microseconds(1)) : next
            }
            if instant > last {
                missed += 1
                #expect(isSaid)
            }
        }
        #expect(missed > 5)
    }

    @Test func aWeekLaterEverythingIsAWeekLater() throws {
        try each(36) { world, _ in
            let policy = try world.policy()
            let week = Duration.seconds(7 * 86_400)
            let before = world.verdict(policy, world.book(policy), at: world.now)
            world.candidate.createdAt += week
            world.candidate.runAt += week
            world.candidate.waitingSince += week
            world.candidate.deadline.begin = world.candidate.deadline.begin.map { $0 + week }
            world.candidate.deadline.complete = world.candidate.deadline.complete.map { $0 + week }
            world.pushes = world.pushes.map { name, push in
                var push = push
                push.pushedAt += week
                return (name, push)
            }
            let later = world.verdict(policy, world.book(policy), at: world.now + week)
            #expect(before.blockers.map(\.code) == later.blockers.map(\.code))
            #expect(before.opening().map { $0 + week } == later.opening())
            #expect(
                before.blockers.map { $0.until.map { $0 + week } } == later.blockers.map(\.until))
        }
    }
}
