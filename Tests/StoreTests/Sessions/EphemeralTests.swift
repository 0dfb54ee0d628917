// The rows that an ephemeral session leaves, looked for in every table.
import Base
import Downloads
import Postgres
import Testing

@testable import Store

@Suite struct EphemeralTests {
    private static let canary = "canary0f7a"

    /// The tables with rows in which a text stands.
    private func places(of text: String, _ lab: StoreLab) async throws -> [String] {
        let tables = try await lab.pool.query(
            """
            SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
                AND NOT c.relispartition ORDER BY 1
            """
        ).map { try $0.get(0, as: String.self) }
        #expect(tables.count > 20)
        var places: [String] = []
        for table in tables {
            let count = try await lab.number(
                "SELECT count(*) FROM \(table) t WHERE t::text LIKE '%\(text)%'")
            if count > 0 { places.append(table) }
        }
        return places
    }

    private func submit(
        _ lab: StoreLab, _ kind: String, _ session: Int64
    ) async throws -> Identifier {
        let url = "https://a.example/x?sig=\(Self.canary)"
        let digest = "sha256:" + String(repeating: "a", count: 64)
        let members: JSONObject = [
            "url": .string(url), "urls": [.string("https://b.example/x?sig=\(Self.canary)")],
            "expected_digest": .string(digest), "webhook_url": "https://hooks.example/x?kept=1",
            "webhook_events": ["*"],
        ]
        let request = try DownloadRequest.parse(.object(members)).get()
        let spec = DownloadSpec(
            request,
            session: try SessionConfiguration.parse(["kind": .string(kind)]).get(),
            sessionVersion: 1, defaults: .standard)
        var new = NewDownload(
            download: Download(
                id: StoreLab.identifier(), request: request, spec: spec, createdAt: .epoch),
            app: 1, sessionKey: session, origin: "https://a.example:443")
        new.mirrorOrigins = ["https://b.example:443"]
        _ = try await Intake(pool: lab.pool).submit(new)
        return new.download.id
    }

    private func end(_ world: SessionLab, _ outcome: RunOutcome) async throws {
        let claims = try await world.lab.claim(world.ledger)
        _ = try await world.ledger.finish(
            claims.map { claim in
                var run = world.lab.end(claim, outcome)
                let url = "https://a.example/x?sig=\(Self.canary)"
                run.download.result.currentURL = url
                run.download.result.response = OriginResponse(statusCode: 200, url: url)
                run.detail.url = url
                return run
            })
    }

    @Test(arguments: [RunOutcome.succeeded, .failed, .canceled])
    func noTableHasTheQueryAfterTheEnd(outcome: RunOutcome) async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a", ["kind": "ephemeral"])
            let other = try await world.put("b", [:])
            let id = try await submit(lab, "ephemeral", session)
            #expect(try await places(of: Self.canary, lab) == ["download_requests"])
            let due = try await lab.outbox(world.ledger).claim(each: 9, total: 9).due
            #expect(try !due.contains { try $0.data.text.contains(Self.canary) })
            try await end(world, outcome)
            #expect(try await world.wakes.erase(limit: 9) == 1)
            #expect(try await places(of: Self.canary, lab).isEmpty)
            #expect(try await world.wakes.erase(limit: 9) == 0)
            let kept = try #require(try await lab.find(id)).download
            #expect(kept.url == "https://a.example/x" && kept.spec.isErased)
            #expect(kept.spec.webhookURL == "https://hooks.example/x?kept=1")
            #expect(kept.spec.urls == ["https://b.example/x"])
            // Another session keeps the URLs that it was given.
            let background = try await submit(lab, "background", other)
            try await end(world, outcome)
            #expect(try await world.wakes.erase(limit: 9) == 0)
            #expect(
                try await lab.find(background)?.download.url.contains(Self.canary) == true)
        }
    }

    @Test func aRetryNeedsTheURLAgain() async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a", ["kind": "ephemeral"])
            let id = try await submit(lab, "ephemeral", session)
            try await end(world, .failed)
            _ = try await world.wakes.erase(limit: 9)
            guard case .urlErased = try await lab.downloads.perform(.retry, on: id, app: 1) else {
                Issue.record("retried without the query")
                return
            }
            let old = try #require(try await lab.find(id)).download
            let patch = try DownloadPatch.parse([
                "url": .string("https://a.example/y?sig=\(Self.canary)")
            ]).get()
            let new = try patch.applied(
                to: old, session: SessionConfiguration(), defaults: .standard
            ).get()
            guard
                case .done = try await lab.downloads.change(
                    old, to: new, origins: ["https://a.example:443", "https://b.example:443"],
                    app: 1),
                case .done = try await lab.downloads.perform(.retry, on: id, app: 1)
            else {
                Issue.record("not retried")
                return
            }
            #expect(try await lab.state(of: id) == .waiting)
            #expect(try await lab.find(id)?.download.url.contains(Self.canary) == true)
            try await end(world, .succeeded)
            _ = try await world.wakes.erase(limit: 9)
            #expect(try await places(of: Self.canary, lab).isEmpty)
        }
    }

    @Test(arguments: ["background", "ephemeral", nil])
    func theKindNeverChanges(kind: String?) async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            func document(_ kind: String?) throws -> SessionConfiguration {
                try SessionConfiguration.parse(kind.map { ["kind": .string($0)] } ?? [:]).get()
            }
            _ = try await world.sessions.put(
                app: 1, identifier: "a", configuration: try document(kind))
            for other in ["background", "ephemeral", nil] {
                let outcome = try await world.sessions.put(
                    app: 1, identifier: "a", configuration: try document(other))
                var isRefused = false
                if case .otherKind = outcome { isRefused = true }
                #expect(isRefused == ((other ?? "background") != (kind ?? "background")))
            }
        }
    }

    /// The function of the database and `Download.withoutQueries` are one.
    @Test(arguments: [
        "https://a/b?c=d", "", "why?", "http://a?x://y?z", #"["https://a/?x=1","https://b/?y"]"#,
        #"said \"https://a/?x=1\" twice"#, "see a://b/c?d\te?f", "https://ä/ö?ü=1",
    ])
    func queriesEndTheSameInSQL(_ text: String) async throws {
        try await StoreLab.with { lab in
            let shown = try await lab.pool.query("SELECT lull_without_queries($1)", [text])[0]
                .get(0, as: String.self)
            #expect(shown == Download.withoutQueries(text))
        }
    }
}
