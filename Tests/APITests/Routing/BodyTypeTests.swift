// The bodies that a route reads: every route with every kind of declaration.
import HTTPWire
import Testing

@testable import API

@Suite struct BodyTypeTests {
    private static let fields: [(field: String?, type: String)] = [
        ("application/json", "application/json"),
        ("Application/JSON; charset=UTF-8", "application/json"),
        (" application/json ;", "application/json"),
        ("application/merge-patch+json", "application/merge-patch+json"),
        ("text/uri-list", "text/uri-list"), (nil, "-"), ("", "-"), ("*/*", "-"),
        ("application/*", "-"), ("application/problem+json", "-"), ("text/json", "-"),
        ("application/jsonp", "-"), ("application/json-patch+json", "-"), ("text/plain", "-"),
        ("application/x-www-form-urlencoded", "-"), ("multipart/form-data; boundary=x", "-"),
        ("application/json, application/json", "-"), ("\"application/json\"", "-"),
    ]

    private func path(_ route: Route) -> String {
        route.path.replacing("{id}", with: "dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C")
            .replacing("{identifier}", with: "a").replacing("{name}", with: "a")
    }

    private func types(_ route: Route) -> (list: [String], advice: String) {
        switch (route.method, route.operation) {
        case (_, "createDownloads"): (["application/json", "text/uri-list"], "Accept-Post")
        case ("POST", _): (["application/json"], "Accept-Post")
        case ("PATCH", _):
            (["application/merge-patch+json", "application/json"], "Accept-Patch")
        default: (["application/json"], "Accept")
        }
    }

    /// A body that is read reaches the database, which does not answer, or is found invalid.
    @Test func everyRouteReadsItsContentTypesOnly() async throws {
        let world = try APIWorld.alone()
        var count = 0
        for route in world.routes
        where ["POST", "PUT", "PATCH"].contains(route.method) && !route.streamsBody
            && route.body != ["*/*"]
        {
            let (list, advice) = types(route)
            for (field, type) in BodyTypeTests.fields {
                let headers = field.map { [("Content-Type", $0)] } ?? []
                let reply = await raw(world, route.method, path(route), "{}", headers)
                count += 1
                if list.contains(type) {
                    #expect(reply.status != 415, "\(route.operation) \(field ?? "-")")
                } else {
                    reply.expectProblem("unsupported-media-type", status: 415)
                    #expect(reply[advice] == list.joined(separator: ", "))
                }
            }
            let twice = [("Content-Type", "application/json"), ("Content-Type", "text/plain")]
            await raw(world, route.method, path(route), "{}", twice)
                .expectProblem("unsupported-media-type", status: 415)
        }
        #expect(count > 150)
    }

    @Test(arguments: [
        ("gzip", false), ("GZIP", false), ("x-gzip", false), ("br", false),
        ("identity, gzip", false),
        ("gzip, identity", false), ("identity", true), ("Identity", true), ("", true),
        (" , ,", true),
        ("identity,identity", true), ("deflate;q=1", false), ("*", false),
    ])
    func everyRouteRefusesContentEncoding(_ coding: String, _ isPlain: Bool) async throws {
        let world = try APIWorld.alone()
        for route in world.routes where !route.streamsBody {
            let reply = await raw(
                world, route.method, path(route), route.body.isEmpty ? "" : "{}",
                [("Content-Type", "application/json"), ("Content-Encoding", coding)])
            if isPlain {
                #expect(reply.status != 415, "\(route.operation)")
            } else {
                reply.expectProblem("unsupported-media-type", status: 415)
                #expect(reply["Accept-Encoding"] == "identity")
                #expect(reply["Accept-Post"] == nil && reply["Accept-Patch"] == nil)
            }
        }
    }

    private func raw(
        _ world: APIWorld, _ method: String, _ path: String, _ body: String,
        _ headers: [(String, String)]
    ) async -> Reply {
        var fields = HeaderFields()
        for (name, value) in headers { fields.append(name, value) }
        let request = Request(
            method: method, path: path, headers: fields, body: Array(body.utf8),
            authority: "lull.example", peer: "127.0.0.1:9")
        switch world.handler(request) {
        case .now(let response): return Reply(response: response)
        case .later(let work): return Reply(response: await work())
        }
    }
}
