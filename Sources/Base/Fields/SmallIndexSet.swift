// Small numbers as a set of bits.

/// A set of small numbers; those below 64 allocate nothing.
struct SmallIndexSet: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    /// Adds a place, which is not negative.
    mutating func insert(_ place: Int) {
        precondition(place >= 0, "no place is before the first")
        if place < 64 { low |= 1 << UInt64(place) } else { high.insert(place) }
    }

    /// Whether a place was added.
    func contains(_ place: Int) -> Bool {
        (0..<64).contains(place) ? low >> UInt64(place) & 1 == 1 : high.contains(place)
    }
}
