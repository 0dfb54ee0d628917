// Many clients that want little, and one that wants something.
import Glibc
import HTTPServer
import HTTPWire
import Testing

@Suite struct CrowdTests {
    @Test func oneAddressCannotTakeEverything() async throws {
        let served = try await Served(
            ServerLimits(connectionsPerAddress: 3, countsLoopback: true))
        var crowd: [Client] = []
        for _ in 0..<3 {
            let client = try await served.client()
            #expect(try await client.ask(request("/a")).status == 200)
            crowd.append(client)
        }
        #expect(try await served.client().rest().isEmpty, "the fourth is let go")
        await crowd[0].close()
        var isServed = false
        for _ in 0..<1000 where !isServed {
            let next = try await served.client()
            do { isServed = try await next.ask(request("/b")).status == 200 } catch {}
        }
        #expect(isServed, "a place that was left is free again")
        let unlimited = try await Served(ServerLimits(connectionsPerAddress: 1))
        for _ in 0..<3 {
            let client = try await unlimited.client()
            #expect(try await client.ask(request("/a")).status == 200)
            crowd.append(client)
        }
        await served.server.drain(grace: .seconds(20))
        await unlimited.server.drain(grace: .seconds(20))
    }

    @Test func slowClientsDoNotKeepOthersWaiting() async throws {
        // Both ends of a thousand connections are in this process.
        var files = rlimit()
        try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0)
        files.rlim_cur = files.rlim_max
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0)
        let served = try await Served()
        // Half heads, half bodies, and readers that take nothing.
        let beginnings = [
            "GET /a HTTP/1.1\r\nHost: a\r\nX-", "",
            request("/echo", "Content-Length: 100\r\n", method: "POST") + "some",
            request("/flood"),
        ]
        var crowd: [Client] = []
        for number in 0..<1000 {
            let client = try await served.client(receiveBuffer: 4096)
            try await client.send(beginnings[number % 4])
            crowd.append(client)
        }
        let healthy = try await served.client()
        for _ in 0..<100 {
            #expect(try await healthy.ask(request("/b")).status == 200)
        }
        for client in crowd { await client.close() }
        #expect(try await healthy.ask(request("/c")).status == 200)
        await served.server.drain(grace: .seconds(20))
    }
}
