// Web pages of other sites: which are listed, what they may send, and what others may not.
import Crypto
import Downloads
import Foundation
import HTTPWire
import Store
import Support
import Testing

@testable import API

@Suite struct AllowedOriginsTests {
    private static let listed = "https://app.example"

    @Test(arguments: [
        "https://app.example", "http://localhost:5173", "https://app.example:8443",
        "http://app.example:443", "https://app.example:80", "http://127.0.0.1:3000",
        "http://[::1]:3000", "https://[2001:db8::1]", "https://xn--bcher-kva.example",
        "https://a.example,https://b.example", " https://a.example , http://b.example ", "", ",",
    ])
    func takesOriginsAsBrowsersSendThem(_ text: String) throws {
        let origins = try AllowedOrigins(parsing: text)
        for word in text.split(separator: ",").map({ String($0).trimmed }) where !word.isEmpty {
            var fields = HeaderFields()
            fields.append("Origin", word)
            let request = Request(method: "GET", path: "/", headers: fields)
            #expect(origins.origin(of: request) == word)
        }
        #expect(origins.isEmpty == !text.contains("h"))
    }

    @Test(arguments: [
        "*", "https://*", "https://*.example", "null", "app.example", "https://app.example/",
        "https://app.example/path", "https://App.example", "HTTPS://app.example", "https://",
        "https:///", "https://app.example:443", "http://app.example:80", "https://app.example:",
        "https://app.example:0", "https://app.example:08443", "https://app.example:99999",
        "https://app.example:x", "https://user@app.example", "https://app.example?x",
        "https://app.example#x", "ftp://app.example", "file://", "chrome-extension://abc",
        "https://app example", "https://büch.example", "https://[::1", "https://::1]",
        "https://[::1]x", "https://a.example,*", "https:/app.example", "//app.example", "http",
        "https://a.example https://b.example", "https://a[b]", "https://a:1:2",
    ])
    func refusesEverythingThatNoBrowserSends(_ text: String) {
        #expect(throws: AddressError.self) { try AllowedOrigins(parsing: text) }
    }

    @Test func theNumberOfOriginsIsBounded() throws {
        func text(_ count: Int) -> String {
            (0..<count).map { "https://a\($0).example" }.joined(separator: ",")
        }
        _ = try AllowedOrigins(parsing: text(AllowedOrigins.countAtMost))
        #expect(throws: AddressError.self) {
            try AllowedOrigins(parsing: text(AllowedOrigins.countAtMost + 1))
        }
    }

    private func world(
        _ hosts: HostPolicy = .any, origins: String = listed
    ) throws -> APIWorld {
        var world = try APIWorld.alone(hosts: hosts)
        var dependencies = world.dependencies
        dependencies.settings.origins = try AllowedOrigins(parsing: origins)
        let router = Router(dependencies)
        world.handler = { router.answer($0) }
        return world
    }

    private func varies(_ reply: Reply) -> Bool {
        reply.response.headers.filter { $0.0 == "Vary" }.map(\.1).joined(separator: ",")
            .split(separator: ",").contains { String($0).trimmed == "Origin" }
    }

    /// The origins of a request, and whether its answer may be read by the page.
    private static let origins: [(fields: [String], isRead: Bool)] = [
        ([listed], true), ([], false), (["https://evil.example"], false), (["null"], false),
        (["https://APP.example"], false), (["https://app.example/"], false),
        (["https://app.example:443"], false), (["http://app.example"], false),
        (["https://app.example.evil.example"], false), (["https://sub.app.example"], false),
        ([listed, listed], false), ([listed, "https://evil.example"], false),
        (["https://app.example, https://evil.example"], false), (["*"], false), ([""], false),
    ]

    /// All routes without a database, so that answers of every kind and refusals are among them.
    @Test func onlyAListedOriginReadsAnswersAndAllAnswersVary() async throws {
        for (isOn, world) in [(true, try world()), (false, try APIWorld.alone())] {
            var statuses: Set<Int> = []
            for (fields, isRead) in Self.origins {
                let headers =
                    fields.map { ("Origin", $0) } + [("Accept-Encoding", "gzip")]
                for route in world.routes {
                    let path = route.path.replacing(/\{[a-z]+\}/, with: "a")
                    let reply = await world.send(route.method, path, headers: headers)
                    statuses.insert(reply.status)
                    let allowed = reply.response.headers.filter {
                        $0.0.lowercased().hasPrefix("access-control-")
                    }
                    let wanted =
                        isOn && isRead
                        ? ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"] : []
                    #expect(allowed.map(\.0) == wanted, "\(route.operation) \(fields)")
                    #expect(allowed.first.map { $0.1 == Self.listed } ?? true)
                    #expect(varies(reply) == isOn, "\(route.operation) \(fields)")
                }
                let missing = await world.send("GET", "/nothing", headers: headers)
                #expect(
                    (missing["Access-Control-Allow-Origin"] == Self.listed) == (isOn && isRead))
            }
            #expect(statuses.isSuperset(of: [200, 404, 415, 503]), "\(statuses)")
        }
    }

    /// Without keys a listed page passes `Origin` and `Sec-Fetch-Site`; the host still holds.
    @Test func withoutKeysListedPagesAloneAreAnswered() async throws {
        let world = try world(.loopbackOnly(takesForwarded: false))
        for (fields, isListed) in Self.origins {
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
                for site in ["cross-site", "same-site"] {
                    let headers = fields.map { ("Origin", $0) } + [("Sec-Fetch-Site", site)]
                    for (authority, isOurs) in [("localhost:8080", true), ("evil.example", false)] {
                        let reply = await world.send(
                            method, "/v1/downloads/dl_1", method == "GET" ? nil : "{}",
                            headers: headers, authority: authority)
                        #expect(
                            (reply.status != 403) == (isListed && isOurs),
                            "\(method) \(fields) \(site) \(authority)")
                    }
                }
            }
        }
    }

    @Test func aForwardedRequestOfAListedPageIsRefusedAsOthersAre() async throws {
        for (takes, isRefused) in [(false, true), (true, false)] {
            let world = try world(.loopbackOnly(takesForwarded: takes))
            let reply = await world.send(
                "GET", "/v1/downloads/dl_1",
                headers: [("Origin", Self.listed), ("X-Forwarded-For", "203.0.113.7")],
                authority: "localhost")
            #expect((reply.status == 403) == isRefused)
        }
    }

    private func ask(
        _ world: APIWorld, _ path: String, _ origins: [String], method: String? = "PATCH",
        authority: String = "localhost"
    ) async -> Reply {
        let asked = method.map { [("Access-Control-Request-Method", $0)] } ?? []
        return await world.send(
            "OPTIONS", path, headers: origins.map { ("Origin", $0) } + asked,
            authority: authority)
    }

    /// A browser sends no key with a preflight, and learns of no path from its answer.
    @Test func preflightsNeedNoKeyAndAreEqualForAllPaths() async throws {
        var world = try world()
        var dependencies = world.dependencies
        dependencies.settings.origins = try AllowedOrigins(parsing: Self.listed)
        let authenticator = KeyAuthenticator(dependencies, keys: APIKeys(pool: world.pool))
        world.handler = { authenticator.answer($0) }
        for path in world.routes.map(\.path) + ["/v1/nothing", "/nothing", "/v1/downloads/dl_1"] {
            for (fields, isListed) in Self.origins {
                let reply = await ask(world, path, fields)
                #expect((reply.status == 204) == isListed, "\(path) \(fields)")
                #expect(varies(reply))
                #expect(reply["Access-Control-Allow-Credentials"] == nil)
                guard isListed else {
                    #expect(reply["Access-Control-Allow-Origin"] == nil)
                    #expect(reply["Access-Control-Allow-Methods"] == nil)
                    continue
                }
                #expect(reply["Access-Control-Allow-Origin"] == Self.listed)
                #expect(reply["Access-Control-Max-Age"] == "7200")
                #expect(reply["X-Request-Id"]?.hasPrefix("req_") == true)
                #expect(reply.response.body.length == 0)
            }
            let plain = await ask(world, path, [Self.listed], method: nil)
            #expect(plain.status != 204 || path.hasPrefix("/v1/uploads"), "\(path)")
        }
    }

    @Test func withoutKeysPreflightsNeedTheHostOfTheService() async throws {
        let world = try world(.loopbackOnly(takesForwarded: false))
        for (authority, status) in [("localhost:8080", 204), ("evil.example", 403)] {
            let reply = await ask(world, "/v1/downloads", [Self.listed], authority: authority)
            #expect(reply.status == status)
        }
        let other = await ask(world, "/v1/downloads", ["https://evil.example"])
        #expect(other.status == 403 && other["Access-Control-Allow-Origin"] == nil)
    }

    @Test func refusalsForLackOfAKeyAreReadByListedPages() async throws {
        var world = try world()
        var dependencies = world.dependencies
        dependencies.settings.origins = try AllowedOrigins(parsing: Self.listed)
        let authenticator = KeyAuthenticator(dependencies, keys: APIKeys(pool: world.pool))
        world.handler = { authenticator.answer($0) }
        for key in [nil, "lull_x"] {
            let headers =
                [("Origin", Self.listed)] + (key.map { [("Authorization", "Bearer \($0)")] } ?? [])
            let reply = await world.send("GET", "/v1/downloads", headers: headers)
            #expect([401, 503].contains(reply.status))
            #expect(reply["Access-Control-Allow-Origin"] == Self.listed && varies(reply))
        }
    }

    /// What the description names is allowed: every method, every field of requests and answers.
    @Test func pagesMaySendAndReadEverythingThatTheDescriptionNames() throws {
        let text = String(decoding: APIDescription.bytes, as: UTF8.self)
        let sent = Set(
            text.matches(of: /name: ([A-Z][A-Za-z-]+)\n +in: header/).map { String($0.1) })
        #expect(sent.count > 8)
        #expect(sent.isSubset(of: Router.sharedRequestFields))
        let methods = Set(try APIWorld.alone().routes.map(\.method))
        #expect(methods.isSubset(of: Router.sharedMethods))
        // Fields of replicas are not for pages, and these need no leave (Fetch Standard).
        let others: Set = ["Lull-Length", "Lull-Proof", "Cache-Control", "Last-Modified", "Vary"]
        let given = Set(
            text.matches(
                of:
                    #/
                    \n\x20+([A-Z][A-Za-z]*(?:-[A-Za-z]+)+|ETag|Location|Link|Allow|Vary):
                    (?:\x20\{\$ref:\x20".\/components\/headers|\n\x20+description)
                /#
            ).map { String($0.1) })
        #expect(given.count > 12)
        #expect(given.subtracting(others).isSubset(of: Router.sharedAnswerFields), "\(given)")
    }
}
