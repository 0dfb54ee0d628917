// Bytes that no request asked for, on a connection that is kept.
import Support
import Testing

@testable import Transfers

@Suite struct StrayBytesTests {
    /// Answers after which the connection stays open.
    private static let answers: [(text: String, status: Int)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 200),
        ("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno", 404),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200),
        ("HTTP/1.1 204 None\r\n\r\n", 204),
        ("HTTP/1.1 304 Same\r\nETag: \"a\"\r\n\r\n", 304),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", 200),
        (
            "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200
        ),
    ]

    /// Bytes that follow one of these answers.
    private static let strays = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nWRONG",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nWR",
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "\r\n", "x",
    ]

    /// The place of stray bytes.
    private enum Place: CaseIterable {
        /// In the segment of the answer's end.
        case behind
        /// In a later segment, before the next request.
        case later
        /// In a later segment, after which the origin ends the connection.
        case atTheEnd
    }

    private struct Case {
        let answer: String
        let status: Int
        let stray: String
        let place: Place

        static let all = StrayBytesTests.answers.flatMap { answer in
            StrayBytesTests.strays.flatMap { stray in
                Place.allCases.map {
                    Case(answer: answer.text, status: answer.status, stray: stray, place: $0)
                }
            }
        }

        func steps(_ sent: OriginGate) -> [OriginStep] {
            switch place {
            case .behind: [.send(answer + stray), .open(sent)]
            case .later: [.send(answer), .rest(milliseconds: 2), .send(stray), .open(sent)]
            case .atTheEnd:
                [.send(answer), .rest(milliseconds: 1), .send(stray), .open(sent), .close]
            }
        }
    }

    /// An origin that answers `/N` by the case of that number, and all other requests correctly.
    private static func origin(_ gates: [OriginGate]) throws -> OriginServer {
        try OriginServer { request in
            guard let number = Int(request.target.dropFirst()) else {
                return OriginStep.answer(body: "right")
            }
            return Case.all[number].steps(gates[number])
        }
    }

    private func run(
        _ engine: TransferEngine, _ origin: OriginServer, _ gates: [OriginGate], base: String,
        pause: Duration, authority: String? = nil
    ) async throws {
        func fetch(_ path: String) async throws -> TransferResult {
            try await engine.fetch(base + path) { request in
                request.tls = authority.map {
                    TransferTLS(caPEM: $0, certificatePEM: nil, keyPEM: nil)
                }
            }
        }
        for (number, one) in Case.all.enumerated() {
            let first = try await fetch("\(number)")
            #expect(first.head?.status == one.status, "\(one)")
            #expect(first.failure == nil, "\(one): the answer stays valid")
            #expect(await eventually { gates[number].wasOpened })
            try await Task.sleep(for: pause)
            let second = try await fetch("next")
            #expect(second.failure == nil, "\(one)")
            #expect(second.text == "right", "\(one)")
            let used = origin.requests.suffix(2).map(\.connection)
            #expect(used.count == 2 && used[0] != used[1], "\(one)")
        }
        // Without stray bytes a connection is kept.
        let before = origin.connectionCount
        for _ in 0..<3 {
            let next = try await fetch("next")
            #expect(next.text == "right")
        }
        #expect(origin.connectionCount == before)
    }

    /// libcurl gives a connection to another transfer before it reports that one has finished; this
    /// is no stray byte.
    @Test func aCrowdKeepsItsConnections() async throws {
        let crowd = 32
        try await withLab({ _ in OriginStep.answer(body: "right") }) { engine, origin in
            for _ in 0..<20 {
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<crowd {
                        group.addTask { try await engine.fetch(origin.url()).text }
                    }
                    for try await text in group { #expect(text == "right") }
                }
            }
            #expect(origin.requests.count == 20 * crowd)
            #expect(origin.connectionCount <= crowd)
        }
    }

    @Test func strayBytesNeverBecomeTheNextAnswer() async throws {
        let gates = Case.all.map { _ in OriginGate() }
        let origin = try Self.origin(gates)
        defer { origin.close() }
        try await withLab({ _ in [] }) { engine, _ in
            try await run(
                engine, origin, gates, base: origin.url("/"), pause: .milliseconds(5))
        }
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func encryptedStrayBytesNeverBecomeTheNextAnswer(_ version: String) async throws {
        let gates = Case.all.map { _ in OriginGate() }
        let origin = try Self.origin(gates)
        defer { origin.close() }
        try await TLSOrigin.with(inFrontOf: origin, version) { front in
            try await withLab({ _ in [] }) { engine, _ in
                // The way through the relay takes longer than the gate can show.
                try await run(
                    engine, origin, gates, base: front.url, pause: .milliseconds(60),
                    authority: front.authority)
            }
        }
    }
}
