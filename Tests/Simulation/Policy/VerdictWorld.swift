// Random policies, downloads and instants for the verdict.
import Base
import Scheduling
import Simulation

/// A random policy of windows and pushed conditions, and a random download.
struct VerdictWorld {
    static let start = EngineWorld.start
    var rules: [JSON]
    var windows: JSONObject
    var pushes: [(String, ConditionPush)] = []
    var candidate: AdmissionCandidate
    var now: Timestamp

    init(_ random: inout SeededRandom) {
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
        candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: created, waitingSince: created,
            runAt: created, attempt: 0, origin: GateReading(), sessionGate: GateReading())
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
        return try Policy.parse(
            document, defaults: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
        ) { _ in true }.get()
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
