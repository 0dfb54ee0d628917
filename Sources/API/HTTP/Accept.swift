// The field `Accept` (RFC 9110 section 12.5.1).

/// The field `Accept` (RFC 9110 section 12.5.1), as far as JSON is concerned.
enum Accept {
    /// Whether JSON would do; an absent field, and one with an event stream, which the endpoints
    /// judge that have one, allow it.
    static func allowsJSON(_ fields: [String]) -> Bool {
        let ranges = fields.flatMap { $0.split(separator: ",") }
        guard !ranges.isEmpty else { return true }
        var best = (rank: -1, isWanted: false)
        for range in ranges {
            let parts = range.split(separator: ";").map { String($0).trimmed.lowercased() }
            guard let type = parts.first else { continue }
            let rank: Int
            switch type {
            case "text/event-stream": return true
            case "application/json": rank = 2
            case "application/*": rank = 1
            case "*/*": rank = 0
            default: continue
            }
            let quality = parts.first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            let isWanted = quality.map { $0.contains { ("1"..."9").contains($0) } } ?? true
            if rank > best.rank { best = (rank, isWanted) }
        }
        return best.isWanted
    }
}
