// Heaps of due instants and of turns.

/// A binary heap, the least element first.
struct RateHeap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    var first: Element? { elements.first }
    var isEmpty: Bool { elements.isEmpty }
    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return first }
        elements[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < elements.count else { return first }
            let right = left + 1
            let child =
                right < elements.count && elements[right] < elements[left] ? right : left
            guard elements[child] < elements[parent] else { return first }
            elements.swapAt(parent, child)
            parent = child
        }
    }
}

/// The time at which a bucket is due; nanoseconds since boot.
struct RateDue: Comparable, Sendable {
    let due: Int64
    let place: Int

    static func < (left: RateDue, right: RateDue) -> Bool { left.due < right.due }
}

/// A queued transfer: the one that was served least recently comes first.
struct RateTurn: Comparable, Sendable {
    let transfer: Int
    /// The number of the last turn that it was granted; rises with every turn.
    let servedAt: UInt64
    /// The ticket of the transfer; another one makes this entry invalid.
    let ticket: UInt64

    static func < (left: RateTurn, right: RateTurn) -> Bool {
        (left.servedAt, left.ticket) < (right.servedAt, right.ticket)
    }
}
