// Times as people type them: a table of accepted and refused texts, and round trips in every zone.
import Base
import Client
import Seeds
import Testing

@Suite struct InstantTextTests {
    /// Monday 2026-11-23 21:30 in Berlin, an hour east of Greenwich.
    private static let now = Timestamp(rfc3339: "2026-11-23T20:30:00Z") ?? .epoch
    private static let clock = InstantText(now: now, zone: .fixed(offset: 3600))

    @Test(arguments: [
        ("now", "2026-11-23T20:30:00.000Z"),
        ("+2h", "2026-11-23T22:30:00.000Z"),
        ("in 2h30m", "2026-11-23T23:00:00.000Z"),
        ("90s", "2026-11-23T20:31:30.000Z"),
        // A time alone is the next one, never the present minute.
        ("22:00", "2026-11-23T21:00:00.000Z"),
        ("21:31", "2026-11-23T20:31:00.000Z"),
        ("21:30", "2026-11-24T20:30:00.000Z"),
        ("21:29", "2026-11-24T20:29:00.000Z"),
        ("21:30:01", "2026-11-23T20:30:01.000Z"),
        ("0:00", "2026-11-23T23:00:00.000Z"),
        ("midnight", "2026-11-23T23:00:00.000Z"),
        ("noon", "2026-11-24T11:00:00.000Z"),
        ("10pm", "2026-11-23T21:00:00.000Z"),
        ("12am", "2026-11-23T23:00:00.000Z"),
        ("12pm", "2026-11-24T11:00:00.000Z"),
        ("10:45PM", "2026-11-23T21:45:00.000Z"),
        ("22:00 UTC", "2026-11-23T22:00:00.000Z"),
        ("22:00 -05:00", "2026-11-24T03:00:00.000Z"),
        // With a day the time may have passed.
        ("today 8:00", "2026-11-23T07:00:00.000Z"),
        ("today", "2026-11-22T23:00:00.000Z"),
        ("tomorrow", "2026-11-23T23:00:00.000Z"),
        ("tomorrow 6:00", "2026-11-24T05:00:00.000Z"),
        ("mon 22:00", "2026-11-23T21:00:00.000Z"),
        ("mon 21:30", "2026-11-30T20:30:00.000Z"),
        ("Monday", "2026-11-29T23:00:00.000Z"),
        ("tue", "2026-11-23T23:00:00.000Z"),
        ("Sun 12:00", "2026-11-29T11:00:00.000Z"),
        ("2026-11-28", "2026-11-27T23:00:00.000Z"),
        ("2026-11-28 22:00", "2026-11-28T21:00:00.000Z"),
        ("2026-11-28T22:00", "2026-11-28T21:00:00.000Z"),
        ("2026-11-28T22:00:00Z", "2026-11-28T22:00:00.000Z"),
        ("2026-11-28T22:00:00+05:00", "2026-11-28T17:00:00.000Z"),
    ])
    func readsWhatPeopleType(text: String, instant: String) throws {
        #expect(try Self.clock.read(text).rfc3339 == instant)
    }

    @Test(arguments: [
        "", " ", "later", "25:00", "22:60", "22", "2200", "22:0", "1:2:3", "13pm", "0am", "am",
        "-2h", "+", "+2", "2 h", "mond", "mon mon", "tomorrow tomorrow", "tomorrow 25:00",
        "2026-02-29", "2026-13-01", "26-11-28", "2026-11-28 22:00 extra UTC", "22:00 +1", "UTC",
        "22:00 CET", "2026-11-28T", "T22:00", "٢٢:٠٠", "22:00:61",
    ])
    func refusesWhatIsNoTime(text: String) {
        #expect(throws: InstantText.Failure.self) { try Self.clock.read(text) }
    }

    /// A shown time is read back as that minute, in any zone and on any day.
    @Test func whatIsShownIsReadBack() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<5000 {
            let offset = Int(random.next() % 97) * 900 - 43_200
            let clock = InstantText(now: Self.now, zone: .fixed(offset: offset))
            let minutes = Int64(random.next() % 4_000_000) - 1_000_000
            let instant = Timestamp(seconds: Self.now.seconds + minutes * 60)
            let text = clock.show(instant)
            #expect(try clock.read(text) == instant, "\(text) at \(offset)")
        }
    }

    @Test func distancesAreShown() throws {
        let later = try Self.clock.read("tomorrow 0:42")
        #expect(Self.clock.showWithDistance(later) == "tomorrow 00:42 +01:00 (in 3h 12m)")
        let before = try Self.clock.read("today 21:00")
        #expect(Self.clock.showWithDistance(before) == "today 21:00 +01:00 (30m ago)")
    }
}
