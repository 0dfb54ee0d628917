// HEAD has no content: over all routes and refusals, on a socket.
import Crypto
import Downloads
import HTTPServer
import HTTPWire
import Platform
import Store
import Testing

@testable import API

@Suite struct HeadTests {
    private static let canary =
        "GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    /// Lines that make a request one that some rule refuses.
    private static let spoilers = [
        "", "Accept: text/html\r\n", "Sec-Fetch-Site: cross-site\r\n",
        "Content-Encoding: gzip\r\n", "If-Match: \"x\"\r\n", "If-None-Match: *\r\n",
        "Authorization: Bearer lull_wrong\r\n", "Accept: text/event-stream\r\n",
        "Content-Length: 2\r\n\r\n{}", "Range: bytes=9-\r\n",
    ]

    /// Requests that are refused before they are parsed; the connection ends with the refusal.
    private static let rejected: [(line: String, fields: String)] = [
        ("HEAD /#f HTTP/1.1", "Host: localhost\r\n"), ("HEAD / HTTP/2.0", ""),
        ("HEAD / HTTP/1.1", ""), ("HEAD / HTTP/1.1", "Host: [::::]\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nHost: b\r\n"), ("HEAD  / HTTP/1.1", "Host: a\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\n folded\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nContent-Length: 99999999\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nContent-Length: 034\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nExpect: tea\r\nContent-Length: 1\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nTransfer-Encoding: gzip\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"),
        ("HEAD /" + String(repeating: "a", count: 9000) + " HTTP/1.1", "Host: a\r\n"),
        ("HEAD / HTTP/1.1", "Host: a\r\nX: " + String(repeating: "a", count: 9000) + "\r\n"),
    ]

    private func serve(
        _ world: APIWorld, refusing refusal: @escaping Server.Refusal,
        _ body: (ListenAddress) async throws -> Void
    ) async throws {
        Signals.ignoreBrokenPipes()
        let wanted = try #require(ListenAddress("127.0.0.1:0"))
        let server = Server(addresses: [wanted], refusal: refusal, handler: world.handler)
        let address = try #require(try await server.open().first)
        do {
            try await body(address)
        } catch {
            await server.drain(grace: .seconds(20))
            throw error
        }
        await server.drain(grace: .seconds(20))
    }

    /// After the head of the first answer only the canary's answer may follow.
    private func judge(_ answer: String, _ what: String, isLast: Bool) -> Int {
        let end = answer.firstRange(of: "\r\n\r\n")?.upperBound ?? answer.endIndex
        let rest = answer[end...]
        let isClean =
            isLast ? rest.isEmpty : rest.hasPrefix("HTTP/1.1 200 ") && rest.hasSuffix("}\n")
        #expect(isClean, "\(what) answers \(answer.debugDescription)")
        return Int(answer.dropFirst(9).prefix(3)) ?? 0
    }

    private func ask(
        _ world: APIWorld, _ address: ListenAddress, authority: String
    ) async throws -> Set<Int> {
        var statuses: Set<Int> = []
        let id = "dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"
        var paths = Set(world.routes.map(\.path)).map {
            $0.replacing("{id}", with: id).replacing("{identifier}", with: "a")
                .replacing("{slug}", with: "not-found").replacing("{fence}", with: "1")
                .replacing("{instance}", with: "a").replacing("{name}", with: "a")
                .replacing("{file}", with: "any").replacing("{range}", with: "0-1")
                .replacing("{operation}", with: "HEAD").replacing("{fields}", with: "a")
                .replacing("{app}", with: "a").replacing("{token}", with: "a")
        }
        paths += ["/nothing", "/v1/downloads/", "/livez?x=1", "/livez?x", "/v1/downloads/dl_1"]
        for path in paths.sorted() {
            for spoiler in HeadTests.spoilers {
                let end = spoiler.contains("{}") ? "" : "\r\n"
                let text = "HEAD \(path) HTTP/1.1\r\nHost: \(authority)\r\n\(spoiler)\(end)"
                let answer = try await RawExchange().send(text + HeadTests.canary, to: address)
                statuses.insert(
                    judge(answer, "\(path) \(spoiler.debugDescription)", isLast: false))
            }
        }
        return statuses
    }

    @Test func noAnswerToHeadHasContent() async throws {
        // The database does not answer, so every read of it is refused with 503.
        let world = try APIWorld.alone(hosts: .loopbackOnly(takesForwarded: false))
        let router = Router(world.dependencies)
        try await serve(world, refusing: { router.refuse($0, of: $1) }) { address in
            let seen = try await ask(world, address, authority: "localhost")
            #expect(seen.isSuperset(of: [200, 403, 404, 405, 406, 415, 422, 503]), "\(seen)")
            #expect(try await ask(world, address, authority: "evil.example") == [403])
            for (line, fields) in HeadTests.rejected {
                let text = line + "\r\n" + fields + "\r\n"
                let answer = try await RawExchange().send(text + HeadTests.canary, to: address)
                #expect(judge(answer, line + fields.prefix(80), isLast: true) >= 400)
                #expect(answer.contains("\r\nX-Request-Id: req_"))
            }
        }
    }

    @Test func noAnswerToHeadHasContentWithKeys() async throws {
        try await APIWorld.with { world in
            let keys = APIKeys(pool: world.pool)
            _ = try await keys.create(
                app: "none", digest: SHA256.digest(of: "none"), scopes: [.admin])
            _ = try await keys.create(app: "slow", digest: SHA256.digest(of: "slow"))
            _ = try await keys.limit(
                app: "slow", AppLimitChange(to: AppLimits(requestsPerSecond: 0.001)))
            var world = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            world.handler = { authenticator.answer($0) }
            try await serve(world, refusing: { authenticator.refuse($0, of: $1) }) { address in
                let open = try await ask(world, address, authority: "localhost")
                #expect(open.isSuperset(of: [401, 200, 404, 415, 422]), "\(open)")
                var seen: [Int] = []
                for key in ["none", "slow", "slow"] {
                    let text =
                        "HEAD /v1/downloads HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                        + "\(key)\r\n\r\n"
                    let answer = try await RawExchange().send(
                        text + HeadTests.canary, to: address)
                    seen.append(judge(answer, key, isLast: false))
                }
                #expect(seen == [403, 200, 429])
            }
        }
    }
}
