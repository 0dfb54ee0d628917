// A service without keys and the pages of strangers.
import Testing

@testable import API

@Suite struct HostPolicyTests {
    @Test(
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("127.0.0.1:1", true), ("[::1]", true),
            ("[::1]:8080", true), ("LOCALHOST", true), ("localhost.evil.example", false),
            ("127.0.0.1.nip.io", false), ("evil.example", false), ("10.0.0.1", false),
            ("[::2]", false), ("", false), ("127.0.0.10", false),
        ])
    func recognizesLoopbackHosts(_ authority: String, _ isLoopback: Bool) {
        #expect(HostPolicy.isLoopback(authority) == isLoopback)
    }

    @Test func refusesOtherHostsThanLoopback() async throws {
        let world = try APIWorld.alone(hosts: .loopbackOnly)
        await #expect(world.send("GET", "/livez", authority: "localhost:8080").status == 200)
        await world.send("GET", "/livez", authority: "evil.example")
            .expectProblem("forbidden", status: 403)
        await world.send("GET", "/livez", authority: nil).expectProblem("forbidden", status: 403)
        await #expect(
            world.send("GET", "/livez", authority: "evil.example", peer: "unix").status == 200)
    }

    @Test func refusesChangesFromOtherOrigins() async throws {
        let world = try APIWorld.alone(hosts: .loopbackOnly)
        for origin in ["https://evil.example", "null", "http://localhost:3000"] {
            let reply = await world.send(
                "POST", "/v1/downloads", "{}", headers: [("Origin", origin)],
                authority: "localhost:8080")
            reply.expectProblem("forbidden", status: 403)
        }
        let own = await world.send(
            "POST", "/v1/downloads", "{}", headers: [("Origin", "http://localhost:8080")],
            authority: "localhost:8080")
        own.expectProblem("validation-failed", status: 422)
    }

    /// Every method and route, from every site, over TCP and over a Unix socket.
    @Test func refusesCrossSiteRequestsBelowV1() async throws {
        let world = try APIWorld.alone(hosts: .loopbackOnly)
        let sites: [([String], Bool)] = [
            ([], true), (["same-origin"], true), (["none"], true), (["none", "none"], true),
            (["cross-site"], false), (["same-site"], false), ([""], false), (["NONE"], false),
            (["none, cross-site"], false), (["none", "cross-site"], false), (["x"], false),
        ]
        let paths = Set(world.routes.map(\.path)).map {
            $0.replacing("{id}", with: "dl_1").replacing("{identifier}", with: "-")
        }
        for path in paths + ["/v1/nothing", "/v1/"] {
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"] {
                for (values, isOwn) in sites {
                    for peer in ["127.0.0.1:9", "unix"] {
                        let reply = await world.send(
                            method, path, headers: values.map { ("Sec-Fetch-Site", $0) },
                            authority: "localhost:8080", peer: peer)
                        let isRefused = path.hasPrefix("/v1/") && !isOwn
                        #expect(
                            (reply.status == 403) == isRefused,
                            "\(method) \(path) \(values) \(peer)")
                    }
                }
            }
        }
        let open = try APIWorld.alone(hosts: .any)
        let reply = await open.send(
            "GET", "/v1/downloads/dl_1", headers: [("Sec-Fetch-Site", "cross-site")])
        #expect(reply.status == 404)
    }
}
