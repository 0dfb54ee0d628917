// Room for a claim; content that is announced to end, ended, released, lost or read.
import Base
import Downloads
import Postgres
import Scheduling
import Testing
import Trees

@testable import Store

@Suite struct ContentsTests {
    private static let instance = Identifier(high: 7, low: 9)

    /// Downloads that have succeeded; their content is kept for some seconds.
    private func succeeded(
        _ lab: StoreLab, _ count: Int = 1, retention: Int64 = 604_800,
        _ members: JSONObject = JSONObject()
    ) async throws -> [Identifier] {
        let ids = try await lab.submit(count, members)
        let ledger = try await lab.register()
        var runs: [RunRecord] = []
        for claim in try await lab.claim(ledger) {
            var run = lab.end(claim, .succeeded)
            run.content = KeptContent(
                instance: Self.instance, length: 4, at: run.at, retention: retention)
            run.download.result.content = DownloadContent(
                length: 4, sha256: "00", isLengthVerified: true)
            runs.append(run)
        }
        #expect(try await ledger.finish(runs).count == count)
        return ids
    }

    private func pass(_ lab: StoreLab, _ seconds: Int64) async throws {
        _ = try await lab.pool.query(
            """
            UPDATE contents SET due_at = due_at - $1 * interval '1 second',
                expires_at = expires_at - $1 * interval '1 second'
            """, [seconds])
    }

    private func state(_ lab: StoreLab, _ id: Identifier) async throws -> ContentState {
        try #require(await lab.find(id)?.download.result.content?.state)
    }

    @Test func claimsOnlyWhatFitsTheDisk() async throws {
        try await StoreLab.with { lab in
            for expected in [100, 10, 20, 30] as [Int64] {
                try await lab.submit(
                    1, ["count_of_bytes_client_expects_to_receive": .integer(expected)])
            }
            try await lab.submit(1)
            let ledger = try await lab.register()
            let heads = try await ledger.lanes().page.heads
            func claim(_ room: Int64?) async throws -> [Int64] {
                try await ledger.claim(
                    ClaimOrder(heads.map { LaneQuota(head: $0, count: 9) }, total: 9),
                    limits: StoreLab.limits,
                    room: room
                ).runs.map(\.need).sorted()
            }
            #expect(try await claim(9) == [0])
            #expect(try await claim(35) == [10, 20])
            #expect(try await claim(29) == [])
            #expect(try await claim(1 << 60) == [30, 100])
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func bytesOfEarlierAttemptsNeedNoRoom() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running()
            var run = lab.end(claim, .retryScheduled)
            run.download.bytesTotal = 100
            run.download.bytesReceived = 60
            run.resume = ResumePoint(
                offset: 60, fence: claim.fence, instance: "x",
                facts: ResponseFacts(status: 200, url: "x"), total: 100, restarts: 0,
                now: claim.claimedAt)
            run.runAt = claim.claimedAt
            #expect(try await ledger.finish([run]).count == 1)
            let record = try #require(await lab.find(claim.download.id))
            #expect(record.candidate?.need == 40)
            let heads = try await ledger.lanes().page.heads.map {
                LaneQuota(head: $0, count: 1)
            }
            let none = try await ledger.claim(
                ClaimOrder(heads, total: 1), limits: StoreLab.limits, room: 39)
            #expect(none.runs.isEmpty)
            let one = try await ledger.claim(
                ClaimOrder(heads, total: 1), limits: StoreLab.limits, room: 40)
            #expect(one.runs.map(\.need) == [40])
        }
    }

    @Test func contentExpiryWarnsOnceThenEnds() async throws {
        try await StoreLab.with { lab in
            let hook: JSONObject = [
                "webhook_url": "http://r.example/", "webhook_events": ["download.*"],
            ]
            let id = try await succeeded(lab, 1, hook)[0]
            let contents = lab.downloads.contents
            #expect(try await contents.proceed(limit: 10).count == 0)
            try await pass(lab, 600_000)
            let warned = try await contents.proceed(limit: 10)
            #expect(warned.count == 1 && warned.emitsEvent)
            #expect(try await contents.proceed(limit: 10).count == 0)
            #expect(try await state(lab, id) == .held)
            try await pass(lab, 10_000)
            #expect(try await contents.proceed(limit: 10).count == 1)
            #expect(try await contents.proceed(limit: 10).count == 0)
            #expect(try await state(lab, id) == .expired)
            #expect(
                try await lab.events(of: id).suffix(3)
                    == [.succeeded, .contentExpiring, .contentExpired])
            #expect(
                try await lab.number(
                    """
                    SELECT count(*) FROM \(StoreLab.deliveredEvents)
                    WHERE type IN (12, 13) AND events.payload::jsonb->'content'->>'length' = '4'
                    """) == 2)
            let rows = try await contents.releasedFiles(instance: Self.instance, limit: 10)
            #expect(rows.map(\.id) == [id])
            #expect(
                try await contents.releasedFiles(instance: StoreLab.identifier(), limit: 9) == [])
            try await contents.forget([id])
            #expect(try await lab.number("SELECT count(*) FROM contents") == 0)
            let owners = try await lab.register().owners(of: [id], instance: Self.instance)
            #expect(owners.owners == [id: .ended(content: nil)])
        }
    }

    @Test func releaseHasOneEvent() async throws {
        try await StoreLab.with { lab in
            let id = try await succeeded(lab)[0]
            let contents = lab.downloads.contents
            guard case .notFound = try await contents.release(id, app: 2) else {
                throw StoreError(.refused, "another app's download was found")
            }
            let before = try #require(await lab.find(id)).download.sequence
            guard case .refused = try await contents.release(id, app: 1, where: { _ in false })
            else { throw StoreError(.refused, "the condition does not count") }
            #expect(try await lab.find(id)?.download.sequence == before)
            for _ in 0..<2 {
                guard case .done(let record) = try await contents.release(id, app: 1) else {
                    throw StoreError(.refused, "it was not released")
                }
                #expect(record.download.sequence == before + 1)
            }
            #expect(try await state(lab, id) == .released)
            #expect(try await contents.releasedFiles(instance: Self.instance, limit: 9).count == 1)
            try await pass(lab, 700_000)
            #expect(try await contents.proceed(limit: 10).count == 0, "it has ended already")
        }
    }

    @Test func missingContentIsLostOnlyForItsInstance() async throws {
        try await StoreLab.with { lab in
            let ids = try await succeeded(lab, 3).sorted()
            let contents = lab.downloads.contents
            let elsewhere = StoreLab.identifier()
            #expect(try await contents.markLost(ids[0], instance: elsewhere) == false)
            #expect(try await contents.markLost(ids[0], instance: Self.instance))
            #expect(try await contents.markLost(ids[0], instance: Self.instance) == false)
            #expect(try await state(lab, ids[0]) == .lost)
            let first = try await contents.expectedFiles(
                instance: Self.instance, after: nil, limit: 1)
            #expect(first.map(\.id) == [ids[1]])
            let rest = try await contents.expectedFiles(
                instance: Self.instance, after: ids[1], limit: 9)
            #expect(rest.map(\.id) == [ids[2]])
        }
    }

    @Test func readingPostponesTheExpiry() async throws {
        try await StoreLab.with { lab in
            let id = try await succeeded(lab, retention: 10)[0]
            let contents = lab.downloads.contents
            try await pass(lab, 9)
            #expect(try await contents.proceed(limit: 9).count == 1)
            let now = try await lab.now()
            try await contents.extend(id, by: .seconds(60), at: now)
            let end = try await lab.pool.query("SELECT expires_at, due_at FROM contents")[0]
            #expect(try end.get(0, as: TimestampValue.self).timestamp == now + .seconds(60))
            #expect(try end.get(1, as: TimestampValue.self).timestamp == now + .seconds(60))
            let told = try #require(await lab.find(id)).download.result["content"]?["expires_at"]
            #expect(told == .string((now + .seconds(60)).rfc3339))
            try await pass(lab, 3)
            #expect(try await contents.proceed(limit: 9).count == 0)
        }
    }

    @Test func deletedDownloadsFileIsRemovedByItsReplica() async throws {
        try await StoreLab.with { lab in
            let id = try await succeeded(lab)[0]
            _ = try await lab.downloads.perform(.delete, on: id, app: 1)
            let contents = lab.downloads.contents
            #expect(
                try await contents.releasedFiles(instance: Self.instance, limit: 9).map(\.id) == [
                    id
                ])
            try await contents.forget([id])
            #expect(try await contents.releasedFiles(instance: Self.instance, limit: 9).isEmpty)
        }
    }
}
