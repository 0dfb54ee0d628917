// All routes, arranged so that a request is compared with few of them.
internal import HTTPWire

/// Finds the routes of a path.
struct RouteTable: Sendable {
    /// Every route, in the order of the groups.
    let routes: [Route]
    /// The routes without placeholders, by their path.
    private let exact: [String: [Route]]
    /// The length of the longest of these paths in bytes.
    private let exactAtMost: Int
    /// The other routes, by number of segments and then by path.
    private let patterns: [[[Route]]]

    init(_ groups: [any EndpointGroup]) {
        let routes = groups.flatMap(\.routes)
        let literal = routes.filter { !$0.hasPlaceholders }
        self.routes = routes
        exact = Dictionary(grouping: literal, by: \.path)
        exactAtMost = literal.map(\.path.utf8.count).max() ?? 0
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

    /// Calls a closure for the routes of a path, until it returns an answer.
    ///
    /// A path that the table has without placeholders matches no route with one.
    ///
    /// - Parameters:
    ///   - path: as in `Request.path`.
    ///   - body: gets the routes of one pattern and the values of its placeholders; answers nil to
    ///     see those of the next.
    /// - Returns: the first answer; nil if there is none.
    func first<Answer>(
        of path: String, _ body: (_ routes: [Route], _ parameters: [String]) -> Answer?
    ) -> Answer? {
        let bytes = path.utf8.span
        if bytes.count <= exactAtMost, let routes = exact[path] { return body(routes, []) }
        var count = 0
        for place in bytes.indices where bytes[place] == UInt8(ascii: "/") { count += 1 }
        guard patterns.indices.contains(count) else { return nil }
        for routes in patterns[count] {
            guard let parameters = routes[0].match(path) else { continue }
            if let answer = body(routes, parameters) { return answer }
        }
        return nil
    }
}
