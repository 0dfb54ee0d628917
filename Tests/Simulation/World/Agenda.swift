/// The coming events, the earliest first: a binary heap.
struct Agenda {
    private var items: [Happening] = []

    var isEmpty: Bool { items.isEmpty }

    mutating func add(_ item: Happening) {
        items.append(item)
        var child = items.count - 1
        while child > 0, Agenda.isBefore(items[child], items[(child - 1) / 2]) {
            items.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> Happening? {
        guard let first = items.first else { return nil }
        let last = items.removeLast()
        guard !items.isEmpty else { return first }
        items[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && Agenda.isBefore(items[child], items[least]) {
                least = child
            }
            if least == parent { return first }
            items.swapAt(parent, least)
            parent = least
        }
    }

    private static func isBefore(_ left: Happening, _ right: Happening) -> Bool {
        (left.at, left.number) < (right.at, right.number)
    }
}
