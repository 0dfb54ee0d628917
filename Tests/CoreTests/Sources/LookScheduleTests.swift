// The grid of looks of a source.
import Base
import Testing

@testable import Scheduling

@Suite struct LookScheduleTests {
    private func schedule(_ text: String) throws -> LookSchedule {
        try LookSchedule.read(JSON.parse(text), at: "#", least: 30) { name in
            ["UTC": .utc, "Europe/Berlin": .fixed(offset: 3600)][name]
        }.get()
    }

    private static let documents = [
        #"{"every":"6h"}"#, #"{"every":"30s"}"#, #"{"every":"auto"}"#,
        #"{"cron":"15 2 * * *","time_zone":"Europe/Berlin"}"#,
        #"{"cron":"*/7 * * * mon","time_zone":"UTC","jitter":"10m"}"#,
        #"{"every":"1d","jitter":"1h","between":{"from":"2026-01-01T00:00:00.000Z"}}"#,
        #"{"every":"1d","between":{"until":"2026-02-01T00:00:00.000Z"}}"#,
    ]

    @Test(arguments: documents)
    func theWrittenFormIsReadBack(_ text: String) throws {
        let read = try schedule(text)
        var writer = JSONWriter(capacity: 64)
        read.write(to: &writer)
        let written = String(decoding: writer.finish(), as: UTF8.self)
        #expect(written == text)
        #expect(try schedule(written) == read)
    }

    /// Going on from any instant leads over the same grid, whatever instants were asked before.
    @Test(arguments: documents)
    func everyInstantIsOnOneGrid(_ text: String) throws {
        let schedule = try schedule(text)
        let anchor = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
        var grid: [Timestamp] = []
        var last = anchor
        while grid.count < 40,
            let next = schedule.next(after: last, anchor: anchor, learned: 1000, name: "nightly")
        {
            #expect(next.at > last)
            last = next.at
            grid.append(last)
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let end = try #require(grid.last)
            let instant = Timestamp(
                microseconds: Int64.random(
                    in: anchor.microseconds..<end.microseconds, using: &random))
            let next = schedule.next(after: instant, anchor: anchor, learned: 1000, name: "nightly")
            #expect(next?.at == grid.first { $0 > instant })
        }
        for at in [schedule.from, schedule.until].compactMap(\.self) {
            #expect(grid.allSatisfy { schedule.until == nil || $0 <= at })
            #expect(grid.allSatisfy { schedule.from == nil || $0 >= at })
        }
    }

    @Test func jitterSpreadsSourcesAndKeepsEachInItsPlace() throws {
        let schedule = try schedule(#"{"every":"1h","jitter":"10m"}"#)
        let offsets = (0..<1000).map { schedule.offset(of: "source-\($0)") }
        #expect(offsets == (0..<1000).map { schedule.offset(of: "source-\($0)") })
        #expect(offsets.allSatisfy { (0...600).contains($0) })
        let tenths = Dictionary(grouping: offsets) { min(9, $0 / 60) }
        #expect(tenths.count == 10 && tenths.values.allSatisfy { (50...200).contains($0.count) })
    }
}
