// Conditions: values over time, defaults, hysteresis, schedules, damping.
import Base
import Testing

@testable import Scheduling

@Suite struct ConditionAtomTests {
    private static let start = Policies.instant("2026-11-23T09:00:00Z")

    private static func policy(_ requirement: String, _ members: String = "") throws -> Policy {
        try Policies.read(
            """
            {"conditions": {"price": {"type": "number", "default": 0.3, "ttl": "2h"},
                            "bare": {"type": "number"},
                            "mode": {"type": "word", "words": ["a", "b"]}},
             "rules": [{"name": "r", "require": ["\(requirement)"]}]}
            """)
    }

    private static func at(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

    /// The load at an instant, and whether the requirement is met at that instant.
    @Test(
        arguments: [
            ("load_per_core < 0.7", [(0, 0.5, true), (5, 0.7, false), (10, 0.69, true)]),
            (
                "load_per_core < 0.7 for 10s",
                [
                    (0, 0.5, false), (5, 0.5, false), (10, 0.5, true), (15, 0.8, false),
                    (20, 0.5, false),
                    (29, 0.5, false), (30, 0.5, true),
                ]
            ),
            (
                "load_per_core < 0.7 for 10s until > 0.9",
                [
                    (0, 0.5, false), (10, 0.5, true), (15, 0.8, true), (20, 0.9, true),
                    (25, 0.91, false),
                    (30, 0.8, false), (35, 0.6, false), (45, 0.6, true),
                ]
            ),
            // A break starts the time from zero.
            (
                "load_per_core < 0.7 for 10s",
                [
                    (0, 0.5, false), (9, 0.8, false), (10, 0.5, false), (19, 0.5, false),
                    (20, 0.5, true),
                ]
            ),
        ] as [(String, [(Int64, Double, Bool)])])
    func hysteresis(_ text: String, _ readings: [(Int64, Double, Bool)]) throws {
        let policy = try Self.policy(text)
        var book = ConditionBook(policy, at: Self.start)
        let requirement = policy.rules[0].requirements[0]
        for (second, load, isMet) in readings {
            book.take(measured: [(.loadPerCore, .number(load))], at: Self.at(second))
            let state = book.state(of: requirement, at: Self.at(second))
            #expect(state.isMet == isMet, "at \(second) s")
            #expect(state.isMeasured && state.value == .number(load))
        }
    }

    @Test func theOpeningOfARunningTimeIsKnown() throws {
        let policy = try Self.policy("load_per_core < 0.7 for 60s")
        var book = ConditionBook(policy, at: Self.start)
        book.take(measured: [(.loadPerCore, .number(0.5))], at: Self.at(0))
        let requirement = policy.rules[0].requirements[0]
        #expect(book.state(of: requirement, at: Self.at(10)).until == Self.at(60))
        #expect(book.state(of: requirement, at: Self.at(60)).isMet)
        #expect(book.state(of: requirement, at: Self.at(60)).since == Self.at(60))
        #expect(book.nextChange(after: Self.at(10)) == Self.at(60))
    }

    @Test func unknownTakesTheDefaultOrIsNotMet() throws {
        let priced = try Self.policy("price < 0.5")
        var book = ConditionBook(priced, at: Self.start)
        let price = priced.rules[0].requirements[0]
        let standard = book.state(of: price, at: Self.at(0))
        #expect(standard.isMet && standard.isDefault && standard.value == .number(0.3))
        // After a value has outlived its time the default counts.
        book.take(
            ConditionPush(value: .number(0.9), pushedAt: Self.at(10)), of: "price", at: Self.at(10))
        #expect(book.state(of: price, at: Self.at(10)).truth == .unmet)
        #expect(book.state(of: price, at: Self.at(10)).until == Self.at(7210))
        #expect(book.state(of: price, at: Self.at(7209)).truth == .unmet)
        #expect(book.state(of: price, at: Self.at(7210)).isMet)
        let bare = try Self.policy("bare < 0.5")
        let empty = ConditionBook(bare, at: Self.start)
        #expect(empty.state(of: bare.rules[0].requirements[0], at: Self.at(0)).truth == .unknown)
        let negative = try Self.policy("bare != 1")
        let none = ConditionBook(negative, at: Self.start)
        #expect(none.state(of: negative.rules[0].requirements[0], at: Self.at(0)).truth == .unknown)
        let mode = try Self.policy("mode in {a}")
        var modes = ConditionBook(mode, at: Self.start)
        // A value of another kind is not taken.
        let number = ConditionPush(value: .number(1), pushedAt: Self.start)
        let word = ConditionPush(value: .word("a"), pushedAt: Self.start)
        let isTaken = [number, word].map { modes.take($0, of: "mode", at: Self.start) }
        #expect(isTaken == [false, true])
        #expect(modes.state(of: mode.rules[0].requirements[0], at: Self.start).isMet)
    }

    @Test func schedulesAreKnownOpenings() throws {
        let policy = try Self.policy("price < 0.1 for 5m")
        var book = ConditionBook(policy, at: Self.start)
        let requirement = policy.rules[0].requirements[0]
        book.take(
            ConditionPush(
                value: .number(0.4), pushedAt: Self.start, ttl: .seconds(3600),
                schedule: [
                    .init(from: Self.at(3600), value: .number(0.05)),
                    .init(from: Self.at(3700), value: .number(0.2)),
                    .init(from: Self.at(7200), value: .number(0.09)),
                    .init(from: Self.at(9000), value: .number(0.5)),
                ]), of: "price", at: Self.start)
        let now = book.state(of: requirement, at: Self.at(60))
        // The first fall is shorter than the five minutes.
        #expect(!now.isMet && now.isForeseen && now.until == Self.at(7500))
        #expect(book.opening(of: requirement, from: Self.at(8000)) == Self.at(8000))
        #expect(book.opening(of: requirement, from: Self.at(9000)) == nil)
        let open = book.state(of: requirement, at: Self.at(8000))
        #expect(open.isMet && open.until == Self.at(9000) && open.since == Self.at(7500))
        // The last value counts an hour from its instant on.
        #expect(book.track("price")?.known(at: Self.at(12_599)) == .number(0.5))
        #expect(book.track("price")?.known(at: Self.at(12_600)) == nil)
    }

    @Test func whatFlipsIsDamped() throws {
        let policy = try Self.policy("load_per_core < 0.7")
        var book = ConditionBook(policy, at: Self.start)
        let requirement = policy.rules[0].requirements[0]
        for (place, load) in [0.5, 0.8, 0.5, 0.8].enumerated() {
            book.take(measured: [(.loadPerCore, .number(load))], at: Self.at(Int64(place) * 5))
        }
        book.take(measured: [(.loadPerCore, .number(0.5))], at: Self.at(20))
        let damped = book.state(of: requirement, at: Self.at(20))
        #expect(!damped.isMet && damped.damped == .seconds(30) && damped.until == Self.at(50))
        #expect(book.state(of: requirement, at: Self.at(50)).isMet)
        // Ten minutes without a change end it.
        book.take(measured: [(.loadPerCore, .number(0.5))], at: Self.at(700))
        #expect(book.state(of: requirement, at: Self.at(700)).damped == nil)
    }

    @Test func aPolicyThatDeclaresANameFindsItsValue() throws {
        let plain = try Policies.read("{}")
        var book = ConditionBook(plain, at: Self.start)
        let push = ConditionPush(value: .number(0.2), pushedAt: Self.start)
        let isTaken = [push, push].map { book.take($0, of: "price", at: Self.start) }
        #expect(isTaken == [true, false])
        #expect(book.track("price") == nil && book.undeclaredPush("price") == push)
        let policy = try Self.policy("price < 0.25")
        book.take(policy, at: Self.at(1))
        #expect(book.state(of: policy.rules[0].requirements[0], at: Self.at(1)).isMet)
        book.take(plain, at: Self.at(2))
        #expect(book.undeclaredPush("price") == push)
        #expect(book.names.contains("price") && book.names.contains("load_per_core"))
    }

    /// A change of one condition costs work for the requirements on it, not for those on others.
    @Test func aChangeCostsWhatItConcerns() throws {
        let rules = (0..<500).map {
            #"{"name": "r\#($0)", "require": ["price < \#($0)"]}"#
        }.joined(separator: ",")
        let policy = try Policies.read(
            #"{"conditions": {"price": {"type": "number"}, "bare": {"type": "number"}}, "rules": ["#
                + rules + #", {"name": "one", "require": ["bare < 1"]}]}"#)
        func cost(_ name: String) -> Int {
            var book = ConditionBook(policy, at: Self.start)
            let counter = Counter()
            WorkMeter.$current.withValue({ counter.add($0) }) {
                _ = book.take(
                    ConditionPush(value: .number(3), pushedAt: Self.start), of: name,
                    at: Self.start)
            }
            return counter.value
        }
        #expect(cost("price") == 500 && cost("bare") == 1)
    }
}
