// Names that clients see in place of numbers that all apps share.
import Base
import Testing

@testable import Store

@Suite struct PublicNamesTests {
    private let names = PublicNames(key: [UInt8](repeating: 3, count: 32))
    private let others = PublicNames(key: [UInt8](repeating: 4, count: 32))
    private static let ends: [UInt64] = [0, 1, 2, 1 << 31, 1 << 32, 1 << 40, (1 << 48) - 1]

    @Test(arguments: ends, ends)
    func aCursorLeadsToItsPlace(transaction: UInt64, number: UInt64) {
        let place = JournalPosition(transaction: transaction, number: Int64(number))
        let cursor = names.cursor(place)
        #expect(names.place(cursor) == place && names.place(cursor.lowercased()) == place)
        #expect(others.place(cursor) == nil)
        #expect(names.deliveryNumber(Identifier(digits: cursor)!) == nil)
    }

    @Test(arguments: ends)
    func aNameLeadsToItsDelivery(number: UInt64) throws {
        let name = names.delivery(Int64(number))
        #expect(names.deliveryNumber(name) == Int64(number))
        #expect(others.deliveryNumber(name) == nil && names.place(name.digits) == nil)
    }

    @Test func whatNobodyWroteIsNoCursor() {
        let texts = ["", "0-0", "1a4-2f", String(repeating: "0", count: 26)]
        for text in texts + (0..<100).map({ String(repeating: "7", count: 24) + String($0 + 10) }) {
            #expect(names.place(text) == nil, "\(text)")
        }
    }

    /// Between the names of consecutive numbers every digit changes about as often as chance has
    /// it, so neither their order nor their distance can be seen.
    @Test func namesThatFollowEachOtherHaveNothingInCommon() {
        func check(_ list: [Identifier]) {
            #expect(Set(list).count == list.count)
            let rising = zip(list, list.dropFirst()).count { $0 < $1 }
            #expect((150...350).contains(rising), "\(rising) of \(list.count - 1)")
            let equal = zip(list, list.dropFirst()).map { left, right in
                zip(left.digits, right.digits).count { $0 == $1 }
            }
            #expect(equal.max()! < 13)
        }
        check((0..<500).map { names.delivery(1_000_000 + $0) })
        check(
            (0..<500).map {
                Identifier(digits: names.cursor(JournalPosition(transaction: 9_000, number: $0)))!
            })
        check(
            (0..<500).map {
                names.event(Identifier(high: 0x0199_0000_0000_7000, low: 1 << 63 | $0 << 36))
            })
    }

    @Test func allReplicasOfADatabaseHaveOneKey() async throws {
        try await StoreLab.with { lab in
            let settings = Settings(pool: lab.pool)
            let first = try await PublicNames.read(settings)
            let second = try await PublicNames.read(settings)
            #expect(first.delivery(5) == second.delivery(5))
            #expect(first.delivery(5) != PublicNames.withoutKey.delivery(5))
        }
        // Another database gives other names.
        try await StoreLab.with { lab in
            let settings = Settings(pool: lab.pool)
            let names = try await PublicNames.read(settings)
            #expect(names.delivery(5) != PublicNames.withoutKey.delivery(5))
        }
    }
}
