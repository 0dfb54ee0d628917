// Ranges of a file that were written while bytes before them are missing.

/// Ranges without overlap, in order; no two are adjacent.
struct WrittenRanges: Equatable, Sendable {
    private(set) var ranges: [Range<Int64>] = []

    /// Adds a range, parts of which may be there already.
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

    /// The end of the range that begins at a place; nil if there is none.
    func end(from place: Int64) -> Int64? {
        ranges.first { $0.lowerBound <= place && $0.upperBound > place }?.upperBound
    }

    /// Removes everything before a place.
    mutating func drop(before place: Int64) {
        ranges = ranges.compactMap {
            $0.upperBound <= place ? nil : max($0.lowerBound, place)..<$0.upperBound
        }
    }
}
