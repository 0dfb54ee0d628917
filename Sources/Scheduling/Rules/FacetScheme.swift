// Computes facets: the values of single downloads that a policy distinguishes.
package import Base

/// The edges of sizes and the predicates over metadata that a policy names.
package struct FacetScheme: Equatable, Sendable {
    /// The most edges that are distinguished; rules over further ones are judged for a whole band.
    package static let edgesAtMost = 32
    /// The most predicates that are distinguished; a lane obeys every rule with a further one.
    package static let predicatesAtMost = 8

    /// The sizes at which a range begins or ends, in rising order.
    private let edges: [Int64]
    private let predicates: [Match.MetadataPattern]
    private let asksForBytes: Bool

    /// The scheme of a policy without rules over bytes and metadata: one facet for all downloads.
    package static let none = FacetScheme()

    private init() { (edges, predicates, asksForBytes) = ([], [], false) }

    /// Collects the sizes and predicates of a policy's rules and budgets.
    package init(_ policy: Policy) {
        var edges: Set<Int64> = []
        var predicates: [Match.MetadataPattern] = []
        var asksForBytes = false
        let budgets = policy.budgets + policy.apps.values.flatMap(\.budgets)
        for match in policy.allRules.map(\.match) + budgets.map(\.match) {
            if match.expectedBytes != nil { asksForBytes = true }
            for edge in [match.expectedBytes?.min, match.expectedBytes?.max] {
                // Sizes are whole: below 1.5 is below 2.
                if let edge { edges.insert(Int64(min(edge.rounded(.up), 0x1p53))) }
            }
            for pattern in match.metadata where !predicates.contains(pattern) {
                predicates.append(pattern)
            }
        }
        self.edges = Array(edges.filter { $0 > 0 }.sorted().prefix(FacetScheme.edgesAtMost))
        // Sorted, because the order of rules does not matter.
        self.predicates = Array(
            predicates.sorted {
                ($0.key, KeyText($0.value.text)) < ($1.key, KeyText($1.value.text))
            }.prefix(FacetScheme.predicatesAtMost))
        self.asksForBytes = asksForBytes
    }

    /// Whether no rule asks for bytes or metadata.
    package var isEmpty: Bool { !asksForBytes && predicates.isEmpty }

    /// The facet of a download.
    ///
    /// - Parameters:
    ///   - expectedBytes: the size that its client gave; nil for none.
    ///   - metadata: its metadata.
    ///   - holder: the data directory from which it is sent; nil while it is not.
    /// - Returns: the facts that it shares with the other downloads of its lane.
    package func facet(
        expectedBytes: Int64?, metadata: JSONObject, holder: String? = nil
    ) -> Facet {
        let holder = holder.map { KeyText($0) }
        guard !isEmpty else {
            return holder == nil ? .none : Facet(bytes: .any, predicates: [], holder: holder)
        }
        var bytes = Facet.Bytes.any
        if asksForBytes {
            bytes = .unknown
            if let size = expectedBytes {
                let place = edges.firstIndex { $0 > size } ?? edges.endIndex
                bytes = .band(
                    place == 0 ? 0 : edges[place - 1],
                    place == edges.endIndex ? nil : edges[place])
            }
        }
        return Facet(
            bytes: bytes,
            predicates: predicates.map { pattern in
                let value = metadata[pattern.key.text]?.stringValue
                return Facet.Predicate(
                    key: pattern.key, pattern: KeyText(pattern.value.text),
                    holds: value.map { pattern.value.matches($0) } ?? false)
            }, holder: holder)
    }

    /// Whether this scheme can produce a facet.
    package func makes(_ facet: Facet) -> Bool {
        guard !isEmpty else { return facet.bytes == .any && facet.predicates.isEmpty }
        switch facet.bytes {
        case .any: if asksForBytes { return false }
        case .unknown: if !asksForBytes { return false }
        case .band(let first, let end):
            guard asksForBytes else { return false }
            let place = first == 0 ? 0 : edges.firstIndex(of: first).map { $0 + 1 }
            guard let place else { return false }
            guard end == (place == edges.endIndex ? nil : edges[place]) else { return false }
        }
        return facet.predicates.map(\.key) == predicates.map(\.key)
            && facet.predicates.map(\.pattern) == predicates.map { KeyText($0.value.text) }
    }
}

extension Policy {
    /// The scheme for its rules and budgets.
    package var facets: FacetScheme { FacetScheme(self) }
}
