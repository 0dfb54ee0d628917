// Downloads from servers and through proxies that Lull's authors did not write.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ForeignOriginTests {
        /// The members of a download that these tests read.
        private struct Seen: Decodable {
            struct Content: Decodable {
                let length: Int
                let sha256: String
                let lengthVerified: Bool
            }
            struct Failure: Decodable {
                let `class`: String
                let code: String
                let httpStatus: Int?
            }
            struct Answer: Decodable { let suggestedFilename: String }
            let id: String
            let state: String
            let content: Content?
            let error: Failure?
            let response: Answer?
            let resume: LullClient.Resume?
            let nextAttemptAt: String?
            let currentUrl: String?
        }

        private static let settings = [
            "LULL_RETRY_BASE": "100ms", "LULL_RETRY_CAP": "200ms", "LULL_MAX_ATTEMPTS": "1000",
        ]

        private func seen(_ id: String, _ world: World) async throws -> Seen {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let answer = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)")
            return try decoder.decode(Seen.self, from: Data(answer.body.utf8))
        }

        /// Seconds between the end of the first attempt and the start of the next one.
        private func wait(after download: Seen, _ world: World) async throws -> TimeInterval {
            struct Attempts: Decodable {
                struct Attempt: Decodable { let ended_at: String }
                let data: [Attempt]
            }
            let answer = try await Curl.get(
                "\(world.lull.base)/v1/downloads/\(download.id)/attempts")
            let attempts = try JSONDecoder().decode(Attempts.self, from: Data(answer.body.utf8))
            let ended = try #require(attempts.data.first).ended_at
            let next = try #require(download.nextAttemptAt)
            return try Date(instant: next).timeIntervalSince(Date(instant: ended))
        }

        private func end(_ url: String, _ world: World) async throws -> Seen {
            let id = try await world.client.create(LullClient.Order(url: url)).id
            return try await eventually("the end of \(url)") {
                let download = try await seen(id, world)
                let isOver =
                    ["succeeded", "failed", "attention_required"].contains(download.state)
                    || download.nextAttemptAt != nil && download.error != nil
                return isOver ? download : nil
            }
        }

        /// A proxy is killed during a transfer and restarted; the received bytes are kept.
        private func goOn(
            through server: ForeignServer, path: String, digest: String, _ world: World
        ) async throws {
            let id = try await world.client.create(
                LullClient.Order(
                    url: server.base + path, expectedDigest: "sha256:\(digest)")
            ).id
            let _: Bool = try await eventually("bytes through \(server.base)") {
                let download = try await world.client.download(id)
                return download.countOfBytesReceived > 1_000_000 ? true : nil
            }
            try await server.cut()
            let _: Bool = try await eventually("the cut to be seen") {
                try await world.client.download(id).state == "waiting" ? true : nil
            }
            try await server.start()
            let ended: Seen = try await eventually("the end of the download") {
                let download = try await seen(id, world)
                return download.state == "succeeded" ? download : nil
            }
            #expect(ended.content?.sha256 == digest)
            #expect(ended.resume?.outcome == "continued")
            #expect(ended.resume?.bytesDiscarded == 0)
        }

        @Test(.timeLimit(.minutes(3)))
        func haproxyBeforeNginx() async throws {
            try await World.with(settings: Self.settings, originBytesPerSecond: 2_000_000) {
                world in
                let digest = try await world.origin.makeFile("file.bin", length: 8_000_000)
                let proxy = try await ForeignServer.haproxy(
                    before: world.origin.base, in: world.scratch)
                try await proxy.during {
                    try await goOn(through: proxy, path: "/moved", digest: digest, world)
                    let gone = try await end("\(proxy.base)/nothing", world)
                    #expect(gone.state == "failed")
                    #expect(gone.error?.code == "resource_unavailable")
                    for (path, status) in [("/busy", 503), ("/less", 429)] {
                        let busy = try await end(proxy.base + path, world)
                        #expect(busy.state == "waiting")
                        #expect(busy.error?.class == "pushback")
                        #expect(busy.error?.httpStatus == status)
                        // HAProxy sends Retry-After: 7 or 9, far more than the service's own waits
                        // in this test.
                        let wait = try await wait(after: busy, world)
                        #expect(wait >= (status == 503 ? 6.9 : 8.9))
                    }
                    try await proxy.cut()
                    try await proxy.start()
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func caddyAloneAndBeforeNginx() async throws {
            try await World.with(settings: Self.settings, originBytesPerSecond: 2_000_000) {
                world in
                let digest = try await world.origin.makeFile("file.bin", length: 8_000_000)
                let caddy = try await ForeignServer.caddy(
                    files: world.origin.files, before: world.origin.base, in: world.scratch)
                try await caddy.during {
                    for path in ["/file.bin", "/moved"] {
                        let whole = try await end(caddy.base + path, world)
                        #expect(whole.content?.sha256 == digest)
                        #expect(whole.content?.lengthVerified == true)
                        #expect(whole.currentUrl == "\(caddy.base)/file.bin")
                    }
                    try await goOn(
                        through: caddy, path: "/proxied/file.bin", digest: digest, world)
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func resumesAfterACutFromNginx() async throws {
            try await World.with(settings: Self.settings, originBytesPerSecond: 2_000_000) {
                world in
                let digest = try await world.origin.makeFile("file.bin", length: 8_000_000)
                let id = try await world.client.create(
                    LullClient.Order(url: "\(world.origin.base)/file.bin")
                ).id
                let _: Bool = try await eventually("bytes") {
                    let download = try await world.client.download(id)
                    return download.countOfBytesReceived > 1_000_000 ? true : nil
                }
                await world.origin.cut()
                try await world.origin.start()
                let ended: Seen = try await eventually("the end of the download") {
                    let download = try await seen(id, world)
                    return download.state == "succeeded" ? download : nil
                }
                #expect(ended.content?.sha256 == digest)
                #expect(ended.resume?.outcome == "continued")
            }
        }

        /// Page, state, code of the failure, length of the content, whether its end was proved.
        private static let pages: [(String, String, String?, Int?, Bool)] = [
            ("/bytes/1000?seed=1", "succeeded", nil, 1000, true),
            ("/range/1024", "succeeded", nil, 1024, true),
            ("/stream-bytes/5000?seed=1&chunk_size=100", "succeeded", nil, 5000, true),
            ("/drip?numbytes=20&duration=1&delay=0", "succeeded", nil, 20, true),
            ("/etag/abc", "succeeded", nil, nil, true), ("/gzip", "succeeded", nil, nil, true),
            ("/deflate", "succeeded", nil, nil, true), ("/redirect/3", "succeeded", nil, nil, true),
            ("/absolute-redirect/2", "succeeded", nil, nil, true),
            ("/redirect/11", "failed", "http_too_many_redirects", nil, true),
            ("/status/404", "failed", "resource_unavailable", nil, true),
            ("/status/418", "failed", "http_status", nil, true),
            ("/status/500", "waiting", "http_status", nil, true),
            ("/status/401", "attention_required", "user_authentication_required", nil, true),
            ("/basic-auth/u/p", "attention_required", "user_authentication_required", nil, true),
            ("/status/204", "failed", "http_status", nil, true),
            (
                "/redirect-to?url=ftp%3A%2F%2Fexample.com%2F", "failed", "unsupported_url", nil,
                true
            ),
        ]

        @Test(.timeLimit(.minutes(3)))
        func everyPageOfHttpbin() async throws {
            try await World.with(settings: Self.settings) { world in
                let httpbin = try await ForeignServer.httpbin(in: world.scratch)
                try await httpbin.during {
                    for (path, state, code, length, isVerified) in Self.pages {
                        let name = Comment(rawValue: path)
                        let ended = try await end(httpbin.base + path, world)
                        #expect(ended.state == state, name)
                        #expect(ended.error?.code == code, name)
                        if let length { #expect(ended.content?.length == length, name) }
                        if state == "succeeded" {
                            #expect(ended.content?.lengthVerified == isVerified, name)
                        }
                    }
                    let named = try await end(
                        httpbin.base + "/response-headers?Content-Disposition="
                            + "attachment%3B%20filename%3D%22..%2F..%2Fa%20b.txt%22", world)
                    #expect(named.response?.suggestedFilename == "a b.txt")
                    // RFC 6266: the extended name has precedence.
                    let extended = try await end(
                        httpbin.base + "/response-headers?Content-Disposition="
                            + "attachment%3B%20filename%3D%22plain%22%3B%20filename%2A%3DUTF-8"
                            + "%27%27na%25C3%25AFve.txt", world)
                    #expect(extended.response?.suggestedFilename == "na\u{ef}ve.txt")
                }
            }
        }
    }
}
