// A condition with announced values, asked often and only once.
import Base
import Scheduling
import Simulation

/// Checks that states taken in many steps equal the state taken at once.
enum ConditionWorld {
    private static let start = Timestamp(seconds: 1_800_000_000)

    private static func at(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

    static func check(seed: UInt64) throws -> PropertyCheck {
        var random = SeededRandom(seed: seed)
        let hold = [0, 7, 30][Int.random(in: 0..<3, using: &random)]
        let band = random.isOne(in: 2) ? " until > 0.8" : ""
        let document: JSON = [
            "conditions": ["price": ["type": "number", "default": 0.3]],
            "rules": [["name": "r", "require": [.string("price < 0.5 for \(hold)s" + band)]]],
        ]
        let policy = try Policy.parse(document, defaults: PolicyLimits(perOrigin: 6)) { _ in true }
            .get()
        let requirement = policy.rules[0].requirements[0]
        var book = ConditionBook(policy, at: start)
        book.take(push(&random), of: "price", at: start)
        var often = book
        var check = PropertyCheck()
        for second in Int64(1)...150 {
            let now = at(second)
            // Another change of the book advances nothing here; a new reading of another condition
            // does.
            often.take(measured: [(.loadPerCore, .number(1))], at: now)
            often.take(policy, at: now)
            let one = book.state(of: requirement, at: now)
            let two = often.state(of: requirement, at: now)
            check.count()
            let isSame = one.isMet == two.isMet && one.since == two.since
            check.expect(isSame && one.until == two.until, "second \(second): \(one), \(two)")
            guard let opening = book.opening(of: requirement, from: now), !one.isMet else {
                continue
            }
            let then = book.state(of: requirement, at: opening)
            let before = book.state(of: requirement, at: opening - .microseconds(1))
            check.expect(then.isMet, "second \(second): not open")
            check.expect(!before.isMet, "second \(second): open before")
        }
        return check
    }

    private static func push(_ random: inout SeededRandom) -> ConditionPush {
        let steps = (1...Int.random(in: 1...12, using: &random)).map { place in
            let value = Double(Int.random(in: 0...10, using: &random)) / 10
            let from = at(Int64(place * 10 + Int.random(in: 0...9, using: &random)))
            return ConditionPush.Step(from: from, value: .number(value))
        }
        return ConditionPush(
            value: .number(0.6), pushedAt: start, ttl: .seconds(600), schedule: steps)
    }
}
