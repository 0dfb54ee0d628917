// The phases of a transfer, and the failure after silence in each.
import Downloads
import Glibc
import Support
import Testing

@testable import Transfers

@Suite struct PhaseTests {
    @Test(arguments: [
        (TransferPhase.lookup, FailureCode.dnsLookupFailed),
        (.connect, .cannotConnectToHost), (.tls, .secureConnectionFailed),
        (.firstByte, .timedOut), (.body, .timedOut),
    ])
    func silenceHasACodeForEachPhase(_ phase: TransferPhase, _ code: FailureCode) {
        #expect(phase.timeout.code == code)
        #expect(phase.timeout.isRetryable)
        #expect(phase.timeout.isUnreachable == [.lookup, .connect].contains(phase))
    }

    @Test func eachPhaseHasItsOwnSentence() {
        #expect(
            Set(TransferPhase.allCases.map(\.timeout.description)).count
                == TransferPhase.allCases.count)
    }

    @Test func silentNameServerTimesOut() async throws {
        try await withLab { _ in
            []
        } _: { engine, _ in
            let result = try await engine.fetch("http://nobody.invalid/") {
                $0.lookupTimeout = .zero
            }
            #expect(result.phase == .lookup)
            let code = try #require(result.failure?.code)
            #expect([.dnsLookupFailed, .cannotFindHost].contains(code))
        }
    }

    /// A listener whose queue is full: the kernel drops new connections.
    @Test(arguments: ["http", "https"])
    func unacceptedConnectionTimesOut(_ scheme: String) async throws {
        let listener = try FullListener()
        defer { listener.close() }
        try await withLab { _ in
            []
        } _: { engine, _ in
            let result = try await engine.fetch("\(scheme)://127.0.0.1:\(listener.port)/") {
                $0.connectTimeout = .milliseconds(300)
            }
            #expect(result.failure?.code == .cannotConnectToHost)
            #expect(result.phase == .connect)
            #expect(result.isUnreachable)
        }
    }

    /// A server that waits for a request while the client waits for a handshake.
    @Test func silentTLSHandshakeTimesOut() async throws {
        try await withLab { _ in
            []
        } _: { engine, origin in
            let result = try await engine.fetch("https://127.0.0.1:\(origin.port)/") {
                $0.connectTimeout = .milliseconds(500)
            }
            #expect(result.failure?.code == .secureConnectionFailed)
            #expect(result.phase == .tls)
            #expect(origin.requests.isEmpty)
        }
    }

    @Test func silenceBeforeAndWithinTheBodyTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { request in
            request.target == "/head"
                ? [.wait(gate)]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .wait(gate)]
        } _: { engine, origin in
            for (target, phase) in [("/head", TransferPhase.firstByte), ("/body", .body)] {
                let result = try await engine.fetch(origin.url(target)) {
                    $0.idleTimeout = .milliseconds(500)
                }
                #expect(result.phase == phase)
                #expect(result.failure?.description == phase.timeout.description)
            }
        }
    }

    @Test func completeAnswerEndsInThePhaseBody() async throws {
        try await withLab { _ in
            OriginStep.answer(body: "x")
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url())
            #expect(result.phase == .body)
        }
    }
}

/// A socket that listens, with as many connections waiting as its queue holds.
private struct FullListener {
    let port: Int
    private let descriptors: [Int32]

    init() throws {
        let stream: Int32 = 1
        let nonBlocking: Int32 = 0o4000
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isOpen = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        try #require(isOpen)
        port = Int(UInt16(bigEndian: address.sin_port))
        var list = [listener]
        for _ in 0..<4 {
            let client = socket(AF_INET, stream | nonBlocking, 0)
            list.append(client)
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    // The connection is in progress: whether it ever ends does not matter.
                    _ = unsafe connect(client, pointer, size)
                }
            }
        }
        descriptors = list
    }

    func close() { for descriptor in descriptors { _ = Glibc.close(descriptor) } }
}
