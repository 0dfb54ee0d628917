// Identifiers of events: they sort by time and lead to their place.
import Base
import Downloads
import Postgres
import Testing

@testable import Store

@Suite struct EventIdentifierTests {
    private struct Row {
        let id: Identifier
        let milliseconds: Int64
        let position: JournalPosition
        let sequence: Int32
    }

    private func rows(_ lab: StoreLab) async throws -> [Row] {
        let rows = try await lab.pool.query(
            """
            SELECT lull_event_id(at, journal_no, xid),
                floor(extract(epoch FROM at) * 1000)::bigint, xid::text, journal_no, sequence
            FROM events ORDER BY journal_no
            """)
        var list: [Row] = []
        for row in rows {
            list.append(
                Row(
                    id: try row.get(0, as: UUIDValue.self).identifier,
                    milliseconds: try row.get(1),
                    position: JournalPosition(
                        transaction: try #require(UInt64(row.get(2, as: String.self))),
                        number: try row.get(3)),
                    sequence: try row.get(4)))
        }
        return list
    }

    @Test func eventIdentifiersSortByTimeAndLocateTheEvent() async throws {
        try await StoreLab.with { lab in
            let journal = lab.downloads.journal
            try await lab.submit(30)
            let (_, claim) = try await lab.running([:])
            for action in [DownloadAction.suspend, .resume, .cancel] {
                _ = try await lab.downloads.perform(action, on: claim.download.id, app: 1)
            }
            // Large numbers: an identifier keeps the low ends of both alone.
            for (number, transaction) in [(1 << 38, 5), (1 << 26, 6), ((1 << 62) + 9, 7)] {
                _ = try await lab.pool.query(
                    """
                    INSERT INTO events
                        (journal_no, xid, at, app_no, session_no, download_id, type, sequence)
                    VALUES ($1, $2::text::xid8, clock_timestamp(), 1, 1, $3, 2, 9)
                    """,
                    [Int64(number), "\(transaction)", UUIDValue(claim.download.id)])
            }
            let rows = try await rows(lab)
            #expect(rows.count >= 34)
            #expect(Set(rows.map(\.id)).count == rows.count)
            let numbers: Int64 = (1 << 38) - 1
            for row in rows {
                #expect(row.id.high >> 16 == UInt64(row.milliseconds))
                #expect(row.id.high >> 12 & 15 == 7 && row.id.low >> 62 == 2)
                #expect(
                    try await journal.locate(journal.names.event(row.id), app: 1) == row.position)
                #expect(try await journal.locate(journal.names.event(row.id), app: 2) == nil)
            }
            let byTime = rows.sorted {
                ($0.milliseconds, $0.position.number & numbers)
                    < ($1.milliseconds, $1.position.number & numbers)
            }
            #expect(rows.map(\.id).sorted() == byTime.map(\.id))
        }
    }

    @Test func unknownEventIdentifierHasNoPosition() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3)
            let known = try await rows(lab)
            var random = SystemRandomNumberGenerator()
            for row in known {
                for bit in 0..<64 {
                    for id in [
                        Identifier(high: row.id.high ^ 1 << UInt64(bit), low: row.id.low),
                        Identifier(high: row.id.high, low: row.id.low ^ 1 << UInt64(bit)),
                        Identifier(high: random.next(), low: random.next()),
                    ] {
                        #expect(try await lab.downloads.journal.locate(id, app: 1) == nil)
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            (5, 9, 5), (9, 9, 9), (0, 9, 0), (10, 9, nil),
            (5, 0x10_0000_0009, 0x10_0000_0005), (10, 0x10_0000_0009, 10),
            (0xf_ffff_ffff, 0x10_0000_0000, 0xf_ffff_ffff), (1, 0x50_0000_0000, 0x40_0000_0001),
        ] as [(UInt64, UInt64, UInt64?)])
    func theNewestTransactionWithAnEnd(_ end: UInt64, _ newest: UInt64, _ found: UInt64?) {
        #expect(JournalPosition.transaction(endingAs: end, notAfter: newest) == found)
    }
}
