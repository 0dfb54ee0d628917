// Many slow or idle clients, and one that sends requests.
import Foundation
import HTTPServer
import HTTPWire
import Testing

@Suite struct CrowdTests {
    @Test func limitsConnectionsPerAddress() async throws {
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

    /// The number below which so many descriptors are free: a process inherits some.
    private static func bound(free: Int) -> Int32 {
        var (number, left): (Int32, Int) = (0, free)
        while left > 0 {
            if fcntl(number, F_GETFD) < 0 { left -= 1 }
            number += 1
        }
        return number
    }

    /// This runs in a process of its own, where nobody else opens descriptors.
    @Test func clientsGetNoDescriptorFromTheBoundOn() async {
        await #expect(processExitsWith: .success) {
            let bound = CrowdTests.bound(free: 40)
            let served = try await Served(ServerLimits(descriptors: Int(bound)), lanes: 1)
            var crowd: [Client] = []
            // Both ends of each connection are in this process.
            while crowd.count < 40 {
                let client = try await served.client()
                do {
                    guard try await client.ask(request("/a")).status == 200 else { break }
                } catch { break }
                crowd.append(client)
            }
            try #require((5...20).contains(crowd.count), "\(crowd.count) were served")
            let spare = dup(0)
            try #require(spare < bound + 3, "what is not a client's is free")
            close(spare)
            for client in crowd { await client.close() }
            var isServed = false
            for _ in 0..<1000 where !isServed {
                let client = try await served.client()
                do { isServed = try await client.ask(request("/b")).status == 200 } catch {}
                await client.close()
            }
            try #require(isServed, "where others left, clients are served again")
            await served.server.drain(grace: .seconds(20))
        }
    }

    /// This runs in a process of its own: its memory is counted, and that of other tests would
    /// change meanwhile.
    @Test func slowClientsDoNotDelayOthers() async {
        await #expect(processExitsWith: .success) { try await CrowdTests.withSlowClients() }
    }

    /// LULL_CROWD is the number of clients, 1,000 by default; both ends of each are
    /// in this process.
    private static func withSlowClients() async throws {
        var files = rlimit()
        try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0)
        files.rlim_cur = files.rlim_max
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0)
        let size = unsafe getenv("LULL_CROWD").flatMap { unsafe Int(String(cString: $0)) } ?? 1000
        let served = try await Served()
        // Partial headers, partial bodies, and clients that do not read.
        let beginnings = [
            "GET /a HTTP/1.1\r\nHost: a\r\nX-", "",
            request("/echo", "Content-Length: 100\r\n", method: "POST") + "some",
            request("/flood"),
        ]
        let healthy = try await served.client()
        #expect(try await healthy.ask(request("/a")).status == 200)
        let memory = try residentBytes()
        var crowd: [Client] = []
        for number in 0..<size {
            let client = try await served.client(receiveBuffer: 4096)
            try await client.send(beginnings[number % 4])
            crowd.append(client)
        }
        for number in 0..<100 {
            let answer = try await healthy.ask(request("/b\(number)"))
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("GET /b\(number) "))
        }
        // Of each answer only as much is kept as may wait for a slow reader, here with both ends.
        let growth = try residentBytes() - memory
        #expect(growth < size * 48 << 10, "\(growth) bytes more for \(size) clients")
        for client in crowd { await client.close() }
        #expect(try await healthy.ask(request("/c")).status == 200)
        await served.server.drain(grace: .seconds(20))
    }

    /// The resident memory of this process; see proc_pid_statm(5).
    private static func residentBytes() throws -> Int {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ")
        return try #require(Int(words[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
