// Apps that always wait get bytes by their weights, whatever sizes their files have.
import Base
import Testing

@testable import Scheduling

@Suite struct ByteShareTests {
    /// No download has more than a hundredth of a minute's bytes.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func overAMinuteBytesAreWithinATenthOfTheWeights(_ seed: UInt64) throws {
        let weights: [Double] = seed.isMultiple(of: 2) ? [1, 2, 3] : [1, 1, 1]
        let policy = try Policy.parse(
            [
                "shares": [
                    "app": [
                        "a1": .number(weights[0]), "a2": .number(weights[1]),
                        "a3": .number(weights[2]),
                    ]
                ]
            ], defaults: PolicyLimits(perOrigin: 6)
        ) { _ in true }.get()
        var queue = ServedQueue(seed: seed, slots: [32, 64], shares: policy.shares)
        queue.addBacklogs(ofApps: 3, depth: 2000)
        queue.run(for: .seconds(30))
        let before = queue.bytes
        queue.run(for: .seconds(60))
        let got = (1...3 as ClosedRange<Int64>).map { (queue.bytes[$0] ?? 0) - (before[$0] ?? 0) }
        let all = got.reduce(0, +)
        #expect(all > 100 * 4_194_304, "\(queue.slots) slots")
        for (part, weight) in zip(got, weights) {
            let due = all * weight / weights.reduce(0, +)
            #expect(abs(part - due) <= due / 10, "\(got) of \(weights), \(queue.slots) slots")
        }
    }
}
