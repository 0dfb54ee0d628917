// Checks that the index says of every lane what the verdict says, after every step.
import Base
import Scheduling

extension IndexWorld {
    /// Runs a world, and compares the index with the verdict after each step.
    static func check(seed: UInt64, steps: Int = 40) throws -> PropertyCheck {
        var check = PropertyCheck()
        var world = try IndexWorld(seed: seed)
        for step in 0..<steps where check.violation == nil {
            world.step()
            check.count(world.heads.count)
            world.compare(&check, step)
        }
        return check
    }

    private func compare(_ check: inout PropertyCheck, _ step: Int) {
        let expected = openByVerdict
        var index = index
        let found = Set(heads.keys.filter { index.isOpen($0) })
        check.expect(found == expected, "step \(step): \(found.symmetricDifference(expected))")
        // All lanes that are open and not out are offered, each once.
        var offered: [Int64] = []
        index = self.index
        while true {
            let (heads, hasMore) = index.take(7)
            offered += heads.map(\.lane)
            if heads.isEmpty, !hasMore { break }
        }
        check.expect(
            Set(offered).count == offered.count && Set(offered) == expected.subtracting(out),
            "step \(step): offered \(offered)")
        // No lane opens or closes by itself before the named instant, if all lanes are judged: the
        // ones that are out are judged when they are asked for.
        for lane in heads.keys { index.isOpen(lane) }
        guard let change = index.nextChange, now == latest, change > now else { return }
        var early = self
        early.now = change - .microseconds(1)
        check.expect(early.openByVerdict == expected, "step \(step): before \(change)")
    }
}
