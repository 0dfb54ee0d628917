// The declared routes and openapi.yaml agree.
import Downloads
import Foundation
import Testing

@testable import API

@Suite struct RouteTableTests {
    /// Both directions are compared: the operations of openapi.yaml and the routes are equal sets
    /// of values.
    @Test func routesEqualOpenAPIInBothDirections() throws {
        let described = try OpenAPIDocument().operations()
        let routes = try APIWorld.alone().routes
        #expect(described.map(\.name).sorted() == routes.map(\.operation).sorted())
        #expect(Set(routes.map(\.operation)).count == routes.count)
        for operation in described {
            let route = try #require(routes.first { $0.operation == operation.name })
            #expect(route.method == operation.method, "\(operation.name)")
            #expect(route.path == operation.path, "\(operation.name)")
            #expect(route.scope?.rawValue == operation.scope, "\(operation.name)")
            #expect(route.otherScope?.rawValue == operation.otherScope, "\(operation.name)")
            #expect(Set(route.body) == operation.body, "\(operation.name)")
            let hides =
                route.scope == .writeDownloads
                || route.scope == .writeUploads && !route.path.hasSuffix("/content")
            let unread = hides ? route.unread : nil
            #expect(unread == operation.unread, "\(operation.name)")
            #expect(RouteTableTests.parameters(route) == operation.parameters, "\(operation.name)")
            #expect(RouteTableTests.answers(route) == operation.answers, "\(operation.name)")
        }
    }

    private static func parameters(_ route: Route) -> Set<OpenAPIDocument.Place> {
        var places = route.query.map { OpenAPIDocument.Place(name: $0.name, place: "query") }
        places += route.headers.map { OpenAPIDocument.Place(name: $0.rawValue, place: "header") }
        if route.idempotency != .none {
            places.append(OpenAPIDocument.Place(name: "Idempotency-Key", place: "header"))
        }
        places += route.path.matches(of: /\{([a-z]+)\}/).map {
            OpenAPIDocument.Place(name: String($0.1), place: "path")
        }
        return Set(places)
    }

    /// The described answers of a route: declared ones, and problems; an answer that is given at
    /// once cannot fail.
    private static func answers(_ route: Route) -> [String: Set<String>] {
        let problem: Set = route.method == "HEAD" ? [] : ["application/problem+json"]
        var answers = ["4XX": problem]
        if case .later = route.work { answers["5XX"] = problem }
        for answer in route.answers { answers["\(answer.status)"] = Set(answer.types) }
        return answers
    }

    /// `KeyAuthenticator` requires a key by this prefix, before the route is looked up.
    @Test func exactlyTheRoutesBelowV1HaveAScope() throws {
        for route in try APIWorld.alone().routes {
            // The token of a wake or trigger takes the place of a key.
            let needsKey =
                route.path.hasPrefix("/v1/") && !route.path.hasPrefix("/v1/wakes/{token}/")
                && route.path != "/v1/triggers/{token}"
            // Any valid key may ask for its own rights.
            let hasScope = needsKey && route.operation != "getKey"
            #expect((route.scope != nil) == hasScope, "\(route.operation)")
            #expect(KeyAuthenticator.needsKey(route.path) == needsKey)
        }
    }

    /// Only routes that create or change something take a key, and of the POST routes all but
    /// these: the ones whose answers have a secret, which is not stored, and those authorised by a
    /// token of a wake or trigger, which may be repeated.
    @Test func exactlyThePOSTRoutesWithAnEffectTakeAnIdempotencyKey() throws {
        let others: Set = [
            "tryPolicy", "tryAppPolicy", "trySchedule", "explainPolicy",
            "createWebhookEndpoint", "rotateWebhookSecret",
            "attachSession", "completeWake", "extendWake", "createContentLink", "createKey",
            "createTrigger", "callTrigger",
        ]
        for route in try APIWorld.alone().routes {
            let hasEffect = route.method == "POST" && !others.contains(route.operation)
            #expect((route.idempotency != .none) == hasEffect, "\(route.operation)")
        }
    }

    @Test func lookupEqualsAScanOfTheTable() throws {
        let table = try APIWorld.alone().table
        let paths = table.routes.map { $0.path.replacing(/\{[a-z]+\}/, with: "a%20b") }
        for path in paths + ["/", "/v1", "/v1/", "/livez/", "/v1/downloads/", "/problems/a/b"] {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            let all = table.routes.compactMap { route -> (String, [String])? in
                guard route.segmentCount == parts.count - 1 else { return nil }
                return route.match(path).map { (route.operation, $0) }
            }
            let named = all.filter { $0.1.isEmpty }
            let found = table.matches(path)
            let wanted = named.isEmpty ? all : named
            #expect(found.map(\.route.operation) == wanted.map(\.0), "\(path)")
            #expect(found.map(\.parameters) == wanted.map(\.1), "\(path)")
        }
        #expect(table.matches("/v1/downloads/batch").count == 1)
        #expect(table.matches("/v1/downloads/x").map(\.parameters) == [["x"], ["x"], ["x"]])
    }

    @Test func problemsEqualOpenAPIInBothDirections() throws {
        let text = String(decoding: APIDescription.bytes, as: UTF8.self)
        let list = try #require(
            text.firstMatch(
                of: /The last part of `type`\.\n +type: string\n +enum:\n((?: +- .*\n)+)/))
        let slugs = list.1.split(separator: "\n").map { $0.trimmingCharacters(in: ["-", " "]) }
        #expect(Set(slugs) == Set(ProblemKind.allCases.map(\.rawValue)))
    }

    @Test func servesTheOpenAPIFileOfTheRepository() async throws {
        let file = try Data(contentsOf: repository.appending(path: "openapi.yaml"))
        #expect(Array(file) == APIDescription.bytes)
        let reply = try await APIWorld.alone().send("GET", "/openapi.yaml")
        #expect(reply.bytes == APIDescription.bytes)
        #expect(reply["Content-Type"] == "application/yaml")
    }
}
