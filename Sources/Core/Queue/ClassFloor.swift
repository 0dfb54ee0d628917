// Classes are served strictly in order, but for a part of the slots that each lower one keeps.

/// Which class gets the next slot.
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
    /// - Returns: the class that gets it; nil if none waits.
    package mutating func next(
        of waiting: Set<ServingClass>, running: [ServingClass: Int], capacity: Int
    ) -> ServingClass? {
        let order = waiting.sorted { $0.rawValue < $1.rawValue }
        guard let first = order.first else { return nil }
        // Whole slots are its own; where its part is less than one, it takes turns.
        let held = Int(part * Double(capacity))
        // What discretionary work keeps is of all of it.
        let discretionary = running.reduce(0) { $0 + ($1.key.isDiscretionary ? $1.value : 0) }
        for lower in order.dropFirst() {
            if held > 0 {
                let count = lower.isDiscretionary ? discretionary : running[lower, default: 0]
                if count < held { return lower }
            } else if saved[lower, default: 0] >= 1 {
                saved[lower] = 0
                return lower
            }
        }
        for lower in order.dropFirst() {
            saved[lower] = min(1, saved[lower, default: 0] + part)
        }
        return first
    }
}
