// The addresses of a server, and its end.
import Glibc
import HTTPServer
import HTTPWire
import Platform
import Testing

@Suite struct DrainTests {
    @Test func drainAnswersRequestsAndClosesIdleConnections() async throws {
        let served = try await Served()
        let idle = try await served.client()
        #expect(try await idle.ask(request("/a")).status == 200)
        let busy = try await served.client()
        try await busy.send(request("/hang"))
        #expect(await served.notes.contains("/hang"))
        async let drained = served.server.drain(grace: .seconds(60))
        #expect(try await idle.rest().isEmpty)
        try await busy.finish()  // This cancels the work, whose answer still comes.
        let reply = try await busy.reply()
        #expect(reply.status == 200)
        #expect(reply.fields["connection"] == "close")
        #expect(try await busy.rest().isEmpty)
        #expect(await drained)
        let late = Client(served.address)
        await #expect(throws: Client.Failure.self) { try await late.open() }
    }

    @Test func answersThatAreMadeWhileADrainBeginsReachClientsThatSaidAll() async throws {
        for _ in 0..<5 {
            let served = try await Served()
            var clients: [Client] = []
            for _ in 0..<16 {
                let client = try await served.client()
                try await client.send(request("/hang"))
                clients.append(client)
            }
            while served.notes.all.count(where: { $0 == "/hang" }) < clients.count {
                try await Task.sleep(for: .milliseconds(1))
            }
            async let drained = served.server.drain(grace: .seconds(60))
            for client in clients { try await client.finish() }
            for client in clients { #expect(try await client.reply().status == 200) }
            #expect(await drained)
        }
    }

    @Test func drainEndsWithTheGrace() async throws {
        let served = try await Served()
        let client = try await served.client()
        try await client.send(request("/hang"))
        #expect(await served.notes.contains("/hang"))
        #expect(await !served.server.drain(grace: .milliseconds(50)))
        #expect(try await client.rest().isEmpty)
        #expect(await served.notes.contains("cancelled"))
        #expect(await served.server.drain(grace: .seconds(1)), "a second call returns at once")
    }

    @Test func drainWritesBlockedAnswers() async throws {
        let served = try await Served()
        let client = try await served.client(receiveBuffer: 4096)
        try await client.send(request("/big"))
        #expect(await served.notes.contains("GET /big 200"))
        async let drained = served.server.drain(grace: .seconds(60))
        #expect(try await client.reply().body == Served.bigBody)
        #expect(try await client.rest().isEmpty)
        #expect(await drained)
    }

    @Test func servesAUnixSocketAndRemovesItsFile() async throws {
        let path = "/tmp/lull-http-\(getpid())-serve.sock"
        let served = try await Served(at: "unix:\(path)")
        #expect(served.address == .unix(path: path))
        let client = try await served.client()
        #expect(try await client.ask(request("/a")).text == "GET /a unix")
        let second = Server(addresses: [served.address]) { _ in .now(Response(status: 200)) }
        await #expect(throws: ServerError.self) { try await second.open() }
        await served.server.drain(grace: .seconds(20))
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func replacesStaleSocketFilesOnly() async throws {
        let path = "/tmp/lull-http-\(getpid())-stale.sock"
        defer { unsafe unlink(path) }
        let first = try await Served(at: "unix:\(path)")
        let kept = path + ".kept"
        #expect(unsafe link(path, kept) == 0)
        await first.server.drain(grace: .seconds(20))
        #expect(unsafe rename(kept, path) == 0)
        let second = try await Served(at: "unix:\(path)")
        #expect(try await second.client().ask(request("/a")).status == 200)
        await second.server.drain(grace: .seconds(20))
        let file = try TemporaryFile(bytes: 3)
        let server = Server(addresses: [.unix(path: file.path)]) { _ in
            .now(Response(status: 200))
        }
        await #expect(throws: ServerError.self) { try await server.open() }
        #expect(unsafe access(file.path, F_OK) == 0)
    }

    /// Between fork(2) and execve(2) another process has every descriptor of this one.
    @Test func aDrainedServerRefusesWhereACopyOfItsSocketIsLeft() async throws {
        let served = try await Served()
        let copies = (3..<4096).filter { listens($0, at: served.address) }.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(!copies.isEmpty)
        await served.server.drain(grace: .seconds(20))
        let late = Client(served.address)
        await #expect(throws: Client.Failure.self) { try await late.open() }
    }

    private func listens(_ descriptor: Int32, at address: ListenAddress) -> Bool {
        guard case .internet(_, let port) = address else { return false }
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
            isListening != 0
        else { return false }
        var bound = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &bound) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound && bound.sin_family == UInt16(AF_INET)
            && Int(UInt16(bigEndian: bound.sin_port)) == port
    }

    @Test func opensAllAddressesOrNone() async throws {
        let taken = try await Served()
        let path = "/tmp/lull-http-\(getpid())-none.sock"
        let server = Server(addresses: [.unix(path: path), taken.address]) { _ in
            .now(Response(status: 200))
        }
        do {
            _ = try await server.open()
            Issue.record("the second address is taken")
        } catch {
            #expect(error.code == "address-in-use")
            #expect(error.address == taken.address.description)
        }
        #expect(unsafe access(path, F_OK) != 0)
        await taken.server.drain(grace: .seconds(20))
    }
}

@Suite struct ListenAddressTests {
    @Test(arguments: [
        "127.0.0.1:8080", "[::1]:8080", "0.0.0.0:0", "[::]:65535", "unix:/run/a.sock",
    ])
    func addressesAreReadAndWritten(_ text: String) {
        #expect(ListenAddress(text)?.description == text)
    }

    @Test(arguments: [
        "", "127.0.0.1", ":8080", "localhost:80", "127.0.0.1:", "127.0.0.1:65536", "::1:80",
        "[127.0.0.1]:80", "127.0.0.1:+80", "[::1:80", "unix:", "1.2.3.4:80 ",
        "unix:/" + String(repeating: "a", count: 107),
    ])
    func refusesInvalidAddresses(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
