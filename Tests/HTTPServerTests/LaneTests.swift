// Several loops that serve one address: the limits of one server hold over all its lanes.
import HTTPServer
import HTTPWire
import Testing

@Suite struct LaneTests {
    /// The number of lanes, and one client more than twice as many.
    static let sizes = [(lanes: 1, clients: 3), (lanes: 3, clients: 7)]

    private static func clients(_ count: Int, of served: Served) async throws -> [Client] {
        var clients: [Client] = []
        for _ in 0..<count {
            let client = try await served.client()
            #expect(try await client.ask(request("/a")).status == 200)
            clients.append(client)
        }
        return clients
    }

    @Test(arguments: sizes)
    func clientsAreDealtToTheLanesInTurnAndStay(_ size: (lanes: Int, clients: Int)) async throws {
        let served = try await Served(lanes: size.lanes)
        let clients = try await Self.clients(size.clients, of: served)
        var threads: [String] = []
        for client in clients {
            let first = try await client.ask(request("/thread")).text
            #expect(try await client.ask(request("/thread")).text == first)
            threads.append(first)
        }
        #expect(Set(threads).count == size.lanes)
        for place in size.lanes..<size.clients {
            #expect(threads[place] == threads[place - size.lanes])
        }
        #expect(await served.server.drain(grace: .seconds(20)))
    }

    @Test(arguments: sizes)
    func eachKindOfAnswerComesFromEachLane(_ size: (lanes: Int, clients: Int)) async throws {
        let served = try await Served(lanes: size.lanes)
        for client in try await Self.clients(size.clients, of: served) {
            #expect(try await client.ask(request("/later")).status == 200)
            #expect(try await client.ask(request("/stream")).text == "one two three")
            let echo = request("/echo", "Content-Length: 3\r\n", method: "POST") + "abc"
            #expect(try await client.ask(echo).text == "abc")
            #expect(try await client.ask(request("/big")).body == Served.bigBody)
            try await client.send("no request\r\n\r\n")
            #expect(try await client.reply().status == 400)
        }
        #expect(await served.server.drain(grace: .seconds(20)))
    }

    /// Whichever client leaves, on whatever lane, the next one in the listen queue is accepted.
    @Test(arguments: sizes)
    func connectionsAreBoundedOverAllLanes(_ size: (lanes: Int, clients: Int)) async throws {
        let gauges = ServerGauges()
        var limits = ServerLimits()
        limits.connections = size.clients
        let served = try await Served(limits, gauges: gauges, lanes: size.lanes)
        var clients = try await Self.clients(size.clients, of: served)
        #expect(gauges.connections == size.clients)
        for _ in 0..<size.clients {
            let next = try await served.client()
            try await next.send(request("/next"))
            await clients.removeFirst().close()
            #expect(try await next.reply().status == 200)
            #expect(gauges.connections == size.clients)
            clients.append(next)
        }
        #expect(await served.server.drain(grace: .seconds(20)))
        #expect(gauges.connections == 0)
    }

    @Test(arguments: sizes)
    func connectionsOfAnAddressAreBoundedOverAllLanes(
        _ size: (lanes: Int, clients: Int)
    ) async throws {
        let served = try await Served(
            ServerLimits(connectionsPerAddress: size.clients, countsLoopback: true),
            lanes: size.lanes)
        let clients = try await Self.clients(size.clients, of: served)
        for _ in 0..<size.lanes {
            #expect(try await served.client().rest().isEmpty)
        }
        #expect(try await clients[0].ask(request("/a")).status == 200)
        #expect(await served.server.drain(grace: .seconds(20)))
    }

    @Test(arguments: sizes)
    func drainEndsAllLanes(_ size: (lanes: Int, clients: Int)) async throws {
        let gauges = ServerGauges()
        let served = try await Served(gauges: gauges, lanes: size.lanes)
        let idle = try await Self.clients(size.clients, of: served)
        let busy = try await Self.clients(size.lanes, of: served)
        for client in busy { try await client.send(request("/hang")) }
        #expect(await served.notes.contains("/hang", times: size.lanes))
        async let drained = served.server.drain(grace: .seconds(60))
        for client in idle { #expect(try await client.rest().isEmpty) }
        for client in busy {
            try await client.finish()
            #expect(try await client.reply().fields["connection"] == "close")
        }
        #expect(await drained)
        #expect(gauges.connections == 0 && gauges.requests == 0)
        let late = Client(served.address)
        await #expect(throws: Client.Failure.self) { try await late.open() }
    }

    @Test(arguments: sizes)
    func drainEndsWithTheGraceOnEachLane(_ size: (lanes: Int, clients: Int)) async throws {
        let served = try await Served(lanes: size.lanes)
        let busy = try await Self.clients(size.lanes, of: served)
        for client in busy { try await client.send(request("/hang")) }
        #expect(await served.notes.contains("/hang", times: size.lanes))
        #expect(await !served.server.drain(grace: .milliseconds(50)))
        for client in busy { #expect(try await client.rest().isEmpty) }
        #expect(await served.notes.contains("cancelled", times: size.lanes))
    }

    @Test func whatIsObservedChangesOnAllLanes() async throws {
        let served = try await Served(lanes: 3)
        let clients = try await Self.clients(3, of: served)
        await served.server.observe(from: 400)
        for client in clients { #expect(try await client.ask(request("/quiet")).status == 200) }
        #expect(await served.server.drain(grace: .seconds(20)))
        #expect(!served.notes.all.contains("GET /quiet 200"))
    }

    /// Cores of a machine, and the lanes that it gets.
    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (8, 4), (16, 8), (128, 8)])
    func aMachineWithTwoCoresHasOneLane(_ row: (cores: Int, lanes: Int)) {
        #expect(Server.lanes(processors: row.cores) == row.lanes)
    }
}
