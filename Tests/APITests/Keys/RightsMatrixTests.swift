// The rights of keys: every route, by every set of scopes, through the API.
import Base
import Crypto
import Downloads
import Foundation
import Postgres
import Store
import Testing

@testable import API

@Suite struct RightsMatrixTests {
    /// Every set of scopes.
    private static let sets: [Set<KeyScope>] = (0..<(1 << KeyScope.allCases.count)).map { bits in
        Set(KeyScope.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    }

    private static func headers(_ scopes: Set<KeyScope>) -> [(String, String)] {
        [("Authorization", "Bearer " + name(scopes))]
    }

    private static func name(_ scopes: Set<KeyScope>) -> String {
        "k" + KeyScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: "+")
    }

    /// Runs a body with a service without keys, and with one over that app with a key for each set
    /// of scopes.
    private func with(
        _ body: (_ open: APIWorld, _ gated: APIWorld) async throws -> Void
    )
        async throws
    {
        try await APIWorld.with { world in
            let keys = APIKeys(pool: world.pool)
            for scopes in Self.sets {
                _ = try await keys.create(
                    app: "default", digest: SHA256.digest(of: Self.name(scopes)), scopes: scopes)
            }
            var gated = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            try await body(world, gated)
        }
    }

    /// The members of a document by their paths, without places in lists.
    private func members(_ json: JSON, at path: String = "") -> Set<String> {
        switch json {
        case .object(let object):
            return object.members.reduce(into: []) { found, member in
                let name = path.isEmpty ? member.key : path + "." + member.key
                found.insert(name)
                found.formUnion(members(member.value, at: name))
            }
        case .array(let list):
            return list.reduce(into: []) { $0.formUnion(members($1, at: path)) }
        default: return []
        }
    }

    /// A request that succeeds, with the resources that it needs.
    private func request(
        of route: Route, _ world: APIWorld
    ) async throws -> (path: String, body: String?)? {
        let item = route.path.hasPrefix("/v1/downloads/{id}")
        let made = item ? await world.create(#""metadata":{"secret":"x"}"#) : nil
        let id = made?.json["id"]?.stringValue ?? ""
        var body: String?
        switch route.operation {
        case "createDownload": body = #"{"url":"https://a.example/","metadata":{"a":"b"}}"#
        case "createDownloads":
            body = #"{"downloads":[{"url":"https://a.example/"},{"url":"https://b.example/"}]}"#
        case "actOnDownloads":
            _ = await world.create()
            body = #"{"action":"suspend","filter":{"session":"default"}}"#
        case "changeDownload": body = #"{"priority":0.75}"#
        case "suspendDownload", "cancelDownload": break
        case "resumeDownload": _ = await world.send("POST", "/v1/downloads/\(id)/suspend")
        case "retryDownload", "deleteDownload":
            _ = await world.send("POST", "/v1/downloads/\(id)/cancel")
        case "releaseContent":
            try await world.succeed(id, result: ["content": ["length": 1]])
        case "putSession": body = #"{"max_running":3}"#
        case "changeSession": body = #"{"max_running":2}"#
        case "deleteSession", "suspendSession", "resumeSession", "enterForeground",
            "forceQuitSession":
            break
        case "putSource": body = Self.source
        case "changeSource": body = #"{"overlap":"queue_one"}"#
        case "deleteSource", "suspendSource", "resumeSource", "lookAtSource", "deleteTrigger": break
        case "createTrigger": body = "{}"
        default: return nil
        }
        let session = "s\(UInt64.random(in: 0...UInt64.max))"
        let path = route.path.replacing("{id}", with: id).replacing("{identifier}", with: session)
        if route.path.hasPrefix("/v1/sources/"), route.operation != "putSource" {
            let source = "/v1/sources/" + session
            _ = await world.send("PUT", source, Self.source)
            if route.operation == "deleteTrigger" {
                let trigger = await world.send("POST", source + "/triggers", "{}")
                return (source + "/triggers/" + (trigger.json["id"]?.stringValue ?? ""), nil)
            }
        } else if route.path.contains("{identifier}"), route.operation != "putSession" {
            _ = await world.send("PUT", "/v1/sessions/" + session, "{}")
        }
        return (path + (route.operation == "deleteSession" ? "?mode=cancel" : ""), body)
    }

    private static let source =
        #"{"url":"https://mirror.example/list","schedule":{"cron":"0 0 1 1 *"}}"#

    /// The members that openapi.yaml shows to a key that may not read downloads.
    private func shown(_ operation: String) throws -> [String] {
        let found = try OpenAPIDocument().operations().first { $0.name == operation }
        return try #require(found?.unread, "\(operation) has no x-unread")
    }

    @Test func aKeyThatMayOnlyWriteSeesWhatTheDescriptionSaysAndNoMore() async throws {
        try await with { open, gated in
            for route in open.routes where route.scope == .writeDownloads {
                let allowed = try shown(route.operation)
                var whole: Set<String> = []
                for scopes in Self.sets.reversed() {
                    let prepared = try await request(of: route, open)
                    let (path, body) = try #require(prepared, "\(route.operation) has no request")
                    let reply = await gated.send(
                        route.method, path, body, headers: Self.headers(scopes))
                    let label = "\(route.operation) \(Self.name(scopes))"
                    guard scopes.contains(.writeDownloads) else {
                        reply.expectProblem("insufficient-scope", status: 403)
                        continue
                    }
                    #expect((200..<300).contains(reply.status), "\(label): \(reply.text)")
                    let seen = members(reply.json)
                    if scopes == Set(KeyScope.allCases) { whole = seen }
                    guard !scopes.contains(.readDownloads) else {
                        #expect(seen == whole, "\(label)")
                        continue
                    }
                    let rest = whole.filter { name in
                        name == "data" || allowed.contains(name)
                            || allowed.contains { name == "data." + $0 }
                    }
                    #expect(seen == rest, "\(label)")
                    #expect(reply.bytes.isEmpty || whole.count > rest.count, "\(label)")
                    #expect(reply["Retry-After"] == nil, "\(label)")
                    #expect(reply["ETag"].map { $0.hasSuffix("-0\"") } != false, "\(label)")
                }
            }
        }
    }

    /// The values of placeholders, by the path up to them.
    private func furnish(_ world: APIWorld) async throws -> [String: String] {
        let made = await world.create()
        let id = try #require(made.json["id"]?.stringValue)
        _ = try await world.wakeSession("a")
        _ = try await world.events(1, "/v1/events?types=session.wake")
        let endpoint = await world.send(
            "POST", "/v1/webhook_endpoints",
            #"{"url": "https://hooks.example/", "events": ["*"]}"#)
        let name = try #require(endpoint.json["id"]?.stringValue, "\(endpoint.text)")
        let ping = await world.send("POST", "/v1/webhook_endpoints/\(name)/ping")
        let upload = await world.send(
            "POST", "/v1/uploads",
            #"{"destination":{"url":"https://files.example/in"},"length":9}"#)
        _ = await world.send("PUT", "/v1/sources/list", Self.source)
        let key = await world.send(
            "POST", "/v1/keys", #"{"app":"default","scopes":["downloads:read"]}"#)
        return [
            "/v1/uploads/{id}": try #require(upload.json["id"]?.stringValue, "\(upload.text)"),
            "/v1/downloads/{id}": id, "/v1/webhook_endpoints/{id}": name,
            "/v1/webhook_deliveries/{id}": try #require(ping.json["id"]?.stringValue),
            "/v1/sessions/{identifier}": "a", "/v1/apps/{app}": "default",
            "/v1/sources/{identifier}": "list",
            "/v1/keys/{id}": try #require(key.json["id"]?.stringValue, "\(key.text)"),
            "/v1/conditions/{name}": "load_per_core",
        ]
    }

    @Test func everyOtherRouteOpensWithItsScopeAndShowsTokensOfWakesToReceiversOnly() async throws {
        try await with { open, gated in
            let names = try await furnish(open)
            var tokens = 0
            for route in open.routes
            where route.scope != .writeDownloads && route.path != "/v1/uploads/{id}/content" {
                guard let scope = route.scope else { continue }
                var path = route.path
                for (prefix, name) in names where path.hasPrefix(prefix) {
                    let start = prefix[..<(prefix.firstIndex(of: "{") ?? prefix.endIndex)]
                    path = start + name + path.dropFirst(prefix.count)
                }
                #expect(!path.contains("{"), "\(route.path) has a placeholder without a name")
                for scopes in Self.sets where route.method != "DELETE" {
                    let body = route.body.isEmpty ? nil : "{}"
                    let reply = await gated.send(
                        route.method, path, body, headers: Self.headers(scopes))
                    let label = "\(route.operation) \(Self.name(scopes)): \(reply.text)"
                    #expect(reply.status != 401 && reply.status < 500, "\(label)")
                    let opens =
                        scopes.contains(scope)
                        || route.otherScope.map { scopes.contains($0) } ?? false
                    #expect((reply.status == 403) == !opens, "\(label)")
                    let seen = members(reply.json)
                    guard seen.contains(where: { $0.hasSuffix("wake_token") }) else { continue }
                    tokens += 1
                    #expect(scopes.contains(.webhooks), "\(label)")
                }
            }
            #expect(tokens > 0, "no answer has the token of a wake")
            let stream = [("Accept", "text/event-stream")]
            let first = await open.send("GET", "/v1/events?limit=1").json["data"]?[0]
            let cursor = try #require(first?["cursor"]?.stringValue)
            for scopes: Set<KeyScope> in [[.readDownloads], [.readDownloads, .webhooks]] {
                let reply = await gated.send(
                    "GET", "/v1/events?wait=1&types=session.wake&after=" + cursor,
                    headers: Self.headers(scopes) + stream)
                let reader = StreamReader()
                await reader.read(reply)
                let data = try #require(reader.events.first { $0["event"] == "session.wake" })
                let event = try JSON.parse(Array(try #require(data["data"]).utf8))
                #expect(event["data"]?["identifier"] == "a")
                #expect((event["data"]?["wake_token"] != nil) == scopes.contains(.webhooks))
            }
        }
    }

    /// The page in docs has the table of openapi.yaml.
    @Test func thePageListsEveryRouteThatNeedsAScope() throws {
        let page = try String(
            contentsOf: repository.appending(path: "docs/rights.md"), encoding: .utf8)
        for operation in try OpenAPIDocument().operations() {
            guard let scope = operation.scope else { continue }
            let seen = operation.unread.map { names in
                names.isEmpty ? "nothing" : names.map { "`\($0)`" }.joined(separator: " ")
            }
            let other = operation.otherScope.map { " or `\($0)`" } ?? ""
            let line =
                "| `\(operation.method) \(operation.path)` | `\(scope)`\(other) | \(seen ?? "") |"
                .replacing("|  |", with: "| |")
            #expect(page.contains(line + "\n"), "missing: \(line)")
        }
    }
}
