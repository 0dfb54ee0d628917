// The known word that a misspelt one is nearest to.

/// Finds the known word that a misspelt one most resembles.
package enum NearestWord {
    /// How many slips are forgiven.
    package static let slipsAtMost = 2
    /// Longer words are not looked up: a distance costs the product of both lengths.
    static let lengthAtMost = 64

    /// The nearest of several words; nil if none is within two slips, or all of it would be wrong.
    ///
    /// A slip is a byte that is missing, too many or another one, or two neighbours in the wrong
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
