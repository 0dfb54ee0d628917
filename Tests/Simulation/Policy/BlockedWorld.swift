// A world with one waiting download, while conditions are pushed and limits are reached, minute by
// minute.
import Base
import Downloads
import Scheduling
import Simulation

/// Compares the division of a wait among its blockers with the verdict asked at each minute.
struct BlockedWorld {
    /// Monday 2 March 2026, 00:00 UTC.
    private static let start = Timestamp(seconds: 1_772_409_600)
    private static let document: JSON = [
        "time_zone": "UTC",
        "windows": ["night": ["22:00-06:00"], "lunch": ["12:00-13:00"]],
        "conditions": [
            "go": ["type": "boolean"], "price": ["type": "number", "default": 1],
        ],
        "rules": [
            ["name": "n", "require": ["not window lunch"]],
            ["name": "g", "require": ["go = true"]],
            ["name": "s", "require": ["window night", "price < 5"], "soft": true],
        ],
        "bandwidth": "00:00,off 03:00,0 04:00,off",
    ]

    /// The limits in the order in which they count.
    private static let limits: [(subject: GateChange.Subject, code: BlockerCode)] = [
        (.app("a"), .appLimit), (.session(2), .sessionLimit), (.origin(3), .originLimit),
    ]

    private static func at(_ minutes: Int) -> Timestamp { start + .seconds(60 * minutes) }

    /// Conditions are pushed at random; the history learns of a push at once, or a minute later.
    static func check(seed: UInt64) throws -> PropertyCheck {
        var random = SeededRandom(seed: seed)
        let policy = try Policy.parse(document, defaults: PolicyLimits(perOrigin: 6)) { _ in true }
            .get()
        var book = ConditionBook(policy, at: start)
        var history = FactsHistory(policy, .utc, at: start)
        let since = Int.random(in: 0...600, using: &random)
        let date = since + Int.random(in: -60...400, using: &random)
        let end = since + Int.random(in: 1...5000, using: &random)
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: at(date), waitingSince: at(date),
            runAt: at(date), attempt: 0, origin: GateReading(), sessionGate: GateReading())
        (candidate.app, candidate.sessionKey, candidate.originKey) = ("a", 2, 3)
        var full: Set<Int> = []
        var suspensions: [Timestamp] = []
        var expected: [BlockerCode: Int64] = [:]
        for minute in 0..<end {
            let now = at(minute)
            push(&book, at: now, &random)
            history.note(book, at: now)
            for (place, limit) in limits.enumerated() where random.isOne(in: 300) {
                let isFull = full.insert(place).inserted
                if !isFull { full.remove(place) }
                history.note([GateChange(subject: limit.subject, isFull: isFull)], at: now)
            }
            if random.isOne(in: 300) { suspensions.append(now) }
            guard minute >= since else { continue }
            var code = BlockerCode.earliestBeginDate
            if minute >= date, suspensions.count % 2 == 1 {
                code = .sessionSuspended
            } else if minute >= date {
                let situation = Situation(now: now, policy: policy, zone: .utc, conditions: book)
                let blockers = Admission.policyBlockers(candidate, in: situation)
                let limit = full.min().map { limits[$0].code }
                code = blockers.isEmpty ? limit ?? .slots : BlockedTime.first(of: blockers)
            }
            expected[code, default: 0] += 60
        }
        let time = BlockedTime(
            of: candidate, from: at(since), to: at(end), in: history,
            suspensions: Suspensions(changes: suspensions, until: at(end)))
        var check = PropertyCheck()
        check.count(expected.count)
        check.expect(time.total == Int64(end - since) * 60_000, "the parts are not the wait")
        // The steps of the soft curve lie between two minutes.
        for code in Set(expected.keys).union(time.parts.keys) {
            let difference = expected[code, default: 0] - time.parts[code, default: 0] / 1000
            check.expect(difference.magnitude <= 180, "\(code): \(expected) \(time.parts)")
        }
        return check
    }

    private static func push(
        _ book: inout ConditionBook, at now: Timestamp, _ random: inout SeededRandom
    ) {
        if random.isOne(in: 200) {
            let push = ConditionPush(value: .flag(Bool.random(using: &random)), pushedAt: now)
            book.take(push, of: "go", at: now)
        }
        if random.isOne(in: 200) {
            let push = ConditionPush(
                value: .number(Double(Int.random(in: 0...9, using: &random))), pushedAt: now,
                ttl: .seconds(60 * Int.random(in: 1...300, using: &random)))
            book.take(push, of: "price", at: now)
        }
    }
}
