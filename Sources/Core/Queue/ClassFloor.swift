// Classes are served strictly in order, but for a part of the slots that each lower one keeps.

/// Which class gets the next slot.
///
/// What a lower class keeps is the last of the slots that are free. While there are more, the
/// higher class comes first: both get a slot, and what is short is a place at an origin, in a
/// session or in an app. Of such places the lower class has its turn, as of slots where its part is
/// less than one.
package struct ClassFloor: Equatable, Sendable {
    /// The part of the slots that a lower class has while it waits; 0 to 1.
    package var part = 0.1

    /// What lower classes have saved of slots that went to higher ones, in slots.
    private var saved: [ServingClass: Double] = [:]

    /// Nothing is saved yet.
    package init() {}

    /// Gives a slot away.
    ///
    /// - Parameters:
    ///   - waiting: the classes with downloads that may begin.
    ///   - running: how many run of each.
    ///   - capacity: how many may run at once.
    ///   - free: how many slots are left.
    /// - Returns: the class that gets it; nil if none waits.
    package mutating func next(
        of waiting: Set<ServingClass>, running: [ServingClass: Int], capacity: Int, free: Int
    ) -> ServingClass? {
        let order = waiting.sorted { $0.rawValue < $1.rawValue }
        guard let first = order.first else { return nil }
        let held = Int(part * Double(capacity))
        // What discretionary work keeps is of all of it.
        let discretionary = running.reduce(0) { $0 + ($1.key.isDiscretionary ? $1.value : 0) }
        func lacks(_ kind: ServingClass) -> Int {
            held - (kind.isDiscretionary ? discretionary : running[kind, default: 0])
        }
        let lower = order.dropFirst()
        let owners =
            lower.filter { !$0.isDiscretionary } + lower.filter(\.isDiscretionary).prefix(1)
        let reserved = owners.reduce(0) { $0 + max(0, lacks($1)) }
        for kind in lower {
            let isTurn = saved[kind, default: 0] >= 1
            let lacks = lacks(kind)
            guard lacks > 0 ? free <= reserved || isTurn : held == 0 && isTurn else { continue }
            if isTurn { endTurn(of: kind, isShared: held > 0) }
            return kind
        }
        for lower in order.dropFirst() {
            saved[lower] = min(1, saved[lower, default: 0] + part)
        }
        return first
    }

    private mutating func endTurn(of kind: ServingClass, isShared: Bool) {
        saved[kind] = 0
        guard isShared, kind.isDiscretionary else { return }
        for other in ServingClass.allCases where other.isDiscretionary { saved[other] = 0 }
    }
}
