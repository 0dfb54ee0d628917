/// A binary heap of places by a key, the least first; equal keys in the order of their places.
struct ForecastHeap {
    private var entries: [(key: Double, place: Int32)] = []

    /// The entry with the least key.
    var first: (key: Double, place: Int32)? { entries.first }

    /// Whether nothing is in it.
    var isEmpty: Bool { entries.isEmpty }

    /// Adds an entry.
    mutating func insert(_ place: Int32, at key: Double) {
        entries.append((key, place))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard ForecastHeap.isBefore(entries[child], entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the entry with the least key and returns it.
    mutating func pop() -> (key: Double, place: Int32)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        sink()
        return first
    }

    /// Changes the key of the first entry.
    mutating func moveFirst(to key: Double) {
        entries[0].key = key
        sink()
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2
            where child < entries.count && ForecastHeap.isBefore(entries[child], entries[least]) {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    private static func isBefore(
        _ left: (key: Double, place: Int32), _ right: (key: Double, place: Int32)
    ) -> Bool {
        (left.key, left.place) < (right.key, right.place)
    }
}
