// One level of the queue of lanes: members in the order of serving.

/// The position of an app, a session, an origin or a lane among others of its level.
struct FlowOrder: Comparable, Sendable {
    /// The aged rank of its first lane, or that lane's deadline.
    var step: Int64 = 0
    /// The virtual start of its next download.
    var start = 0.0
    /// The aged rank of a lane whose position is its deadline.
    var substep: Int64 = 0
    /// The due time of a lane.
    var due: Int64 = 0
    /// The number that orders equal members.
    var number: Int64

    static func < (left: FlowOrder, right: FlowOrder) -> Bool {
        if left.step != right.step { return left.step < right.step }
        if left.start != right.start { return left.start < right.start }
        if left.substep != right.substep { return left.substep < right.substep }
        if left.due != right.due { return left.due < right.due }
        return left.number < right.number
    }
}

/// A binary heap whose members can be moved and removed.
struct FlowHeap: Sendable {
    private struct Item {
        var order: FlowOrder
        let id: Int64
    }

    /// Up to this number of members a search is cheap; for more their places are kept.
    private static let searchedAtMost = 16

    private var items: [Item] = []
    private var places: [Int64: Int]?

    var isEmpty: Bool { items.isEmpty }

    var count: Int { items.count }

    /// The member that comes first.
    var first: Int64? { items.first?.id }

    /// The position of the first member.
    var firstOrder: FlowOrder? { items.first?.order }

    /// The position of a member; nil for a stranger.
    func order(of id: Int64) -> FlowOrder? { place(of: id).map { items[$0].order } }

    /// Adds a member, moves it, or with nil removes it.
    mutating func set(_ id: Int64, to order: FlowOrder?) {
        guard let place = place(of: id) else {
            guard let order else { return }
            items.append(Item(order: order, id: id))
            note(items.count - 1)
            if places == nil, items.count > FlowHeap.searchedAtMost { index() }
            return rise(items.count - 1)
        }
        guard let order else { return remove(at: place) }
        items[place].order = order
        rise(place)
        sink(place)
    }

    private func place(of id: Int64) -> Int? {
        if let places { return places[id] }
        return items.firstIndex { $0.id == id }
    }

    private mutating func index() {
        var all: [Int64: Int] = [:]
        all.reserveCapacity(2 * items.count)
        for place in items.indices { all[items[place].id] = place }
        places = all
    }

    private mutating func note(_ place: Int) { places?.updateValue(place, forKey: items[place].id) }

    private mutating func remove(at place: Int) {
        places?.removeValue(forKey: items[place].id)
        let last = items.removeLast()
        guard place < items.count else {
            if items.isEmpty { places = nil }
            return
        }
        items[place] = last
        note(place)
        rise(place)
        sink(place)
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        items.swapAt(one, other)
        note(one)
        note(other)
    }

    private mutating func rise(_ place: Int) {
        var child = place
        while child > 0, items[child].order < items[(child - 1) / 2].order {
            swap(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink(_ place: Int) {
        var parent = place
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child].order < items[least].order {
                least = child
            }
            if least == parent { return }
            swap(parent, least)
            parent = least
        }
    }
}
