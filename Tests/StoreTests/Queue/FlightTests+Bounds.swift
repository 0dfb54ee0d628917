// Very many downloads that share a transfer: the rows that each statement reads and changes.
import Base
import Downloads
import Foundation
import Postgres
import Testing

@testable import Store

extension FlightTests {
    /// The number of followers of one leader; `LULL_FOLLOWERS` sets another.
    private static let followers =
        ProcessInfo.processInfo.environment["LULL_FOLLOWERS"].flatMap { Int($0) } ?? 4000

    /// Every statement handles a bounded number of rows, and reads no more with a thousand times as
    /// many followers; between two statements other downloads are claimed at the usual cost.
    @Test func statementsAreBounded() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance, lease: .seconds(3600))
            let first = try await submit(lab, 2)
            func pages(_ statement: String) async throws -> Int64 {
                let connection = PostgresConnection(url: lab.url)
                try await connection.open()
                let pages = try await StoreLab.pages(connection, statement)
                await connection.close()
                return pages
            }
            func costs() async throws -> [Int64] {
                let id = "'\(first[0].hexadecimal)'"
                let flight = "'\(Self.flight.hexadecimal)'"
                return [
                    try await pages("SELECT lull_hold_flights(ARRAY[\(flight)::uuid])"),
                    try await pages("SELECT lull_end_flights(ARRAY[\(id)::uuid])"),
                    try await pages(
                        "SELECT * FROM queue WHERE joined_to = \(id) ORDER BY joined_to, id LIMIT 1"
                    ),
                ]
            }
            let few = try await costs()
            var batch: [NewDownload] = []
            for _ in 0..<Self.followers { batch.append(try draft(lab)) }
            for start in stride(from: 0, to: batch.count, by: 1000) {
                _ = try await Intake(pool: lab.pool).submit(
                    batch: Array(batch[start..<min(start + 1000, batch.count)]), idempotency: nil)
            }
            _ = try await lab.pool.query("ANALYZE queue")
            let many = try await costs()
            for (few, many) in zip(few, many) { #expect(many <= few + 40) }
            try await passIsBounded(lab, first[0], pages)
            try await settle(lab, at: instance)
            let waiting = Int64(Self.followers)
            #expect(
                try await lab.number("SELECT count(*) FROM queue WHERE state = 4") == waiting)
            let claim = try #require(await lab.claim(ledger).first)
            _ = try await ledger.finish([succeeded(lab, claim, instance)])
            try await landingIsBounded(lab, ledger, instance, pages)
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')")
                    == waiting + 1)
            try await expectSound(lab)
        }
    }

    /// The lead passes to a follower with a batch of the others, at the cost of a batch.
    private func passIsBounded(
        _ lab: StoreLab, _ leader: Identifier, _ pages: (String) async throws -> Int64
    ) async throws {
        _ = try await lab.downloads.perform(.cancel, on: leader, app: 1)
        #expect(try await lab.number("SELECT count(*) FROM flight_ends") == 1, "one row for all")
        #expect(
            try await lab.downloads.flights.settle(leader, isPassed: true) == Flights.batch + 1)
        let name = "'\(leader.hexadecimal)'"
        let small = try await pages("SELECT lull_pass_flight(\(name), 20)")
        let large = try await pages("SELECT lull_pass_flight(\(name), \(Flights.batch))")
        #expect(large <= (small + 100) * Int64(Flights.batch / 20), "\(small), \(large)")
    }

    /// Followers end a batch at a time, each at the cost of its own rows; another download is
    /// claimed between two batches as if there were no followers.
    private func landingIsBounded(
        _ lab: StoreLab, _ ledger: Ledger, _ instance: Identifier,
        _ pages: (String) async throws -> Int64
    ) async throws {
        let flights = lab.downloads.flights
        var (batches, claimed) = (0, 0)
        for turn in 0..<Self.followers {
            guard case .share(let file) = try await flights.due(instance: instance, limit: 1).first
            else { break }
            let followers = try await flights.followers(of: file)
            #expect(followers.count <= Flights.batch)
            guard !followers.isEmpty else { break }
            batches += 1
            if turn < 5 || turn % 50 == 0 {
                // The first calls in a session plan the function as well.
                let looked = try await pages(
                    "SELECT * FROM lull_due_flights('\(instance.hexadecimal)', 16)")
                #expect(looked <= 1000, "\(looked)")
                try await lab.submit(1, origin: "https://other.example:443")
                claimed += try await lab.claim(ledger).count
            }
            let landed = try await flights.finish(
                followers, file, at: try await lab.now(), retention: 60)
            #expect(landed.count == followers.count)
        }
        #expect(batches == (Self.followers + Flights.batch - 1) / Flights.batch)
        #expect(claimed == min(5, batches) + max(0, (batches - 1) / 50))
        #expect(try await lab.number("SELECT count(*) FROM queue WHERE state = 4") == 0)
    }

    /// Followers have the deadlines of their leader: if it is at risk each follower says so, once.
    @Test func followersAreAtRiskWithTheirLeader() async throws {
        try await StoreLab.with { lab in
            let due = try await lab.now() + .seconds(86_400)
            let deadline: JSONObject = ["complete_by": .string(due.rfc3339)]
            let ids = try await submit(lab, 251, deadline)
            let others = try await submit(lab, 2, deadline, flight: StoreLab.identifier())
            let risks = lab.downloads.deadlineRisks
            #expect(try await risks.joined(after: [:]).list.isEmpty, "none is at risk")
            let lanes = try await risks.lanesWithDeadline().map(\.0)
            let leaders = try await risks.withDeadline(inLanes: lanes)
            #expect(Set(leaders.map(\.record.download.id)) == [ids[0], others[0]])
            for leader in leaders where leader.record.download.id == ids[0] {
                #expect(try await risks.noteAtRisk(leader))
            }
            var last: [Identifier: Identifier] = [:]
            var seen: [Identifier] = []
            for _ in 0..<3 {
                let found = try await risks.joined(after: last)
                for due in found.list { #expect(try await risks.noteAtRisk(due)) }
                seen += found.list.map(\.record.download.id)
                last = found.last
                if !found.hasMore { break }
            }
            #expect(Set(seen) == Set(ids.dropFirst()) && seen.count == 250)
            #expect(try await lab.events(of: ids[7]) == [.created, .deadlineAtRisk])
            let shown = try #require(await lab.find(ids[7])).download
            #expect(shown.atRiskSince != nil && shown.joinedTo == ids[0])
            #expect(try await risks.joined(after: [:]).list.isEmpty, "each once")
            // A follower that comes later is behind those that were looked at.
            let late = try await submit(lab, 1, deadline)
            if late[0] > last[ids[0]] ?? late[0] {
                #expect(try await risks.joined(after: last).list.count == 1)
            }
            // A follower that its leader judges is not judged by itself.
            let judged = try await risks.atRisk(for: .zero).map(\.record.download.id)
            #expect(judged == [ids[0]])
            #expect(try await lab.events(of: others[1]) == [.created])
            try await expectSound(lab)
        }
    }
}
