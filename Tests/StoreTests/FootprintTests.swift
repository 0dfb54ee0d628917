// The bytes that a finished download leaves in the database.
import Base
import Downloads
import Postgres
import Store
import Support
import Testing

@Suite struct FootprintTests {
    private static let instance = StoreLab.identifier()

    /// Bytes for each download (B14).
    private static let most = 2_500.0

    /// The growth of all relations between the 2,000th and the 4,000th download with one webhook,
    /// for each download.
    @Test func finishedDownloadWithAWebhookLeavesLittle() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await run(2000, from: 0, lab, ledger)
            let before = try await sizes(lab)
            try await run(2000, from: 2000, lab, ledger)
            let after = try await sizes(lab)
            var growth: [(String, Double)] = []
            for (name, size) in after {
                growth.append((name, Double(size - (before[name] ?? 0)) / 2000))
            }
            growth.sort { $0.1 > $1.1 }
            let total = growth.reduce(0) { $0 + $1.1 }
            #expect(total <= FootprintTests.most, "\(growth.prefix(12))")
        }
    }

    /// The size of every relation with its forks.
    private func sizes(_ lab: StoreLab) async throws -> [String: Int64] {
        try await lab.pool.script("VACUUM")
        // Empty index pages are used again only after the oldest transaction of the whole server,
        // which may belong to another test.
        let now = try await lab.number("SELECT pg_current_xact_id()::text::bigint")
        _ = try await eventually {
            try await lab.number(
                """
                SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
                    AND least(backend_xmin::text::bigint, backend_xid::text::bigint) <= \(now)
                """) == 0
        }
        try await lab.pool.script("VACUUM")
        try await lab.pool.script("CHECKPOINT")
        let rows = try await lab.pool.query(
            """
            SELECT relname::text, pg_relation_size(oid) FROM pg_class
            WHERE relkind IN ('r', 'i', 't') AND oid >= 16384
            """)
        var sizes: [String: Int64] = [:]
        for row in rows { sizes[try row.get(0)] = try row.get(1, as: Int64.self) }
        return sizes
    }

    /// Downloads from their create to a delivered webhook, in batches as a busy service has them.
    private func run(
        _ count: Int, from first: Int, _ lab: StoreLab, _ ledger: Ledger
    ) async throws {
        let outbox = lab.outbox(ledger)
        for start in stride(from: first, to: first + count, by: 500) {
            let intake = Intake(pool: lab.pool)
            try await withThrowingTaskGroup { group in
                for place in start..<start + 500 {
                    // The downloads come in the order of time, as in a service.
                    var random = SystemRandomNumberGenerator()
                    let id = Identifier(
                        at: Timestamp(seconds: 1_790_000_000) + .milliseconds(place),
                        using: &random)
                    group.addTask {
                        let url = "https://origin.example/files/\(100_000 + place)"
                        var new = try lab.draft(
                            [
                                "url": .string(url),
                                "webhook_url": "https://hooks.example/done",
                            ], id: id)
                        // The request's name, in the form that the API gives it.
                        new.download.spec.requestID = id.text(.request)
                        _ = try await intake.submit(new)
                    }
                }
                try await group.waitForAll()
            }
            // By default a process runs this many downloads at once.
            var left = 500
            while left > 0 {
                let claims = try await lab.claim(ledger, total: 64)
                guard !claims.isEmpty else { break }
                left -= claims.count
                _ = try await ledger.finish(claims.map { end($0, lab) })
                let due = try await outbox.claim(each: 64, total: 64).due
                try await outbox.record(due.map { $0.ended(isDelivered: true) })
            }
            #expect(left == 0)
        }
        let open = try await lab.number("SELECT count(*) FROM deliveries WHERE state <> 2")
        #expect(open == 0)
    }

    /// An end with all the values that an ordinary origin gives.
    private func end(_ claim: ClaimedDownload, _ lab: StoreLab) -> RunRecord {
        var run = lab.end(claim, .succeeded)
        let url = claim.download.url
        let date = "Sun, 22 Nov 2026 14:27:07 GMT"
        var answer = OriginResponse(statusCode: 200, url: url)
        answer.urlChain = [url]
        answer.mimeType = "application/octet-stream"
        answer.headers.contentType = "application/octet-stream"
        answer.etag = "\"7051762995531842124\""
        answer.headers.etag = answer.etag
        answer.lastModified = date
        answer.headers.lastModified = date
        answer.headers.date = date
        answer.suggestedFilename = "100000"
        run.download.result.response = answer
        run.download.result.currentURL = url
        run.download.bytesReceived = 1024
        run.download.bytesTotal = 1024
        run.download.result.content = DownloadContent(
            length: 1024, sha256: String(repeating: "4", count: 64), isLengthVerified: true,
            expiresAt: run.at + .seconds(604_800))
        run.content = KeptContent(
            instance: FootprintTests.instance, length: 1024, at: run.at, retention: 604_800)
        run.detail.url = url
        run.detail.httpStatus = 200
        run.detail.resumedFrom = 0
        run.detail.bytesDiscarded = 0
        run.detail.lookupTime = 0
        run.detail.connectTime = 120
        run.detail.tlsTime = 0
        run.detail.firstByteTime = 236
        run.detail.totalTime = 40_949
        return run
    }
}
