// GET and HEAD change nothing, with any parameters.
import Base
import HTTPWire
import Postgres
import Testing

@testable import API

@Suite struct SafeMethodTests {
    private static let tables = [
        "downloads", "queue", "events", "deliveries", "contents", "sessions", "session_versions",
        "policies", "attempts", "gates",
    ]

    private func snapshot(_ world: APIWorld) async throws -> [String] {
        var texts: [String] = []
        for table in SafeMethodTests.tables {
            let rows = try await world.pool.query(
                "SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text), '') FROM \(table) t")
            texts.append(table + ": " + (try rows[0].get(0, as: String.self)))
        }
        return texts
    }

    @Test func getAndHeadChangeNothing() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            let ended = try #require(await world.create().json["id"]?.stringValue)
            try await world.succeed(
                ended,
                result: [
                    "content": [
                        "length": 0, "sha256": .string(String(repeating: "0", count: 64)),
                    ]
                ])
            world.told.change {
                $0.content = .open(FileRegion(descriptor: 0, offset: 0, length: 0, close: {}))
            }
            let before = try await snapshot(world)
            var count = 0
            // The offset of an upload has HEAD alone.
            for route in world.routes
            where ["GET", "HEAD"].contains(route.method) && !route.path.hasPrefix("/v1/uploads/") {
                for name in [id, ended] {
                    let path = route.path.replacing("{id}", with: name)
                        .replacing("{identifier}", with: "default")
                        .replacing("{slug}", with: "not-found")
                    for query in ["", "?release=true", "?dry_run=true", "?delete=1"] {
                        for method in ["GET", "HEAD"] {
                            let reply = await world.send(method, path + query)
                            // Readiness without checks is ready; no other answer is 5xx.
                            #expect(reply.status < 500, "\(method) \(path)\(query)")
                            if !query.isEmpty, !route.ignoresQuery {
                                #expect(reply.status == 422, "\(path)\(query)")
                            }
                            count += 1
                        }
                    }
                }
            }
            #expect(count > 150)
            #expect(try await snapshot(world) == before)
            #expect(world.told.now.removed.isEmpty && world.told.now.orders.isEmpty)
        }
    }
}
