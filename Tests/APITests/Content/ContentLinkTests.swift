// Links to content: their tokens, what they open, and when they are over.
import Base
import Crypto
import Downloads
import Foundation
import HTTPServer
import HTTPWire
import Platform
import Postgres
import Store
import Testing

@testable import API

@Suite struct ContentLinkTests {
    /// SHA-256 of `0123456789`.
    private static let digest = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"

    private static func result(_ type: String = "video/mp4", digest: String = digest) -> JSONObject
    {
        [
            "response": ["mime_type": .string(type), "suggested_filename": "Zürich.mp4"],
            "content": ["length": 10, "sha256": .string(digest), "length_verified": true],
        ]
    }

    /// A service with one download that has succeeded.
    private func withContent(
        _ type: String = "video/mp4", session: String? = nil,
        _ body: (APIWorld, _ id: String) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "lull-link-\(UUID().uuidString)")
        try Data("0123456789".utf8).write(to: file)
        let handle = try FileHandle(forReadingFrom: file)
        try FileManager.default.removeItem(at: file)
        try await APIWorld.with { world in
            if let session {
                _ = await world.send("PUT", "/v1/sessions/a", #"{"kind":"\#(session)"}"#)
            }
            let created = await world.create(session == nil ? "" : #""session":"a""#)
            let id = try #require(created.json["id"]?.stringValue)
            try await world.succeed(id, result: Self.result(type))
            world.told.change {
                $0.content = .open(
                    FileRegion(
                        descriptor: handle.fileDescriptor, offset: 0, length: 10,
                        close: { withExtendedLifetime(handle) {} }))
            }
            try await body(world, id)
        }
    }

    private func makeLink(
        _ world: APIWorld, _ id: String, _ body: String? = nil
    ) async throws -> String {
        let reply = await world.send("POST", "/v1/downloads/\(id)/content/link", body)
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(reply.json["href"]?.stringValue)
    }

    private func link(
        _ id: String, app: Int64 = 1, digest: String = digest, seconds: Int64 = 60,
        _ disposition: ContentLink.Disposition = .attachment
    ) throws -> ContentLink {
        let now = SystemClock.wallMicroseconds() / 1_000_000
        return ContentLink(
            id: try #require(Identifier(id, kind: .download)), app: app,
            digest: Hex.decode(digest) ?? [], expiresAt: Timestamp(seconds: now + seconds),
            disposition: disposition)
    }

    @Test func aLinkOpensTheContentAsItsPathDoes() async throws {
        try await withContent { world, id in
            let href = try await makeLink(world, id)
            let (path, tag) = ("/v1/downloads/\(id)/content", "\"sha256-\(Self.digest)\"")
            let rows: [(String, [(String, String)], Int)] = [
                ("GET", [], 200), ("HEAD", [], 200), ("GET", [("Range", "bytes=2-5")], 206),
                ("GET", [("Range", "bytes=-3")], 206), ("GET", [("Range", "bytes=10-")], 416),
                ("HEAD", [("Range", "bytes=2-5")], 200),
                ("GET", [("Range", "bytes=2-5"), ("If-Range", "\"other\"")], 200),
                ("GET", [("If-None-Match", tag)], 304), ("GET", [("If-Match", "\"other\"")], 412),
            ]
            for (method, headers, status) in rows {
                let byPath = await world.send(method, path, headers: headers)
                let byLink = await world.send(method, href, headers: headers)
                #expect(byPath.status == status && byLink.status == status, "\(headers)")
                #expect(byLink.response.body.length == byPath.response.body.length || status > 399)
                #expect(byLink.file?.offset == byPath.file?.offset)
                for field in [
                    "ETag", "Content-Type", "Content-Range", "Repr-Digest", "Accept-Ranges",
                    "Content-Disposition", "X-Content-Type-Options", "Content-Security-Policy",
                    "Cache-Control", "Last-Modified",
                ] {
                    #expect(byLink[field] == byPath[field], "\(headers) \(field)")
                }
                guard status < 400 else { continue }
                #expect(byLink["Referrer-Policy"] == "no-referrer")
                #expect(byLink["Content-Security-Policy"] == "sandbox")
            }
        }
    }

    @Test func theLifeIsAMinuteToAWeek() async throws {
        try await withContent { world, id in
            let path = "/v1/downloads/\(id)/content/link"
            for (body, seconds) in [
                (nil, 3600), ("{}", 3600), (#"{"ttl_seconds":60}"#, 60),
                (#"{"ttl_seconds":604800}"#, 604_800),
            ] as [(String?, Int64)] {
                let before = SystemClock.wallMicroseconds() / 1_000_000
                let reply = await world.send("POST", path, body)
                let after = SystemClock.wallMicroseconds() / 1_000_000
                #expect(reply.status == 201 && reply["Location"] == reply.json["href"]?.stringValue)
                let names = reply.json.objectValue?.members.map(\.0)
                #expect(names == ["href", "expires_at"])
                let text = try #require(reply.json["expires_at"]?.stringValue)
                let end = try #require(Timestamp(rfc3339: text))
                #expect((before + seconds...after + seconds).contains(end.seconds), "\(text)")
                #expect(end == Timestamp(seconds: end.seconds))
            }
            for (body, pointer) in [
                (#"{"ttl_seconds":59}"#, "#/ttl_seconds"),
                (#"{"ttl_seconds":604801}"#, "#/ttl_seconds"),
                (#"{"ttl_seconds":"60"}"#, "#/ttl_seconds"), (#"{"ttl":60}"#, "#/ttl"),
                (#"{"ttl_seconds":-1}"#, "#/ttl_seconds"),
                (#"{"disposition":"INLINE"}"#, "#/disposition"), ("[]", "#"),
            ] {
                let reply = await world.send("POST", path, body)
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers == [pointer], "\(body)")
            }
        }
    }

    @Test func aLinkEndsWithItsSecond() async throws {
        try await withContent { world, id in
            for (seconds, status) in [(30, 200), (0, 410), (-1, 410), (-1_000_000, 410)] {
                let token = try link(id, seconds: Int64(seconds)).token(APIWorld.box)
                let reply = await world.send("GET", "/content/" + token)
                #expect(reply.status == status, "\(seconds)")
                if status == 410 { reply.expectProblem("link-expired", status: 410) }
            }
        }
    }

    /// Every byte is signed, and a token has one spelling.
    @Test func onlyTheTokensOfThisDeploymentOpenAnything() async throws {
        try await withContent { world, id in
            let link = try link(id)
            let token = link.token(APIWorld.box)
            #expect(ContentLink(token: token, APIWorld.box) == link)
            let digits = Array(token)
            var hostile = ["", "x", String(token.dropLast()), token + "A", token + "="]
            hostile.append(token + "%00")
            hostile += [String(repeating: "A", count: digits.count), id, String(token.reversed())]
            hostile.append(String(repeating: "A", count: 6000))
            for place in digits.indices {
                for digit in ["A", "_", "-", "+", "%2F", " "] where String(digits[place]) != digit {
                    var changed = digits.map { String($0) }
                    changed[place] = digit
                    hostile.append(changed.joined())
                }
            }
            // The last digit has bits that no byte takes: they must not give a second spelling.
            hostile += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".map {
                token.dropLast() + String($0)
            }.filter { $0 != token }
            let foreign = SecretBox(keys: [Array(repeating: 8, count: 32)])
            hostile.append(link.token(foreign))
            for text in hostile {
                #expect(ContentLink(token: text, APIWorld.box) == nil, "\(text)")
            }
            for text in hostile.shuffled().prefix(60) where !text.isEmpty && !text.contains(" ") {
                await world.send("GET", "/content/" + text).expectProblem("not-found", status: 404)
            }
            #expect(await world.send("GET", "/content/" + token).status == 200)
        }
    }

    /// A replaced encryption key opens links as long as it stands behind the new one.
    @Test func everyReplicaWithTheKeyServesALinkAlsoAfterItIsReplaced() async throws {
        let (old, new) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 9, count: 32))
        let link = try link("dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C", .inline)
        let token = link.token(SecretBox(keys: [old]))
        #expect(ContentLink(token: token, SecretBox(keys: [old])) == link)
        #expect(ContentLink(token: token, SecretBox(keys: [new, old])) == link)
        #expect(ContentLink(token: token, SecretBox(keys: [new])) == nil)
        #expect(link.token(SecretBox(keys: [new, old])) != token)
    }

    @Test func aLinkIsOverWithItsContent() async throws {
        try await withContent { world, id in
            let href = try await makeLink(world, id)
            let other = String(repeating: "0", count: 64)
            let changed = try link(id, digest: other).token(APIWorld.box)
            await world.send("GET", "/content/" + changed)
                .expectProblem("link-expired", status: 410)
            let foreign = try link(id, app: 2).token(APIWorld.box)
            await world.send("GET", "/content/" + foreign).expectProblem("not-found", status: 404)
            #expect(await world.send("DELETE", "/v1/downloads/\(id)/content").status == 204)
            for method in ["GET", "HEAD"] {
                let reply = await world.send(method, href)
                reply.expectProblem("content-expired", status: 410)
            }
            await world.send("POST", "/v1/downloads/\(id)/content/link")
                .expectProblem("content-expired", status: 410)
            _ = await world.send("DELETE", "/v1/downloads/\(id)")
            await world.send("GET", href).expectProblem("not-found", status: 404)
        }
    }

    @Test func aDownloadWithoutContentHasNoLink() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            await world.send("POST", "/v1/downloads/\(id)/content/link")
                .expectProblem("content-not-ready", status: 409)
            let token = try link(id).token(APIWorld.box)
            await world.send("GET", "/content/" + token)
                .expectProblem("content-not-ready", status: 409)
            for name in ["dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C", "up_1", "x"] {
                await world.send("POST", "/v1/downloads/\(name)/content/link")
                    .expectProblem("not-found", status: 404)
            }
        }
    }

    private static let types: [(String, mayBeInline: Bool)] = [
        ("video/mp4", true), ("audio/mpeg", true), ("image/png", true), ("AUDIO/OGG", true),
        ("text/plain", true), ("text/plain; charset=utf-8", true), ("video/mp4; codecs=x", true),
        ("image/svg+xml", false), ("IMAGE/SVG+XML", false), ("image/svg", false),
        ("image/svg+xml; charset=utf-8", false), ("image/x+xml", false), ("text/html", false),
        ("text/xml", false), ("text/css", false), ("application/pdf", false),
        ("application/octet-stream", false), ("multipart/x-mixed-replace", false),
        ("text/plain, text/html", false), ("image/png,text/html", false),
        ("image/png; a=b, text/html", false), ("image/", false), ("image", false),
        ("image/png/x", false), ("image /png", false), ("image/p ng", false), ("/plain", false),
        ("text/plainhtml", false), ("text/plain html", false), ("imagex/png", false),
    ]

    @Test(arguments: types)
    func onlyHarmlessTypesAreShownInPlace(_ type: String, _ mayBeInline: Bool) async throws {
        try await withContent(type) { world, id in
            let path = "/v1/downloads/\(id)/content/link"
            let reply = await world.send("POST", path, #"{"disposition":"inline"}"#)
            if mayBeInline {
                #expect(reply.status == 201)
            } else {
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers == ["#/disposition"])
            }
            // A token for inline whose type would not be allowed: the type is judged again.
            for disposition in ContentLink.Disposition.allCases {
                let token = try link(id, disposition).token(APIWorld.box)
                let content = await world.send("GET", "/content/" + token)
                #expect(content.status == 200)
                let isInline = mayBeInline && disposition == .inline
                let field = try #require(content["Content-Disposition"])
                #expect(field.hasPrefix(isInline ? "inline; " : "attachment; "), "\(field)")
                #expect(field.hasSuffix("; filename*=UTF-8''Z%C3%BCrich.mp4"), "\(field)")
                #expect(content["Content-Security-Policy"] == "sandbox")
                #expect(content["X-Content-Type-Options"] == "nosniff")
            }
            let direct = await world.send("GET", "/v1/downloads/\(id)/content")
            #expect(direct["Content-Disposition"]?.hasPrefix("attachment; ") == true)
        }
    }

    /// With keys the links of an app open that app's content alone, and need no key themselves.
    @Test func aKeyMakesLinksToTheContentOfItsAppAlone() async throws {
        try await withContent { world, _ in
            let keys = APIKeys(pool: world.pool)
            for app in ["one", "two"] {
                _ = try await keys.create(app: app, digest: SHA256.digest(of: "lull_" + app))
            }
            _ = try await keys.create(
                app: "one", digest: SHA256.digest(of: "lull_viewer"), scopes: [.readDownloads])
            var world = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            world.handler = { authenticator.answer($0) }
            func bearer(_ key: String) -> [(String, String)] {
                [("Authorization", "Bearer lull_" + key)]
            }
            let created = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://mirror.example/a"}"#,
                headers: bearer("one"))
            let id = try #require(created.json["id"]?.stringValue)
            try await world.succeed(id, result: Self.result())
            let path = "/v1/downloads/\(id)/content/link"
            await world.send("POST", path, headers: bearer("two"))
                .expectProblem("not-found", status: 404)
            await world.send("POST", path, headers: bearer("viewer"))
                .expectProblem("insufficient-scope", status: 403)
            await world.send("POST", path).expectProblem("unauthorized", status: 401)
            let reply = await world.send("POST", path, headers: bearer("one"))
            let href = try #require(reply.json["href"]?.stringValue)
            for headers in [[], bearer("two"), bearer("wrong")] {
                #expect(await world.send("GET", href, headers: headers).status == 200)
            }
        }
    }

    /// A browser may follow a link from any site, but only to a host of the service.
    @Test func linksMayBeFollowedFromOtherSites() async throws {
        try await withContent { world, id in
            var dependencies = world.dependencies
            dependencies.settings.hosts = .loopbackOnly(takesForwarded: false)
            let router = Router(dependencies)
            var world = world
            world.handler = { router.answer($0) }
            let href = "/content/" + (try link(id).token(APIWorld.box))
            let foreign = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
            for (authority, status) in [("localhost:8080", 200), ("evil.example", 403)] {
                let reply = await world.send("GET", href, headers: foreign, authority: authority)
                #expect(reply.status == status)
            }
            let refused = await world.send(
                "POST", "/v1/downloads/\(id)/content/link", headers: foreign,
                authority: "localhost:8080")
            refused.expectProblem("forbidden", status: 403)
        }
    }

    @Test func theAddressBeginsWithThePublicURL() async throws {
        try await withContent { world, id in
            for base in ["", "https://lull.example", "https://example.com/lull"] {
                var dependencies = world.dependencies
                dependencies.settings.publicURL =
                    base.isEmpty ? nil : try PublicURL(parsing: base)
                let router = Router(dependencies)
                var world = world
                world.handler = { router.answer($0) }
                let href = try await makeLink(world, id)
                #expect(href.hasPrefix(base + "/content/"))
                let path = String(href.dropFirst(base.count))
                #expect(await world.send("GET", path).status == 200)
            }
        }
    }

    /// The kind of the session, the request, and whether the content is gone after it.
    private static let reads: [(kind: String, method: String, range: String?, isGone: Bool)] = [
        ("ephemeral", "GET", nil, true), ("ephemeral", "GET", "bytes=0-8", false),
        ("ephemeral", "HEAD", nil, false), ("background", "GET", nil, false),
    ]

    @Test(arguments: reads)
    func aWholeReadByALinkCountsForAnEphemeralSession(
        _ kind: String, _ method: String, _ range: String?, _ isGone: Bool
    ) async throws {
        try await withContent(session: kind) { world, id in
            let href = try await makeLink(world, id)
            let reply = await world.send(
                method, href, headers: range.map { [("Range", $0)] } ?? [])
            #expect(reply.status == (range == nil ? 200 : 206))
            reply.file?.sent()
            // The file is removed by a task of its own, after the last byte was handed over.
            for _ in 0..<200 where isGone && world.told.now.removed.isEmpty {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(world.told.now.removed.isEmpty == !isGone)
            #expect(await world.send("GET", href).status == (isGone ? 410 : 200))
        }
    }

    /// A player of the page may load from its own service alone.
    @Test func contentInAStoreIsShownByTheServiceAndSavedFromTheStore() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            var result = Self.result()
            result["content"] = [
                "length": 10, "sha256": .string(Self.digest), "length_verified": true,
                "location": "store", "object_tag": "\"abc\"",
                "destination": ["name": "cold", "path": "a.mp4"],
            ]
            try await world.succeed(id, result: result)
            let name = try #require(Identifier(id, kind: .download)).hexadecimal
            let store = Identifier(high: 3, low: 4)
            _ = try await world.pool.query(
                """
                INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
                VALUES (($1::text)::uuid, ($2::text)::uuid, 7, 10, 'infinity', 'infinity')
                """, [name, store.hexadecimal])
            world.told.change {
                $0.address = .url("https://s3.example/a.mp4?X-Amz-Signature=1")
                $0.pieces = [Array("0123456789".utf8)]
            }
            for (body, status) in [
                (#"{"disposition":"inline"}"#, 200), (#"{"disposition":"attachment"}"#, 307),
            ] {
                let href = try await makeLink(world, id, body)
                let reply = await world.send("GET", href)
                #expect(reply.status == status && reply["Referrer-Policy"] == "no-referrer")
                let part = await world.send("GET", href, headers: [("Range", "bytes=1-2")])
                #expect(part.status == (status == 200 ? 206 : 307))
            }
        }
    }
}
