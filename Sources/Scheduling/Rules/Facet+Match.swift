// Whether the rules over bytes and metadata match all downloads of a lane, or none.
internal import Base

extension Facet {
    /// Whether all downloads are in a range of sizes, none, or perhaps some.
    func truth(of span: Match.Span) -> Truth {
        switch bytes {
        case .any: return .unknown
        // A download of unknown size is in no range.
        case .unknown: return .unmet
        case .band(let first, let end):
            let low = Double(first)
            let high = end.map { Double($0) } ?? .infinity
            if low >= span.max ?? .infinity || high <= span.min ?? -.infinity { return .unmet }
            return low >= span.min ?? -.infinity && high <= span.max ?? .infinity
                ? .met : .unknown
        }
    }

    /// Whether a predicate over the metadata holds for all downloads, for none, or perhaps for
    /// some.
    func truth(of pattern: Match.MetadataPattern) -> Truth {
        let known = predicates.first {
            $0.key == pattern.key && $0.pattern == KeyText(pattern.value.text)
        }
        return known.map { Truth($0.holds) } ?? .unknown
    }
}
