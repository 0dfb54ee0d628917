// Paths, methods and queries without a route, and the fields that every answer has.
import Base
import HTTPWire
import Testing

@testable import API

@Suite struct RouterTests {
    @Test(
        arguments: [
            ("GET", "/nothing", "openapi.yaml"), ("GET", "/v1/downloads/", "last slash"),
            ("GET", "/healthz", "/livez"),
            ("POST", "/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C/pause", "/suspend"),
            ("GET", "/v1/downloads/%zz", "openapi.yaml"), ("GET", "//", "last slash"),
            ("GET", "/v1/downloads/dl_1", "dl_"),
            ("GET", "/v1/sessions/-x", "identifier"),
            ("GET", "/v1/sessions/a%2Fb", "identifier"),
        ])
    func unknownPathsAre404(_ method: String, _ path: String, _ hint: String) async throws {
        let reply = try await APIWorld.alone().send(method, path)
        reply.expectProblem("not-found", status: 404)
        #expect(reply.json["detail"]?.stringValue?.contains(hint) == true)
    }

    @Test(
        arguments: [
            ("PATCH", "/v1/downloads", "POST, GET, HEAD"), ("POST", "/livez", "GET, HEAD"),
            ("PUT", "/v1/downloads/dl_1", "GET, HEAD, PATCH, DELETE"),
            ("GET", "/v1/downloads/dl_1/cancel", "POST"),
            ("PATCH", "/v1/policy", "DELETE, GET, HEAD, PUT"),
            ("QUERY", "/v1/downloads", "POST, GET, HEAD"), ("TRACE", "/livez", "GET, HEAD"),
            ("VERSION-CONTROL", "/v1/policy", "DELETE, GET, HEAD, PUT"),
            ("POST", "/v1/downloads/dl_1/content", "GET, HEAD, DELETE"),
        ])
    func otherMethodsAre405WithAllow(_ method: String, _ path: String, _ allow: String) async throws
    {
        let reply = try await APIWorld.alone().send(method, path)
        reply.expectProblem("method-not-allowed", status: 405)
        #expect(
            Set((reply["Allow"] ?? "").split(separator: ", ")) == Set(allow.split(separator: ", ")))
    }

    @Test(
        arguments: [
            Rejection.timeout,
            Rejection(status: 414, code: "uri-too-long", detail: "It is too long."),
        ])
    func invalidRequestsGetAProblem(_ rejection: Rejection) throws {
        let router = Router(try APIWorld.alone().dependencies)
        let outline = RequestOutline(method: "GET", path: "/v1/downloads", peer: "")
        let reply = Reply(response: router.refuse(rejection, of: outline))
        reply.expectProblem(rejection.code, status: rejection.status)
        #expect(reply.json["detail"]?.stringValue == rejection.detail)
        #expect(reply.json["instance"] == "/v1/downloads")
        let nothing = RequestOutline(method: nil, path: nil, peer: "")
        let pathless = Reply(response: router.refuse(rejection, of: nothing))
        pathless.expectProblem(rejection.code, status: rejection.status)
        let id = try #require(pathless["X-Request-Id"])
        #expect(
            pathless.json["instance"]?.stringValue == "/problems/\(rejection.code)#\(id)")
    }

    @Test func everyParserRejectionIsAProblemKind() throws {
        // Every code of the parser is a kind of problem.
        let texts = [
            "GET /#f HTTP/1.1\r\n", "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n",
            "BREW / HTTP/1.1\r\n", "GET / HTTP/2.0\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 9000))\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n",
        ]
        var codes: Set<String> = []
        for text in texts {
            var parser = RequestParser()
            let bytes = Array(text.utf8)
            parser.feed(bytes.span)
            guard case .reject(let rejection) = parser.next() else {
                Issue.record("nothing is wrong with \(text.prefix(60))")
                continue
            }
            let kind = try #require(ProblemKind(rawValue: rejection.code))
            #expect(kind.status == rejection.status)
            codes.insert(rejection.code)
        }
        #expect(codes.count == texts.count)
    }

    @Test(
        arguments: [
            ("/v1/downloads?limit=0", "?limit"), ("/v1/downloads?limit=201", "?limit"),
            ("/v1/downloads?limit=ten", "?limit"), ("/v1/downloads?limit=", "?limit"),
            ("/v1/downloads?limit=%2B5", "?limit"), ("/v1/downloads?limit=1&limit=2", "?limit"),
            ("/v1/downloads?sort=x", "?sort"), ("/v1/downloads?cursor=nonsense", "?cursor"),
            ("/v1/downloads?state=waiting,done", "?state"), ("/v1/downloads?state=", "?state"),
            ("/v1/downloads?session=-a", "?session"),
            ("/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C?wait=61", "?wait"),
            ("/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C?wait=-1", "?wait"),
            ("/v1/policy?x=1", "?x"), ("/livez?x=1", "?x"), ("/?a=b", "?a"),
        ])
    func invalidParametersAre422(_ target: String, _ pointer: String) async throws {
        let reply = try await APIWorld.alone().send("GET", target)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == [pointer])
    }

    @Test(arguments: ["/livez?x", "/livez?=1", "/livez?x=%ff", "/livez?x=1&&y=2"])
    func undecodableQueriesAre400(_ target: String) async throws {
        try await APIWorld.alone().send("GET", target)
            .expectProblem("malformed-request", status: 400)
    }

    @Test func answersPagesAndRequestIDs() async throws {
        let world = try APIWorld.alone()
        await #expect(world.send("GET", "/livez").text == "ok\n")
        await #expect(world.send("GET", "/livez?").status == 200)
        await #expect(world.send("HEAD", "/livez").status == 200)
        await #expect(world.send("OPTIONS", "*").status == 204)
        await #expect(
            world.send("GET", "/version").json
                == ["name": "lull", "version": "1.2.3", "auth": "keys"])
        await #expect(world.send("GET", "/").text.contains("Lull 1.2.3"))
        var ids: Set<String> = []
        for _ in 0..<100 {
            let id = try #require(await world.send("GET", "/livez")["X-Request-Id"])
            #expect(Identifier(id, kind: .request) != nil)
            ids.insert(id)
        }
        #expect(ids.count == 100)
    }

    @Test func readyzListsItsChecks() async throws {
        let world = try APIWorld.alone()
        world.told.change {
            $0.checks = [ReadinessCheck(name: "database", isOK: true, detail: "it answers")]
        }
        let ready = await world.send("GET", "/readyz")
        #expect(ready.status == 200 && ready.json["is_ready"] == true)
        #expect(ready.json["checks"]?[0]?["name"] == "database")
        world.told.change {
            $0.checks.append(ReadinessCheck(name: "disk", isOK: false, detail: "it is full"))
        }
        let unready = await world.send("GET", "/readyz")
        unready.expectProblem("not-ready", status: 503)
        #expect(unready.json["is_ready"] == false && unready.json["checks"]?[1]?["is_ok"] == false)
    }

    @Test func anUnreachableDatabaseIs503() async throws {
        let world = try APIWorld.alone()
        let reply = await world.send("GET", "/v1/downloads")
        reply.expectProblem("database-unavailable", status: 503)
        #expect(Int(reply["Retry-After"] ?? "") ?? 0 >= 1)
        #expect(world.told.now.reports.count == 1)
    }
}
