// The number of connections that a session's downloads may have to one origin.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct ConnectionLimitTests {
    private static let other = "https://other.example:443"

    private func put(_ lab: StoreLab, _ name: String, _ limit: Int64?) async throws -> Int64 {
        var configuration = SessionConfiguration()
        configuration.maxConnectionsPerHost = limit
        let outcome = try await Sessions(pool: lab.pool).put(
            app: 1, identifier: name, configuration: configuration)
        return try #require(outcome.record).key
    }

    private func count(
        _ claims: [ClaimedDownload], _ session: Int64, _ origin: String
    ) -> Int {
        claims.filter { $0.sessionKey == session && $0.origin == origin }.count
    }

    @Test func holdsOverAllReplicas() async throws {
        try await StoreLab.with { lab in
            let (two, free) = (try await put(lab, "two", 2), try await put(lab, "free", nil))
            for origin in [StoreLab.origin, Self.other] {
                // Each priority has a lane of its own.
                for priority in [0.1, 0.9] as [JSON] {
                    for session in [two, free] {
                        try await lab.submit(
                            4, ["priority": priority], origin: origin, session: session)
                    }
                }
            }
            let ledgers = [try await lab.register(), try await lab.register()]
            let claims = try await withThrowingTaskGroup(of: [ClaimedDownload].self) { group in
                for ledger in ledgers {
                    for _ in 0..<3 { group.addTask { try await lab.claim(ledger) } }
                }
                var all: [ClaimedDownload] = []
                for try await part in group { all += part }
                return all
            }
            for origin in [StoreLab.origin, Self.other] {
                #expect(count(claims, two, origin) == 2)
                #expect(count(claims, free, origin) == 8)
            }
            // The conductor knows the limit before it asks for a claim.
            let heads = try await lab.heads(ledgers[0]).filter { $0.sessionKey == two }
            #expect(heads.count == 4)
            #expect(heads.allSatisfy { $0.connections == GateReading(running: 2, limit: 2) })
            // An end gives its place to the next.
            let first = try #require(
                claims.first { $0.sessionKey == two && $0.origin == Self.other })
            for ledger in ledgers { _ = try await ledger.finish([lab.end(first, .failed)]) }
            #expect(count(try await lab.claim(ledgers[0]), two, Self.other) == 1)
            #expect(try await lab.wrongGates() == 0)
            // Without the session's limit the other downloads begin.
            _ = try await put(lab, "two", nil)
            let rest = try await lab.claim(ledgers[1])
            #expect(rest.filter { $0.sessionKey == two }.count == 11)
        }
    }

    @Test func furtherStreamsCount() async throws {
        try await StoreLab.with { lab in
            let session = try await put(lab, "a", 3)
            try await lab.submit(2, session: session)
            let ledger = try await lab.register()
            let claims = try await lab.claim(ledger)
            #expect(claims.count == 2)
            func widen(_ claim: ClaimedDownload) async throws -> Int {
                try await ledger.widen(
                    by: 4, claim.download.id, fence: claim.fence, limits: StoreLab.limits)
            }
            #expect(try await widen(claims[0]) == 1)
            #expect(try await widen(claims[1]) == 0)
            try await lab.submit(1, session: session)
            #expect(try await lab.claim(ledger).isEmpty)
            _ = try await ledger.finish([lab.end(claims[0], .failed)])
            #expect(try await lab.claim(ledger).count == 1)
        }
    }

    @Test func theBlockerSaysSo() async throws {
        try await StoreLab.with { lab in
            let session = try await put(lab, "a", 1)
            let ids = try await lab.submit(2, session: session)
            _ = try await lab.claim(try await lab.register())
            let waiting = try #require(
                try await lab.records(ids).first { $0.download.state == .waiting })
            let candidate = try #require(waiting.candidate)
            let situation = Situation(
                now: try await lab.now(), policy: Policy(limits: StoreLab.limits), zone: .utc)
            let blockers = Admission.blockers(candidate, in: situation)
            #expect(blockers.map(\.code) == [.connectionLimit])
            #expect(
                blockers[0].detail == "1 of 1 connections of its session to its origin are in use")
            // Downloads to another origin are not held back.
            let other = try await lab.submit(1, origin: Self.other, session: session)
            let free = try #require(await lab.find(other[0])?.candidate)
            let later = Situation(
                now: try await lab.now(), policy: Policy(limits: StoreLab.limits), zone: .utc)
            #expect(Admission.blockers(free, in: later).map(\.code) == [.slots])
        }
    }
}
