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
    func loopbackNames(_ authority: String, _ isLoopback: Bool) {
        #expect(HostPolicy.isLoopback(authority) == isLoopback)
    }

    @Test func onlyLoopbackHostsAreAnswered() async throws {
        let world = try APIWorld.alone(hosts: .loopbackOnly)
        await #expect(world.send("GET", "/livez", authority: "localhost:8080").status == 200)
        await world.send("GET", "/livez", authority: "evil.example")
            .expectProblem("forbidden", status: 403)
        await world.send("GET", "/livez", authority: nil).expectProblem("forbidden", status: 403)
        await #expect(
            world.send("GET", "/livez", authority: "evil.example", peer: "unix").status == 200)
    }

    @Test func pagesOfOtherSitesChangeNothing() async throws {
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
}
