// The lanes of a session that wait for slots, the next one first.

/// A binary heap whose order changes while it is used: as slots are given away an origin's start
/// only grows, so a lane only moves back, and the first one is corrected when it is looked at.
struct LaneHeap {
    /// A lane as it was placed.
    struct Item {
        /// What counts first: its step, or its deadline.
        let order: Int64
        /// The start of its origin's next download.
        var start: Double
        /// Where it stands in the plan.
        let place: Int

        static func < (left: Item, right: Item) -> Bool {
            (left.order, left.start, left.place) < (right.order, right.start, right.place)
        }
    }

    private var items: [Item] = []

    /// Adds a lane.
    mutating func add(_ item: Item) {
        items.append(item)
        var child = items.count - 1
        while child > 0, items[child] < items[(child - 1) / 2] {
            items.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The first lane.
    ///
    /// - Parameter start: the start of a lane's origin as it is now; nil for a lane that gets no
    ///   more, which is removed.
    /// - Returns: its place in the plan; nil where none is left.
    mutating func first(_ start: (Item) -> Double?) -> Int? {
        while let item = items.first {
            guard let now = start(item) else {
                removeFirst()
                continue
            }
            guard now > item.start else { return item.place }
            items[0].start = now
            sink()
        }
        return nil
    }

    private mutating func removeFirst() {
        let last = items.removeLast()
        guard !items.isEmpty else { return }
        items[0] = last
        sink()
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child] < items[least] {
                least = child
            }
            if least == parent { return }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
