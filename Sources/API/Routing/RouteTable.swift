// The table of routes, arranged so that a request meets few of its lines.
internal import HTTPWire

/// Finds the routes of a path.
struct RouteTable: Sendable {
    /// The lines without placeholders, by their whole path.
    private let exact: [String: [Route]]
    /// The others, by how many segments they have.
    private let patterns: [[Route]]

    init(_ routes: [Route]) {
        let literal = routes.filter { !$0.hasPlaceholders }
        exact = Dictionary(grouping: literal, by: \.path)
        let open = routes.filter(\.hasPlaceholders)
        let longest = open.map(\.segmentCount).max() ?? 0
        patterns = (0...longest).map { count in open.filter { $0.segmentCount == count } }
    }

    /// Every line for a path, with what stands at the placeholders.
    ///
    /// A path that the table names is nobody's identifier: it matches no placeholder.
    func matches(_ path: String) -> [(route: Route, parameters: [String])] {
        if let routes = exact[path] { return routes.map { ($0, []) } }
        let parts = path[...].utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard patterns.indices.contains(parts.count) else { return [] }
        return patterns[parts.count].compactMap { route in
            route.match(parts).map { (route, $0) }
        }
    }
}
