// The answers for an app do not change with the work of other apps, except for numbers of one
// digit.
import Base
import Crypto
import Downloads
import Platform
import Postgres
import Scheduling
import Store
import Support
import Testing

@testable import API

@Suite struct OtherAppsTests {
    /// The members that may change, by the end of their path: each is rounded to one digit or to
    /// hundredths, or follows from the time that all apps together take.
    private static let rounded: Set<String> = [
        // Explanations and forecasts of a download of the app: its turn.
        "expected", "begin", "end", "confidence", "hours.bytes", "hours.running",
        "place.others_before",
        // Values that are learned from all apps' downloads.
        "size.bytes_left", "size.learned.p50", "size.learned.p80",
        "rate.learned.p20", "rate.learned.p50", "rate.seconds_needed",
        // A budget of the deployment.
        "budgets.left_part",
        // The number of simulated futures depends on the time there was.
        "basis.seeds",
        "request_id",
    ]

    private static let scopes = Set(KeyScope.allCases).subtracting([.admin])

    private func bearer(_ app: String) -> [(String, String)] {
        [("Authorization", "Bearer lull_" + app)]
    }

    /// A service with keys at a fixed instant, which has answered no request yet.
    private func gated(_ world: APIWorld, at now: Timestamp) -> APIWorld {
        var dependencies = world.dependencies
        let situation = dependencies.worker.situation
        dependencies.worker.situation = {
            var situation = situation($0)
            situation.hidesOthers = true
            return situation
        }
        dependencies.now = { now }
        var world = world
        let authenticator = KeyAuthenticator(dependencies, keys: APIKeys(pool: world.pool))
        world.handler = { authenticator.answer($0) }
        return world
    }

    /// Makes one resource of each kind for the first app; returns them by the names of
    /// placeholders.
    private func furnish(_ world: APIWorld) async throws -> [String: [String]] {
        let headers = bearer("one")
        func create(_ members: String) async throws -> String {
            let reply = await world.send(
                "POST", "/v1/downloads",
                """
                {"url":"https://mirror.example/\(members)",
                 "count_of_bytes_client_expects_to_receive": 100}
                """,
                headers: headers)
            return try #require(reply.json["id"]?.stringValue, "\(reply.text)")
        }
        let (waiting, failed) = (try await create("w"), try await create("f"))
        try await world.fail(failed)
        _ = await world.send(
            "PUT", "/v1/sessions/nightly", #"{"webhook_url":"https://hooks.example/"}"#,
            headers: headers)
        let source = await world.send(
            "PUT", "/v1/sources/list",
            #"{"url":"https://mirror.example/list","schedule":{"cron":"0 0 1 1 *"}}"#,
            headers: headers)
        #expect(source.status == 201, "\(source.text)")
        let endpoint = await world.send(
            "POST", "/v1/webhook_endpoints",
            #"{"url": "https://hooks.example/", "events": ["*"]}"#, headers: headers)
        let id = try #require(endpoint.json["id"]?.stringValue, "\(endpoint.text)")
        let ping = await world.send("POST", "/v1/webhook_endpoints/\(id)/ping", headers: headers)
        let delivery = try #require(ping.json["id"]?.stringValue, "\(ping.text)")
        let upload = await world.send(
            "POST", "/v1/uploads",
            #"{"destination":{"url":"https://files.example/in"},"length":9}"#, headers: headers)
        return [
            "/v1/uploads/{id}": [
                try #require(upload.json["id"]?.stringValue, "\(upload.text)")
            ],
            "/v1/downloads/{id}": [waiting, failed], "/v1/webhook_endpoints/{id}": [id, "default"],
            "/v1/webhook_deliveries/{id}": [delivery], "/v1/sessions/{identifier}": ["nightly"],
            "/v1/sources/{identifier}": ["list"],
            "/v1/apps/{app}": ["one"], "/v1/conditions/{name}": ["load_per_core"],
        ]
    }

    /// Every route that reads, with the names of the first app's resources; a new route has to be
    /// reached as well.
    private func requests(
        _ world: APIWorld, _ names: [String: [String]]
    ) -> [(method: String, path: String)] {
        var requests: [(String, String)] = []
        for route in world.routes where route.path.hasPrefix("/v1/") {
            guard route.method == "GET" || route.operation.hasPrefix("explain") else { continue }
            guard let place = route.path.firstIndex(of: "{") else {
                requests.append((route.method, route.path))
                continue
            }
            let end = route.path[place...].firstIndex(of: "}") ?? place
            let prefix = String(route.path[...end])
            let rest = route.path[route.path.index(after: end)...]
            #expect(names[prefix] != nil, "\(route.path) has a placeholder without a name")
            for name in names[prefix] ?? [] {
                requests.append((route.method, route.path[..<place] + name + rest))
            }
        }
        return requests
    }

    private func answers(
        _ world: APIWorld, _ requests: [(method: String, path: String)]
    ) async -> [String: Reply] {
        var answers: [String: Reply] = [:]
        for (method, path) in requests {
            let body =
                method == "POST"
                ? #"{"url":"https://m.example/b", "count_of_bytes_client_expects_to_receive": 9}"#
                : nil
            answers[method + " " + path] = await world.send(
                method, path, body, headers: bearer("one"))
        }
        return answers
    }

    /// Does work of another app that is counted anywhere: creates, runs, ends, webhooks, bytes of a
    /// shared budget, and files from which Lull learns.
    private func act(_ world: APIWorld) async throws {
        let headers = bearer("two")
        _ = await world.send(
            "POST", "/v1/webhook_endpoints",
            #"{"url": "https://other.example/", "events": ["*"]}"#, headers: headers)
        for number in 0..<23 {
            let reply = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://mirror.example/\#(number)"}"#,
                headers: headers)
            let id = try #require(reply.json["id"]?.stringValue, "\(reply.text)")
            switch number % 4 {
            case 0: try await world.run(id, bytes: 1000)
            case 1: try await world.fail(id)
            case 2: _ = await world.send("POST", "/v1/downloads/\(id)/suspend", headers: headers)
            default: break
            }
        }
        _ = try await world.pool.query(
            "UPDATE gates SET running = 9 WHERE kind = lull_gate('origin')")
        _ = try await world.pool.query(
            """
            INSERT INTO budget_counters (owner, budget, value, starts_at, ends_at, spent)
            SELECT '', 'all', '', date_trunc('day', $1::timestamptz, 'UTC'),
                date_trunc('day', $1::timestamptz, 'UTC') + interval '1 day', 250
            """, [Self.now.rfc3339])
        world.told.change { told in
            told.learned.add(2e6, .size, to: [.all], at: Self.now)
            told.learned.add(3e5, .rate, to: [.all], at: Self.now)
        }
    }

    private static let now =
        Timestamp(microseconds: SystemClock.wallMicroseconds() / 1_000_000 * 1_000_000)
        + .seconds(60)

    /// The members in which two values differ, by their paths without places in lists.
    private func differences(_ one: JSON, _ other: JSON, at path: String = "") -> Set<String> {
        guard one != other else { return [] }
        if case .object(let one) = one, case .object(let other) = other {
            let names = Set(one.members.map(\.key) + other.members.map(\.key))
            return names.reduce(into: []) { found, name in
                found.formUnion(
                    differences(
                        one[name] ?? .null, other[name] ?? .null,
                        at: path.isEmpty ? name : path + "." + name))
            }
        }
        if case .array(let one) = one, case .array(let other) = other, one.count == other.count {
            return zip(one, other).reduce(into: []) {
                $0.formUnion(differences($1.0, $1.1, at: path))
            }
        }
        return [path]
    }

    private func isRounded(_ path: String) -> Bool {
        let names = path.split(separator: ".")
        return OtherAppsTests.rounded.contains { allowed in
            let wanted = allowed.split(separator: ".")
            return names.indices.contains { start in
                names[start...].starts(with: wanted)
            }
        }
    }

    private func with(_ body: (APIWorld, [String: [String]]) async throws -> Void) async throws {
        try await APIWorld.with { world in
            for app in ["one", "two"] {
                _ = try await APIKeys(pool: world.pool).create(
                    app: app, digest: SHA256.digest(of: "lull_" + app), scopes: Self.scopes)
            }
            _ = try await APIKeys(pool: world.pool).create(
                app: "one", digest: SHA256.digest(of: "lull_admin"), scopes: Set(KeyScope.allCases))
            let put = await world.send(
                "PUT", "/v1/policy",
                """
                {"budgets": [{"name": "all", "bytes": 1000, "per": "day", "scope": "deployment"}],
                 "limits": {"per_origin": 6, "running": 6}}
                """)
            #expect(put.status == 200, "\(put.text)")
            world.told.change { told in
                for _ in 0..<9 {
                    told.learned.add(1e6, .size, to: [.all], at: Self.now)
                    told.learned.add(1e5, .rate, to: [.all], at: Self.now)
                }
            }
            let names = try await furnish(gated(world, at: Self.now))
            // The origin's places are taken, before and after.
            _ = try await world.pool.query(
                "UPDATE gates SET running = 6 WHERE kind = lull_gate('origin')")
            try await body(world, names)
        }
    }

    @Test func answersOfAnAppDoNotChangeWithWhatOthersDo() async throws {
        try await with { world, names in
            let requests = requests(world, names)
            #expect(requests.count > 20)
            // The journal shows only events that are older than every transaction still under way.
            let written = try await world.pool.query(
                """
                SELECT count(*) FROM events e JOIN apps a ON a.app_no = e.app_no
                WHERE a.name = 'one'
                """)[0].get(0, as: Int64.self)
            let isShown = try await eventually {
                let page = await gated(world, at: Self.now)
                    .send("GET", "/v1/events", headers: bearer("one"))
                return page.json["data"]?.arrayValue?.count == Int(written)
            }
            #expect(isShown)
            // A first read makes rows, such as the standard endpoint, which stay.
            _ = await answers(gated(world, at: Self.now), requests)
            let before = await answers(gated(world, at: Self.now), requests)
            try await act(gated(world, at: Self.now))
            let after = await answers(gated(world, at: Self.now), requests)
            for (request, old) in before {
                let new = try #require(after[request])
                #expect(old.status == new.status && old["ETag"] == new["ETag"], "\(request)")
                #expect(old["Link"] == new["Link"], "\(request)")
                // Without a forecast, of which `expected` is one, there is no place at all.
                let changed = differences(old.json, new.json)
                    .filter { !isRounded($0) && $0 != "place" }
                #expect(changed.isEmpty, "\(request): \(changed.sorted())")
                if old.json == .null { #expect(old.bytes == new.bytes, "\(request)") }
            }
        }
    }

    /// A key with the scope `admin` sees all numbers, so the test above would notice them.
    @Test func theScopeAdminSeesFiguresOfAll() async throws {
        try await with { world, names in
            try await act(gated(world, at: Self.now))
            let waiting = try #require(names["/v1/downloads/{id}"]?.first)
            let path = "/v1/downloads/\(waiting)/explain"
            let world = gated(world, at: Self.now)
            let own = await world.send("GET", path, headers: bearer("one")).json
            let all = await world.send("GET", path, headers: bearer("admin")).json
            #expect(own["budgets"]?[0]?["left"] == .null && all["budgets"]?[0]?["left"] == 750)
            #expect(own["budgets"]?[0]?["left_part"] == 0.75)
            #expect(own["limits"]?[0]?["value"] == .null && all["limits"]?[0]?["value"] == 9)
            #expect(own["rate"]?["learned"]?["samples"] == .null)
            #expect(all["rate"]?["learned"]?["samples"] == 10)
            func details(_ answer: JSON) -> String {
                (answer["blockers"]?.arrayValue ?? []).compactMap { $0["detail"]?.stringValue }
                    .joined(separator: "; ")
            }
            #expect(details(all).contains("9 of 6 downloads from its origin are running"))
            #expect(details(own).contains("all places for downloads from its origin are taken: 6"))
            let basis = await world.send("GET", "/v1/forecast", headers: bearer("one"))
                .json["basis"]
            let whole = await world.send("GET", "/v1/forecast", headers: bearer("admin"))
                .json["basis"]
            #expect(basis?["waiting"] == 1 && basis?["samples"] == .null)
            #expect(whole?["waiting"]?.integerValue ?? 0 > 1 && whole?["samples"] != .null)
        }
    }
}
