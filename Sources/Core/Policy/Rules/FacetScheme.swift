// Which values of single downloads a policy tells apart.

/// The edges of sizes and the predicates over metadata that a policy names.
package struct FacetScheme: Equatable, Sendable {
    /// More edges are not told apart: rules over them hold for the whole band.
    package static let edgesAtMost = 32
    /// More predicates are not told apart: a lane obeys every rule with one of them.
    package static let predicatesAtMost = 8

    /// The sizes at which a range begins or ends, in rising order.
    private let edges: [Int64]
    private let predicates: [Match.MetadataPattern]
    private let asksForBytes: Bool

    /// The scheme of a policy that asks neither for bytes nor for metadata: one facet for all.
    package static let none = FacetScheme()

    private init() { (edges, predicates, asksForBytes) = ([], [], false) }

    /// What a policy's rules and budgets ask for.
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
        // The order of rules does not matter.
        self.predicates = Array(
            predicates.sorted {
                ($0.key, KeyText($0.value.text)) < ($1.key, KeyText($1.value.text))
            }.prefix(FacetScheme.predicatesAtMost))
        self.asksForBytes = asksForBytes
    }

    /// Whether no rule asks for anything.
    package var isEmpty: Bool { !asksForBytes && predicates.isEmpty }

    /// The facet of a download.
    package func facet(expectedBytes: Int64?, metadata: JSONObject) -> Facet {
        guard !isEmpty else { return .none }
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
            })
    }

    /// Whether a facet is one that this scheme makes.
    package func makes(_ facet: Facet) -> Bool {
        guard !isEmpty else { return facet == .none }
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
    /// What its rules ask of single downloads.
    package var facets: FacetScheme { FacetScheme(self) }
}
