// Bytes of a file that are there and have others missing before them.

/// Ranges without overlap, in order, no two of them next to each other.
struct WrittenRanges: Equatable, Sendable {
    private(set) var ranges: [Range<Int64>] = []

    /// Adds bytes, some of which may be there already.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        var (start, end) = (range.lowerBound, range.upperBound)
        var kept: [Range<Int64>] = []
        for other in ranges {
            if other.upperBound < start || other.lowerBound > end {
                kept.append(other)
            } else {
                start = min(start, other.lowerBound)
                end = max(end, other.upperBound)
            }
        }
        let place = kept.firstIndex { $0.lowerBound > end } ?? kept.count
        kept.insert(start..<end, at: place)
        ranges = kept
    }

    /// The end of the bytes that go on from a place without a gap; nil if there are none.
    func end(from place: Int64) -> Int64? {
        ranges.first { $0.lowerBound <= place && $0.upperBound > place }?.upperBound
    }

    /// Forgets what lies before a place.
    mutating func drop(before place: Int64) {
        ranges = ranges.compactMap {
            $0.upperBound <= place ? nil : max($0.lowerBound, place)..<$0.upperBound
        }
    }
}
