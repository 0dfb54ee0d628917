// The nearest known name for a misspelt one; pure.

/// Finds the known name that is nearest to a misspelt one.
package enum Spelling {
    /// Returns the nearest known name, if it is near enough to be meant.
    ///
    /// - Parameters:
    ///   - name: the misspelt name.
    ///   - known: the names that exist.
    ///   - prefix: how many bytes all of the names begin with alike.
    /// - Returns: nil if more than half of the rest would have to be wrong.
    package static func nearest(
        _ name: String, _ known: some Sequence<String>, prefix: Int = 0
    ) -> String? {
        let nearest = known.map { ($0, distance($0, name)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
        guard let nearest, nearest.1 <= max(2, (name.utf8.count - prefix) / 2) else { return nil }
        return nearest.0
    }

    /// Returns `; did you mean NAME?`, or an empty text.
    package static func hint(_ name: String, _ known: some Sequence<String>) -> String {
        nearest(name, known, prefix: name.hasPrefix("--") ? 2 : 0)
            .map { "; did you mean \($0)?" } ?? ""
    }

    /// The Levenshtein distance in bytes.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (place, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in right.indices {
                let cost = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(cost, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
