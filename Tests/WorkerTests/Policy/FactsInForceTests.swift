// Pushes at this replica and reads of all replicas' pushes may arrive in any order.
import Base
import Scheduling
import Testing

@testable import Worker

@Suite struct FactsInForceTests {
    /// One piece of news about conditions.
    private enum News: Equatable {
        /// A push that this replica answered.
        case pushed(String, Int, version: Int64)
        /// A removal that this replica answered.
        case removed(String, version: Int64)
        /// A read of all stored conditions.
        case read([String: Int], version: Int64)
    }

    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func push(_ value: Int) -> ConditionPush {
        ConditionPush(value: .number(Double(value)), pushedAt: now)
    }

    private static func known(after news: [News]) -> [String: Int] {
        let policy = Policy(limits: PolicyLimits(perOrigin: 6))
        let facts = FactsInForce(policy, .utc, at: now)
        for item in news {
            switch item {
            case .pushed(let name, let value, let version):
                facts.take(push(value), of: name, version: version, at: now)
            case .removed(let name, let version):
                facts.take(nil, of: name, version: version, at: now)
            case .read(let values, let version):
                _ = facts.take(
                    pushed: values.map { ($0.key, push($0.value)) }, of: version, at: now)
            }
        }
        var known: [String: Int] = [:]
        for name in ["a", "b"] {
            guard case .number(let value) = facts.conditions.undeclaredPush(name)?.value else {
                continue
            }
            known[name] = Int(value)
        }
        return known
    }

    private static func orders(_ news: [News]) -> [[News]] {
        guard news.count > 1 else { return [news] }
        return news.indices.flatMap { place -> [[News]] in
            var rest = news
            let first = rest.remove(at: place)
            return orders(rest).map { [first] + $0 }
        }
    }

    /// The newest version of each condition counts, whichever came first.
    @Test func theNewestVersionOfEachConditionCounts() {
        let news: [News] = [
            .read([:], version: 1), .pushed("a", 1, version: 2), .read(["a": 1], version: 3),
            .pushed("a", 2, version: 4), .removed("b", version: 5),
        ]
        // Version 3 is a push of b at another replica; 4 and 5 came after the last read.
        for order in Self.orders(news) { #expect(Self.known(after: order) == ["a": 2]) }
        let read = news + [.read(["a": 2], version: 5)]
        for order in Self.orders(read) { #expect(Self.known(after: order) == ["a": 2]) }
    }

    @Test func anOlderReadDoesNotRemoveWhatWasPushedSince() {
        let early: [News] = [.pushed("a", 1, version: 2), .read([:], version: 1)]
        #expect(Self.known(after: early) == ["a": 1])
        #expect(Self.known(after: early + [.read([:], version: 3)]) == [:])
        // A read that includes the push ends that.
        let gone: [News] = [.read(["a": 1, "b": 2], version: 4), .read(["b": 2], version: 5)]
        #expect(Self.known(after: gone) == ["b": 2])
        #expect(Self.known(after: [.removed("a", version: 6)] + gone) == ["b": 2])
    }
}
