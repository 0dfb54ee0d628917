// Whether the rules over bytes and metadata match all downloads of a lane, or none.
internal import Base

extension Facet {
    /// Whether a range of sizes holds all of its downloads, none, or perhaps some.
    func truth(of span: Match.Span) -> Truth {
        switch bytes {
        case .any: return .unknown
        // A size that is not known is in no range.
        case .unknown: return .unmet
        case .band(let first, let end):
            let low = Double(first)
            let high = end.map { Double($0) } ?? .infinity
            if low >= span.max ?? .infinity || high <= span.min ?? -.infinity { return .unmet }
            return low >= span.min ?? -.infinity && high <= span.max ?? .infinity
                ? .met : .unknown
        }
    }

    /// Whether a predicate over the metadata holds for all of its downloads or for none.
    func truth(of pattern: Match.MetadataPattern) -> Truth {
        let known = predicates.first {
            $0.key == pattern.key && $0.pattern == KeyText(pattern.value.text)
        }
        return known.map { Truth($0.holds) } ?? .unknown
    }
}
