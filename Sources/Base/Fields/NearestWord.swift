// The known word that is most similar to a misspelt one.

/// Finds the known word that is most similar to a misspelt one.
package enum NearestWord {
    /// The most slips for a word to count as similar.
    package static let slipsAtMost = 2
    /// The longest words that are compared, in bytes: the cost is the product of both lengths.
    static let lengthAtMost = 64

    /// The most similar of several words; nil if each differs by more than two slips or in every
    /// byte.
    ///
    /// A slip is a missing byte, one too many or a different one, or two neighbours in the wrong
    /// order (Damerau's distance, each pair changed once).
    package static func of(_ word: String, among known: some Sequence<String>) -> String? {
        let length = word.utf8.count
        guard (1...lengthAtMost).contains(length) else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known where abs(candidate.utf8.count - length) <= slipsAtMost {
            let found = distance(Array(word.utf8), Array(candidate.utf8))
            guard (1...slipsAtMost).contains(found), found < max(length, candidate.utf8.count)
            else { continue }
            let isNearer =
                best.map { (found, candidate) < ($0.distance, $0.word) } ?? true
            if isNearer { best = (candidate, found) }
        }
        return best?.word
    }

    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        WorkMeter.add(left.count)
        var before = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            before = last
            last = current
        }
        return last[right.count]
    }
}
