// A lower class keeps a part of the slots, and no more, while a higher one waits.
import Core
import Testing

@Suite struct ClassFloorTests {
    @Test(arguments: [1, 2, 5, 9, 10, 15, 40, 100])
    func theLowerClassGetsItsPart(_ capacity: Int) {
        var floor = ClassFloor()
        var running: [ServingClass: Int] = [:]
        var starts: [ServingClass: Int] = [:]
        var random = SeededRandom(seed: UInt64(capacity))
        for _ in 0..<2000 {
            if running.values.reduce(0, +) >= capacity {
                // Any of those that run ends.
                let slot = Int.random(in: 0..<capacity, using: &random)
                let isLower = slot < running[.discretionary, default: 0]
                running[isLower ? .discretionary : .normal, default: 0] -= 1
            }
            let waiting: Set<ServingClass> = [.normal, .discretionary]
            guard let next = floor.next(of: waiting, running: running, capacity: capacity) else {
                Issue.record("a slot is given to no class")
                return
            }
            running[next, default: 0] += 1
            starts[next, default: 0] += 1
            if capacity >= 10 {
                #expect(running[.discretionary, default: 0] <= capacity / 10)
            }
        }
        let part = Double(starts[.discretionary, default: 0]) / 2000
        #expect(part > 0.05 && part < 0.2, "\(capacity): \(part)")
    }

    /// What discretionary work keeps is of all of it: work with a near deadline counts for it.
    @Test func discretionaryWorkKeepsOnePart() {
        var floor = ClassFloor()
        let waiting: Set<ServingClass> = [.normal, .guarded, .discretionary]
        #expect(floor.next(of: waiting, running: [.guarded: 1], capacity: 20) == .guarded)
        #expect(floor.next(of: waiting, running: [.guarded: 2], capacity: 20) == .normal)
        #expect(
            floor.next(of: waiting, running: [.guarded: 1, .discretionary: 1], capacity: 20)
                == .normal)
        #expect(
            floor.next(of: [.guarded, .discretionary], running: [.guarded: 2], capacity: 20)
                == .guarded)
        #expect(floor.next(of: [.due, .normal], running: [:], capacity: 4) == .due)
    }

    @Test func aClassAloneGetsEverySlot() {
        var floor = ClassFloor()
        for _ in 0..<50 {
            #expect(floor.next(of: [.discretionary], running: [:], capacity: 4) == .discretionary)
            #expect(floor.next(of: [.normal], running: [:], capacity: 4) == .normal)
        }
        #expect(floor.next(of: [], running: [:], capacity: 4) == nil)
    }
}
