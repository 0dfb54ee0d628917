// Transfers through a proxy: the tunnel for https, the absolute form for http, and the fields that
// each side sees.
import Base
import Downloads
import Support
import Testing

@testable import Transfers

@Suite struct ProxyTests {
    /// Runs a test with an engine that may go through proxies on this machine.
    private func with(
        proxies: String? = "loopback", destinations: String = "public,loopback",
        _ script: @escaping OriginServer.Script,
        _ test: (TransferEngine, OriginServer) async throws -> Void
    ) async throws {
        let proxy = try OriginServer(script)
        defer { proxy.close() }
        var configuration = TransferEngine.Configuration(
            destinations: try Destinations.parse(destinations), userAgent: "Lull/test",
            proxyDestinations: try proxies.map { try Destinations.parse($0) })
        configuration.answer = { host in
            host == "proxy.test"
                ? .addresses([IPAddress(v4: 0x7f00_0001)]) : .failed(.cannotFindHost)
        }
        let engine = try TransferEngine.open(configuration)
        do {
            try await test(engine, proxy)
        } catch {
            await engine.close()
            throw error
        }
        await engine.close()
    }

    private func proxy(
        _ server: OriginServer, host: String = "127.0.0.1", password: String? = nil
    ) throws -> TransferProxy {
        TransferProxy(
            url: try SourceURL(parsing: "http://\(host):\(server.port)"),
            credentials: password.map { ProxyCredentials(username: "user", password: $0) })
    }

    @Test(arguments: ["127.0.0.1", "proxy.test"])
    func tunnelHidesRequestAndCredentialsFromTheProxy(_ host: String) async throws {
        try await TLSOrigin.with(["-www"]) { origin in
            let tunnel = OriginTunnel(to: origin.port)
            try await with { request in
                request["proxy-authorization"] == "Basic dXNlcjpwMHh5"
                    ? [.send("HTTP/1.1 200 Connection established\r\n\r\n"), .tunnel(tunnel)]
                    : OriginStep.answer("407 Proxy Authentication Required")
            } _: { engine, server in
                let way = try proxy(server, host: host, password: "p0xy")
                let result = try await engine.fetch(origin.url + "secret-path") {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                    $0.headers = [("Authorization", "Bearer s3cret"), ("X-Api-Key", "s3cret")]
                    $0.proxy = way
                }
                #expect(result.failure == nil, "\(String(describing: result.failure))")
                #expect(result.head?.status == 200)
                let asked = try #require(server.requests.first)
                #expect(server.requests.count == 1)
                #expect(asked.method == "CONNECT")
                #expect(asked.target == "127.0.0.1:\(origin.port)")
                #expect(asked["authorization"] == nil)
                #expect(asked["x-api-key"] == nil)
                let seen = String(decoding: tunnel.seen, as: UTF8.self)
                #expect(!seen.isEmpty)
                for secret in ["s3cret", "secret-path", "Authorization", "p0xy"] {
                    #expect(!seen.contains(secret), "\(secret)")
                }
            }
        }
    }

    @Test func absoluteFormCarriesProxyCredentials() async throws {
        try await with { _ in
            OriginStep.answer(body: "by proxy")
        } _: { engine, server in
            let way = try proxy(server, password: "p0xy")
            let result = try await engine.fetch("http://127.0.0.1:1234/a?b") { $0.proxy = way }
            #expect(result.text == "by proxy")
            #expect(server.requests.first?.target == "http://127.0.0.1:1234/a?b")
            #expect(server.requests.first?["proxy-authorization"] == "Basic dXNlcjpwMHh5")
            let without = try await engine.fetch(server.url("/direct"))
            #expect(without.text == "by proxy")
            #expect(server.requests.last?["proxy-authorization"] == nil)
        }
    }

    /// The proxy's answer to CONNECT, the code, and whether the service tries again by itself.
    @Test(arguments: [
        ("407 Proxy Authentication Required", FailureCode.proxyAuthenticationRequired),
        ("403 Forbidden", .proxyRefused), ("404 Not Found", .proxyRefused),
        ("405 Method Not Allowed", .proxyRefused), ("302 Found", .proxyRefused),
        ("502 Bad Gateway", .proxyConnectionFailed), ("503 Busy", .proxyConnectionFailed),
        ("504 Gateway Timeout", .proxyConnectionFailed), ("429 Slow", .proxyConnectionFailed),
    ])
    func aTunnelThatIsNotOpened(_ line: String, _ code: FailureCode) async throws {
        try await with { _ in
            OriginStep.answer(line, headers: ["Proxy-Authenticate: Basic realm=\"x\""])
        } _: { engine, server in
            let way = try proxy(server)
            let result = try await engine.fetch("https://127.0.0.1:9443/") { $0.proxy = way }
            let failure = try #require(result.failure)
            #expect(failure.code == code)
            #expect(failure.description.contains(String(line.prefix(3))))
            #expect(result.head == nil, "the proxy's answer is not the origin's")
            let isOurs = code == .proxyConnectionFailed
            #expect(failure.class == (isOurs ? .network : .attention))
            #expect(failure.isRetryable)
        }
    }

    @Test func unreachableProxyFails() async throws {
        let closed = try OriginServer { _ in [] }
        closed.close()
        try await with { _ in
            [.close]
        } _: { engine, server in
            let (nowhere, nobody) = (try proxy(closed), try proxy(server, host: "nobody.test"))
            for scheme in ["http", "https"] {
                let url = "\(scheme)://127.0.0.1:9443/"
                let gone = try await engine.fetch(url) { $0.proxy = nowhere }
                #expect(gone.failure?.code == .cannotConnectToHost)
                #expect(gone.failure?.description == "No connection to the proxy could be made.")
                let unknown = try await engine.fetch(url) { $0.proxy = nobody }
                #expect(unknown.failure?.code == .cannotFindHost)
            }
            let way = try proxy(server)
            let ended = try await engine.fetch("https://127.0.0.1:9443/") { $0.proxy = way }
            #expect(ended.failure?.code == .proxyConnectionFailed)
        }
    }

    @Test func silentProxyTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await with { _ in
            [.wait(gate), .close]
        } _: { engine, server in
            let way = try proxy(server)
            let result = try await engine.fetch("https://127.0.0.1:9443/") {
                $0.proxy = way
                $0.connectTimeout = .seconds(2)
            }
            #expect(result.failure?.code == .proxyConnectionFailed)
            #expect(result.failure?.description == "The proxy did not open a tunnel in time.")
        }
    }

    @Test(arguments: [
        (nil, "127.0.0.1"), ("public", "127.0.0.1"), ("public", "proxy.test"),
        ("10.0.0.0/8", "127.0.0.1"),
    ])
    func proxyDestinationsAreChecked(_ proxies: String?, _ host: String) async throws {
        try await with(proxies: proxies) { _ in
            OriginStep.answer(body: "x")
        } _: { engine, server in
            let way = try proxy(server, host: host)
            for scheme in ["http", "https"] {
                let url = "\(scheme)://127.0.0.1:9443/"
                let result = try await engine.fetch(url) { $0.proxy = way }
                #expect(result.failure?.code == .destinationNotAllowed)
            }
            #expect(server.connectionCount == 0)
        }
    }

    /// A proxy does not lead to addresses that the service itself may not connect to.
    @Test func targetDestinationsAreCheckedBehindAProxy() async throws {
        try await with(destinations: "public") { _ in
            OriginStep.answer(body: "x")
        } _: { engine, server in
            let way = try proxy(server)
            for url in ["http://127.0.0.1:9443/", "https://10.1.2.3/", "https://[::1]/"] {
                let result = try await engine.fetch(url) { $0.proxy = way }
                #expect(result.failure?.code == .destinationNotAllowed)
            }
            #expect(server.connectionCount == 0)
        }
    }

    /// A redirect stays on the proxy, and no credentials go to the next origin.
    @Test func redirectKeepsTheProxy() async throws {
        try await with { request in
            request.target.hasPrefix("http://127.0.0.1:1111")
                ? OriginStep.answer("302 Found", headers: ["Location: http://127.0.0.1:2222/b"])
                : OriginStep.answer(body: "there")
        } _: { engine, server in
            let way = try proxy(server, password: "p0xy")
            let result = try await engine.fetch("http://127.0.0.1:1111/a") {
                $0.headers = [("Authorization", "Bearer s3cret")]
                $0.proxy = way
            }
            #expect(result.text == "there")
            #expect(server.requests.map { $0["authorization"] } == ["Bearer s3cret", nil])
            #expect(server.requests.allSatisfy { $0["proxy-authorization"] != nil })
        }
    }
}
