// Every spelling of every parameter on every endpoint: known, or refused without an effect.
import Base
import Downloads
import Store
import Testing

@testable import API

@Suite struct QueryTests {
    /// Spellings of a name that a careless reader takes for another.
    private static func spellings(_ name: String) -> [String] {
        let bytes = Array(name.utf8)
        let all = bytes.map { "%" + String($0, radix: 16) }.joined()
        let first = "%" + String(bytes[0], radix: 16, uppercase: true) + name.dropFirst()
        return [
            name, all, first, name + "[]", name + "%5B%5D", name + "[x]", name + "%5bx%5D",
            name + "[x][y]", name + "[x[0]]", name + "][", name + "[x", name + "x]",
            "[" + name + "]",
            name + "[0]", name + ".", name + "%20", "%20" + name, name + "+", "+" + name,
            name + "%09", name.uppercased(), name + "%E2%80%8B", name + "%CC%81", name + ":",
            name + ";a", name + ",a", "x" + name, String(name.dropLast()), name + "%2500",
        ]
    }

    /// Whether a decoded name is a parameter of a route.
    private static func isKnown(_ name: String, _ route: Route, among routes: [Route]) -> Bool {
        // The declaration of GET answers HEAD as well.
        let lines = routes.filter { $0.path == route.path }
        let route = route.method == "HEAD" ? lines.first { $0.method == "GET" } ?? route : route
        return route.query.contains { parameter in
            switch parameter.kind {
            case .single, .list: Array(parameter.name.utf8) == Array(name.utf8)
            case .map:
                ["[x]", "[0]", "[x[0]]"].contains { name == parameter.name + $0 }
            }
        }
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func unknownParametersAreRefusedWithoutEffect() async throws {
        let world = try APIWorld.alone()
        let routes = world.routes
        let parameters = Set(routes.flatMap { $0.query.map(\.name) } + ["x"])
        var refused = 0
        // A body that streams has a type of its own, which is judged first.
        for route in routes where !route.streamsBody && !route.ignoresQuery {
            let path = route.path
                .replacing("{id}", with: "dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C")
                .replacing("{identifier}", with: "s").replacing("{slug}", with: "not-found")
            for spelling in parameters.sorted().flatMap(QueryTests.spellings) {
                let name = QueryTests.decoded(spelling)
                guard !name.isEmpty, !QueryTests.isKnown(name, route, among: routes)
                else { continue }
                let before = world.told.now.reports.count
                let reply = await world.send(
                    route.method, "\(path)?\(spelling)=true", route.method == "GET" ? nil : "{}")
                #expect(reply.status == 422, "\(route.operation) \(spelling): \(reply.text)")
                #expect(reply.pointers == ["?" + name], "\(route.operation) \(spelling)")
                // The store does not answer, so every query that reaches it is reported.
                #expect(world.told.now.reports.count == before, "\(route.operation) \(spelling)")
                refused += 1
            }
        }
        #expect(refused > 5000)
        #expect(world.told.now.hints == 0)
    }

    @Test func repeatedParametersAreRefused() async throws {
        let world = try APIWorld.alone()
        for route in world.routes {
            let path = route.path.replacing("{id}", with: "dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C")
            for parameter in route.query where parameter.kind != .list {
                let name = parameter.kind == .map ? parameter.name + "[x]" : parameter.name
                for second in [name, QueryTests.spellings(name)[1]] {
                    let reply = await world.send(
                        route.method, "\(path)?\(name)=1&\(second)=1",
                        route.method == "GET" ? nil : "{}")
                    reply.expectProblem("validation-failed", status: 422)
                    #expect(reply.pointers == ["?" + name], "\(route.operation)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("state=failed,waiting", ["failed", "waiting"]),
            ("state=failed&state=waiting", ["failed", "waiting"]),
            ("state=failed&limit=3&%73tate=waiting,running", ["failed", "running", "waiting"]),
            ("state=failed&state=failed", ["failed"]),
        ])
    func listParametersTakeCommasOrRepetition(_ query: String, _ states: [String]) throws {
        let filter = try ListFilter(Query(query, known: ListFilter.parameters))
        #expect(filter.filter.states.map(\.rawValue).sorted() == states)
    }

    @Test(
        arguments: [
            ("metadata[batch]=b1", ["batch": "b1"]), ("metadata%5Bbatch%5D=b1", ["batch": "b1"]),
            ("metadata[a]=1&metadata[b]=2", ["a": "1", "b": "2"]),
            ("metadata[x[0]]=1", ["x[0]": "1"]), ("metadata[a%26b]=%3D", ["a&b": "="]),
        ] as [(String, JSONObject)])
    func metadataFilterTakesBrackets(_ query: String, _ metadata: JSONObject) throws {
        let filter = try ListFilter(Query(query, known: ListFilter.parameters))
        #expect(filter.filter.metadata == metadata)
    }
}
