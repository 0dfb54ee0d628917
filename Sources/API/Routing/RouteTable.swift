// All routes, arranged so that a request is compared with few of them.
internal import HTTPWire

/// Finds the routes of a path.
struct RouteTable: Sendable {
    /// Every route, in the order of the groups.
    let routes: [Route]
    /// Those without placeholders, by their whole path.
    private let exact: [String: [Route]]
    /// The others, by how many segments they have, those of one path together.
    private let patterns: [[[Route]]]

    init(_ groups: [any EndpointGroup]) {
        let routes = groups.flatMap(\.routes)
        let literal = routes.filter { !$0.hasPlaceholders }
        self.routes = routes
        exact = Dictionary(grouping: literal, by: \.path)
        let open = routes.filter(\.hasPlaceholders)
        let longest = open.map(\.segmentCount).max() ?? 0
        patterns = (0...longest).map { count in
            var paths: [[Route]] = []
            for route in open where route.segmentCount == count {
                if let place = paths.firstIndex(where: { $0[0].path == route.path }) {
                    paths[place].append(route)
                } else {
                    paths.append([route])
                }
            }
            return paths
        }
    }

    /// The routes of a path, each with the values of its placeholders.
    ///
    /// A path that is in the table itself matches no placeholder.
    func matches(_ path: String) -> [(route: Route, parameters: [String])] {
        if let routes = exact[path] { return routes.map { ($0, []) } }
        let parts = path[...].utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard patterns.indices.contains(parts.count) else { return [] }
        return patterns[parts.count].flatMap { routes in
            routes[0].match(parts).map { found in routes.map { ($0, found) } } ?? []
        }
    }
}
