// A lower class keeps a part of the slots, and no more, while a higher one waits.
import Scheduling
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
                // Any one of the runs ends.
                let slot = Int.random(in: 0..<capacity, using: &random)
                let isLower = slot < running[.discretionary, default: 0]
                running[isLower ? .discretionary : .normal, default: 0] -= 1
            }
            let waiting: Set<ServingClass> = [.normal, .discretionary]
            let free = capacity - running.values.reduce(0, +)
            let next = floor.next(
                of: waiting, running: running, capacity: capacity, free: free)
            guard let next else {
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

    /// Discretionary work keeps one part of all slots: discretionary work with a near deadline
    /// counts towards it.
    @Test func discretionaryWorkKeepsOnePart() {
        var floor = ClassFloor()
        let waiting: Set<ServingClass> = [.normal, .guarded, .discretionary]
        func next(_ waiting: Set<ServingClass>, _ running: [ServingClass: Int]) -> ServingClass? {
            floor.next(of: waiting, running: running, capacity: 20, free: 1)
        }
        #expect(next(waiting, [.guarded: 1]) == .guarded)
        #expect(next(waiting, [.guarded: 2]) == .normal)
        #expect(next(waiting, [.guarded: 1, .discretionary: 1]) == .normal)
        #expect(next([.guarded, .discretionary], [.guarded: 2]) == .guarded)
        #expect(floor.next(of: [.due, .normal], running: [:], capacity: 4, free: 4) == .due)
    }

    /// The kept slot is the last of the free ones; before it the lower class has its turns.
    @Test func theHigherClassComesFirstWhileSlotsAreFree() {
        var floor = ClassFloor()
        floor.part = 0.25
        let waiting: Set<ServingClass> = [.normal, .guarded]
        func next(free: Int) -> ServingClass? {
            floor.next(of: waiting, running: [.normal: 4], capacity: 40, free: free)
        }
        #expect((0..<4).allSatisfy { _ in next(free: 11) == .normal })
        #expect(next(free: 11) == .guarded)
        #expect(next(free: 11) == .normal)
        #expect(next(free: 10) == .guarded)
    }

    @Test func aClassAloneGetsEverySlot() {
        var floor = ClassFloor()
        for _ in 0..<50 {
            for kind in [ServingClass.discretionary, .normal] {
                #expect(floor.next(of: [kind], running: [:], capacity: 4, free: 4) == kind)
            }
        }
        #expect(floor.next(of: [], running: [:], capacity: 4, free: 4) == nil)
    }
}
