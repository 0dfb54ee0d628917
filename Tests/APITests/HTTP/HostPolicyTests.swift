// A service without keys, and requests from web pages of other sites.
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
        let world = try APIWorld.alone(hosts: .loopbackOnly(takesForwarded: false))
        await #expect(world.send("GET", "/livez", authority: "localhost:8080").status == 200)
        await world.send("GET", "/livez", authority: "evil.example")
            .expectProblem("forbidden", status: 403)
        await world.send("GET", "/livez", authority: nil).expectProblem("forbidden", status: 403)
        await #expect(
            world.send("GET", "/livez", authority: "evil.example", peer: "unix").status == 200)
    }

    /// A proxy on this machine makes every request local; its own word tells that it is not.
    @Test(arguments: ["127.0.0.1:9", "unix"])
    func refusesWhatAProxyForwardsUnlessNoKeyIsNeededOnPurpose(_ peer: String) async throws {
        let fields = [
            ("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-For", "127.0.0.1"),
            ("forwarded", "for=203.0.113.7"), ("X-Real-IP", "203.0.113.7"),
        ]
        for (takes, field) in [true, false].flatMap({ takes in fields.map { (takes, $0) } }) {
            let world = try APIWorld.alone(hosts: .loopbackOnly(takesForwarded: takes))
            for (method, path) in [("GET", "/v1/downloads/dl_1"), ("POST", "/v1/downloads")] {
                let reply = await world.send(
                    method, path, "{}", headers: [field], authority: "localhost", peer: peer)
                #expect((reply.status == 403) == !takes, "\(method) \(field)")
                if !takes { #expect(reply.text.contains("LULL_AUTH=keys")) }
            }
        }
        let world = try APIWorld.alone(hosts: .any)
        let reply = await world.send(
            "GET", "/v1/downloads/dl_1", headers: fields, authority: "lull.example", peer: peer)
        #expect(reply.status != 403)
    }

    /// Every `Origin` over TCP and over a Unix socket, where a proxy may name any host and end TLS.
    @Test func refusesChangesFromOtherOrigins() async throws {
        let world = try APIWorld.alone(hosts: .loopbackOnly(takesForwarded: false))
        let (tcp, unix) = ("127.0.0.1:9", "unix")
        let own = "localhost:8080"
        let rows: [(peer: String, host: String?, origins: [String], isOwn: Bool)] = [
            (tcp, own, [], true), (unix, own, [], true), (unix, "lull.example", [], true),
            (unix, nil, [], true),
            (tcp, own, ["http://localhost:8080"], true),
            (unix, own, ["http://localhost:8080"], true),
            (unix, own, ["HTTP://LocalHost:8080"], true),
            (unix, "lull.example", ["https://lull.example"], true),
            (tcp, own, ["https://localhost:8080"], false),
            (tcp, own, ["https://evil.example"], false),
            (unix, own, ["https://evil.example"], false),
            (tcp, own, ["null"], false), (unix, own, ["null"], false),
            (unix, nil, ["null"], false), (unix, nil, ["http://"], false),
            (tcp, own, ["http://localhost:3000"], false),
            (unix, own, ["http://localhost:3000"], false),
            (unix, "lull.example", ["http://lull.example.evil.example"], false),
            (unix, own, ["http://localhost:8080", "https://evil.example"], false),
            (tcp, own, ["http://localhost:8080", "https://evil.example"], false),
        ]
        for row in rows {
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let reply = await world.send(
                    method, "/v1/downloads", "{}", headers: row.origins.map { ("Origin", $0) },
                    authority: row.host, peer: row.peer)
                #expect((reply.status != 403) == row.isOwn, "\(method) \(row)")
            }
            let read = await world.send(
                "GET", "/v1/downloads/dl_1", headers: row.origins.map { ("Origin", $0) },
                authority: row.host, peer: row.peer)
            #expect(read.status == 404, "\(row)")
        }
    }

    /// Every method and route, from every site, over TCP and over a Unix socket.
    @Test func refusesCrossSiteRequestsBelowV1() async throws {
        let world = try APIWorld.alone(hosts: .loopbackOnly(takesForwarded: false))
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
