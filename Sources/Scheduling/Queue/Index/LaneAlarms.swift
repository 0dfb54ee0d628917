// The instants at which lanes have to be judged again: a binary heap.
internal import Base

/// Lanes by the instant at which their verdict may change.
struct LaneAlarms: Sendable {
    /// An instant of a lane; outdated if the lane was judged again since.
    struct Alarm: Sendable {
        let at: Timestamp
        let lane: Int64
        let ticket: Int
    }

    private var items: [Alarm] = []

    /// The earliest one.
    var first: Alarm? { items.first }

    /// The number of entries, outdated ones included.
    var count: Int { items.count }

    /// Some entries, outdated ones included, those with the earliest instants among them.
    func some(_ most: Int) -> ArraySlice<Alarm> { items.prefix(most) }

    mutating func add(_ alarm: Alarm) {
        items.append(alarm)
        var child = items.count - 1
        while child > 0, items[child].at < items[(child - 1) / 2].at {
            items.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = items.popLast(), !items.isEmpty else { return }
        items[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child].at < items[least].at {
                least = child
            }
            if least == parent { return }
            items.swapAt(parent, least)
            parent = least
        }
    }

    /// Removes the outdated entries.
    mutating func keep(where isValid: (Alarm) -> Bool) {
        let kept = items.filter(isValid)
        items = []
        for alarm in kept { add(alarm) }
    }
}
