// Serves classes strictly in order, except for a part of the slots that each lower class keeps.

/// Chooses the class that gets the next slot.
///
/// A lower class keeps the last of the free slots. While more are free the higher class comes
/// first: both get a slot, and only places at an origin, in a session or in an app are short. The
/// lower class has its turn at such places, and at slots if its part of them is less than one.
package struct ClassFloor: Equatable, Sendable {
    /// The part of the slots that a lower class has while downloads of it wait; 0 to 1.
    package var part = 0.1

    /// The credit of each lower class for slots that went to higher ones, in slots.
    private var saved: [ServingClass: Double] = [:]

    /// Creates a floor without credits.
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
        // The two discretionary classes keep one part together.
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
