// An origin that breaks off behind proxies that Lull's authors did not write: a truncated body that
// a proxy passes on is never taken for the whole.
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TruncationTests {
        private struct Seen: Decodable {
            struct Content: Decodable { let sha256: String }
            struct Failure: Decodable { let code: String }
            let state: String
            let attempt: Int
            let content: Content?
            let error: Failure?
        }

        private static let length = 200_000

        /// The first answer to each path breaks off; `/length` announces the whole length,
        /// `/chunked` ends between two chunks.
        private static func origin(_ whole: [UInt8]) throws -> OriginServer {
            let asked = Mutex<Set<String>>([])
            return try OriginServer { request in
                let path = request.target.split(separator: "/").last.map(String.init) ?? ""
                let isFirst = asked.withLock { $0.insert(path).inserted }
                let sent = isFirst ? Array(whole.prefix(70_000)) : whole
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n"
                var steps: [OriginStep] =
                    path == "chunked"
                    ? [
                        .send(head + "Transfer-Encoding: chunked\r\n\r\n"),
                        .send(String(sent.count, radix: 16) + "\r\n"), .sendBytes(sent),
                        .send("\r\n" + (isFirst ? "" : "0\r\n\r\n")),
                    ]
                    : [
                        .send(head + "Content-Length: \(whole.count)\r\n\r\n"),
                        .sendBytes(sent),
                    ]
                if isFirst { steps.append(.close) }
                return steps
            }
        }

        private func end(
            _ url: String, digest: String? = nil, _ world: World
        ) async throws -> Seen {
            let id = try await world.client.create(
                LullClient.Order(url: url, expectedDigest: digest.map { "sha256:" + $0 })
            ).id
            return try await eventually("the end of \(url)") {
                let answer = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)")
                let seen = try JSONDecoder().decode(Seen.self, from: Data(answer.body.utf8))
                return seen.state == "succeeded" || seen.state == "failed" ? seen : nil
            }
        }

        private func isFetchedAgain(_ url: String, digest: String, _ world: World) async throws {
            let seen = try await end(url, world)
            #expect(seen.state == "succeeded", Comment(rawValue: url))
            #expect(seen.attempt >= 2, Comment(rawValue: url))
            #expect(seen.content?.sha256 == digest, Comment(rawValue: url))
        }

        @Test(.timeLimit(.minutes(4)))
        func aBodyTruncatedBehindAProxyIsNotComplete() async throws {
            let settings = ["LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms"]
            try await World.with(settings: settings) { world in
                let digest = try await world.origin.makeFile("whole", length: Self.length)
                let whole = [UInt8](
                    try Data(contentsOf: URL(filePath: world.origin.files + "/whole")))
                try await behindHaproxy(whole, digest: digest, world)
                try await behindCaddy(whole, digest: digest, world)
            }
        }

        private func behindHaproxy(
            _ whole: [UInt8], digest: String, _ world: World
        ) async throws {
            let origin = try Self.origin(whole)
            defer { origin.close() }
            let haproxy = try await ForeignServer.haproxy(
                before: origin.url(""), in: world.scratch)
            try await haproxy.during {
                for path in ["/length", "/chunked"] {
                    try await isFetchedAgain(haproxy.base + path, digest: digest, world)
                }
            }
        }

        private func behindCaddy(_ whole: [UInt8], digest: String, _ world: World) async throws {
            let origin = try Self.origin(whole)
            defer { origin.close() }
            let caddy = try await ForeignServer.caddy(
                files: world.origin.files, before: origin.url(""), in: world.scratch)
            try await caddy.during {
                try await isFetchedAgain(caddy.base + "/proxied/length", digest: digest, world)
                // Caddy 2.6 ends a chunked answer that broke off as if it were whole, so only a
                // digest detects it.
                let cut = try await end(caddy.base + "/proxied/chunked", digest: digest, world)
                #expect(cut.state == "failed")
                #expect(cut.error?.code == "digest_mismatch")
            }
        }
    }
}
