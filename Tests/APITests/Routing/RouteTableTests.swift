// The table of routes and openapi.yaml say the same.
import Foundation
import Testing

@testable import API

@Suite struct RouteTableTests {
    struct Line: Hashable, CustomStringConvertible {
        let method: String
        let path: String
        let operation: String
        var description: String { "\(method) \(path) \(operation)" }
    }

    @Test func everyRouteIsDescribedAndNothingElse() throws {
        let described = try RouteTableTests.scan().map(\.line)
        let routes = Router.routes.map {
            Line(method: $0.method, path: $0.path, operation: $0.operation)
        }
        #expect(described.count == routes.count)
        #expect(Set(described) == Set(routes))
        #expect(Set(routes.map(\.operation)).count == routes.count)
    }

    @Test func everyQueryParameterIsDescribedAndNothingElse() throws {
        for (line, query) in try RouteTableTests.scan() {
            let route = try #require(Router.routes.first { $0.operation == line.operation })
            #expect(Set(query) == Set(route.query.map(\.name)), "\(line)")
        }
    }

    @Test func aPathFindsTheSameLinesAsAWalkThroughAllOfThem() {
        let paths = Router.routes.map { $0.path.replacing(/\{[a-z]+\}/, with: "a%20b") }
        for path in paths + ["/", "/v1", "/v1/", "/livez/", "/v1/downloads/", "/problems/a/b"] {
            let parts = path[...].utf8.dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let all = Router.routes.compactMap { route in
                route.match(parts).map { (route.operation, $0) }
            }
            let named = all.filter { $0.1.isEmpty }
            let found = Router.table.matches(path)
            let wanted = named.isEmpty ? all : named
            #expect(found.map(\.route.operation) == wanted.map(\.0), "\(path)")
            #expect(found.map(\.parameters) == wanted.map(\.1), "\(path)")
        }
        #expect(Router.table.matches("/v1/downloads/batch").count == 1)
        #expect(Router.table.matches("/v1/downloads/x").map(\.parameters) == [["x"], ["x"], ["x"]])
    }

    @Test func everyProblemIsDescribedAndNothingElse() throws {
        let text = String(decoding: APIDescription.bytes, as: UTF8.self)
        let list = try #require(
            text.firstMatch(
                of: /The last part of `type`\.\n +type: string\n +enum:\n((?: +- .*\n)+)/))
        let slugs = list.1.split(separator: "\n").map { $0.trimmingCharacters(in: ["-", " "]) }
        #expect(Set(slugs) == Set(ProblemKind.allCases.map(\.rawValue)))
    }

    @Test func theDescriptionIsTheFileOfTheRepository() async throws {
        let file = try Data(contentsOf: repository.appending(path: "openapi.yaml"))
        #expect(Array(file) == APIDescription.bytes)
        let reply = try await APIWorld.alone().send("GET", "/openapi.yaml")
        #expect(reply.bytes == APIDescription.bytes)
        #expect(reply["Content-Type"] == "application/yaml")
    }

    /// Paths, methods, operationIds and names of query parameters, by their indentation.
    private static func scan() throws -> [(line: Line, query: [String])] {
        let text = String(decoding: APIDescription.bytes, as: UTF8.self)
        let start = try #require(text.range(of: "\npaths:\n")).upperBound
        let end = try #require(text.range(of: "\nwebhooks:\n")).lowerBound
        var found: [(line: Line, query: [String])] = []
        var path = "", method = "", name = ""
        for line in text[start..<end].split(separator: "\n") {
            if let match = line.wholeMatch(of: /[ ]{2}(\/.*):/) {
                path = String(match.1)
            } else if let match = line.wholeMatch(of: /[ ]{4}([a-z]+):/) {
                method = match.1.uppercased()
            } else if let match = line.wholeMatch(of: /[ ]{6}operationId: (.+)/) {
                found.append((Line(method: method, path: path, operation: String(match.1)), []))
            } else if let match = line.wholeMatch(of: /[ ]{8}- name: (.+)/) {
                name = String(match.1)
            } else if line == "          in: query", !found.isEmpty {
                found[found.count - 1].query.append(name)
            }
        }
        return found
    }
}
