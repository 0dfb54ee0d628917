// Properties of the verdict in one world.
import Base
import Downloads
import Scheduling
import Simulation

extension VerdictWorld {
    mutating func checkBlockers(_ check: inout PropertyCheck) throws {
        let policy = try policy()
        let verdict = verdict(policy, book(policy), at: now)
        for blocker in verdict.blockers {
            check.count()
            check.expect(blocker.since <= now, "since \(blocker.since)")
            check.expect(blocker.until.map { $0 > now } ?? true, "until \(now)")
            check.expect(blocker.isSoft || blocker.waivedAt == nil, "a hard rule is waived")
            check.expect(blocker.waivedAt.map { $0 > now } ?? true, "waived at \(now)")
        }
        check.expect(
            verdict.isOpen == !verdict.rules.contains { $0.outcome == .closed },
            "its rules say otherwise")
        // The whole list is never empty, and its part about rules is this verdict.
        let situation = Situation(
            now: now, policy: policy, zone: .utc, conditions: book(policy))
        check.expect(!Admission.blockers(candidate, in: situation).isEmpty, "no blocker")
        check.expect(
            Admission.policyBlockers(candidate, in: situation) == verdict.blockers,
            "other blockers")
    }

    /// Checks each quarter of an hour until the named instant.
    mutating func checkOpening(
        _ random: inout SeededRandom, _ check: inout PropertyCheck
    ) throws {
        let policy = try policy()
        let book = book(policy)
        let opening = verdict(policy, book, at: now).opening()
        if let opening {
            check.expect(verdict(policy, book, at: opening).isOpen, "closed at \(opening)")
        }
        let end = min(opening ?? now + .seconds(21 * 86_400), now + .seconds(86_400 * 21))
        var instant = now
        while instant < end, check.violation == nil {
            check.count()
            check.expect(!verdict(policy, book, at: instant).isOpen, "open at \(instant)")
            instant += .seconds(900 * Int64.random(in: 1...40, using: &random))
        }
        if let opening, opening > now {
            check.expect(
                !verdict(policy, book, at: opening - .microseconds(1)).isOpen,
                "open before \(opening)")
        }
    }

    mutating func checkOneRuleLess(
        _ random: inout SeededRandom, _ check: inout PropertyCheck
    ) throws {
        let full = try policy()
        let isOpen = verdict(full, book(full), at: now).isOpen
        let isHardOnly = !rules.contains { $0["soft"] == true }
        rules.remove(at: Int.random(in: 0..<rules.count, using: &random))
        let less = try policy()
        // Another soft rule moves the steps of the others; hard rules only add.
        guard isOpen, isHardOnly else { return }
        check.count()
        check.expect(verdict(less, book(less), at: now).isOpen, "closed with one rule less")
    }

    mutating func checkShuffled(
        _ random: inout SeededRandom, _ check: inout PropertyCheck
    ) throws {
        let one = try policy()
        let before = verdict(one, book(one), at: now)
        rules.shuffle(using: &random)
        let other = try policy()
        let after = verdict(other, book(other), at: now)
        check.count(rules.count - 1)
        check.expect(after.isOpen == before.isOpen, "open by the order of rules")
        check.expect(after.opening() == before.opening(), "another opening")
    }

    mutating func checkSoft(_ check: inout PropertyCheck) throws {
        func all(soft: Bool) -> [JSON] {
            rules.map { rule in
                var rule = rule.objectValue ?? JSONObject()
                rule["soft"] = .bool(soft)
                return .object(rule)
            }
        }
        rules = all(soft: false)
        let hard = try policy()
        let isOpen = verdict(hard, book(hard), at: now).isOpen
        rules = all(soft: true)
        let soft = try policy()
        let verdict = verdict(soft, book(soft), at: now)
        check.count()
        check.expect(verdict.isOpen || !isOpen, "soft is closed where hard is open")
        // A lane that is only softly closed opens at the end of its life, or at the latest begin.
        let end = max(verdict.latestBegin ?? verdict.curve.end, now)
        check.expect(
            self.verdict(soft, book(soft), at: end).isOpen, "still closed at \(end)")
    }

    /// Checks that a download that begins too late for its deadline was reported at risk when only
    /// its transfer time was left, and that one that begins in time is not late.
    mutating func checkDeadline(
        _ random: inout SeededRandom, _ check: inout PropertyCheck
    ) throws {
        guard let deadline = candidate.deadline.complete else { return }
        candidate.need = Int64.random(in: 0..<6 * 3600, using: &random) << 20
        candidate.deadline.begin = nil
        candidate.asked.complete = deadline
        let policy = try policy()
        let book = book(policy)
        let last = deadline - TransferNeed.time(bytes: candidate.need)
        var instant = now
        var isSaid = false
        while instant < deadline {
            let situation = Situation(now: instant, policy: policy, zone: .utc, conditions: book)
            let verdict = PolicyVerdict(candidate, in: situation)
            let report = DeadlineReport(candidate, verdict, in: situation)
            isSaid = isSaid || report.status == .atRisk
            check.expect(report.status != .none && report.status != .late, "\(report.status)")
            check.expect(
                !verdict.isGuarded || verdict.blockers.allSatisfy { !$0.isSoft },
                "something soft at the guard")
            if instant > last { check.expect(report.status == .atRisk, "not at risk") }
            if verdict.isOpen { break }
            // Not later than the instant at which only the transfer time is left.
            let next = instant + .seconds(3600)
            instant = instant <= last ? min(next, last + .microseconds(1)) : next
        }
        guard instant > last else { return }
        check.count()
        check.expect(isSaid, "missed without a sign")
    }

    mutating func checkWeekLater(_ check: inout PropertyCheck) throws {
        let policy = try policy()
        let week = Duration.seconds(7 * 86_400)
        let before = verdict(policy, book(policy), at: now)
        candidate.createdAt += week
        candidate.runAt += week
        candidate.waitingSince += week
        candidate.deadline.begin = candidate.deadline.begin.map { $0 + week }
        candidate.deadline.complete = candidate.deadline.complete.map { $0 + week }
        pushes = pushes.map { name, push in
            var push = push
            push.pushedAt += week
            return (name, push)
        }
        let later = verdict(policy, book(policy), at: now + week)
        check.count(before.blockers.count)
        check.expect(before.blockers.map(\.code) == later.blockers.map(\.code), "other blockers")
        check.expect(before.opening().map { $0 + week } == later.opening(), "another opening")
        check.expect(
            before.blockers.map { $0.until.map { $0 + week } } == later.blockers.map(\.until),
            "another until")
    }
}
