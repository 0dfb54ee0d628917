// The grammar of timetables, and the rate that holds over a change of the clocks.
import Base
import Scheduling
import Testing

@Suite struct TimetableTests {
    private static func table(_ text: String) throws -> Timetable { try Timetable(parsing: text) }

    private static func rate(
        _ text: String, at instant: String, in zone: TimeZoneRules = .utc
    ) throws -> String {
        let now = try #require(Timestamp(rfc3339: instant))
        return try table(text).state(at: now, in: zone).rate.description
    }

    private static func until(
        _ text: String, at instant: String, in zone: TimeZoneRules = .utc
    ) throws -> Timestamp? {
        let now = try #require(Timestamp(rfc3339: instant))
        return try table(text).state(at: now, in: zone).until
    }

    private static let workday = "08:00,512KiB 12:00,10MiB;13:00,512KiB ; 18:00,30MiB 23:00,off"

    @Test(arguments: [
        ("2026-11-23T07:59:59.999999Z", "off", "2026-11-23T08:00:00Z"),
        ("2026-11-23T08:00:00Z", "512KiB", "2026-11-23T12:00:00Z"),
        ("2026-11-23T12:30:00Z", "10MiB", "2026-11-23T13:00:00Z"),
        ("2026-11-23T17:00:00Z", "512KiB", "2026-11-23T18:00:00Z"),
        ("2026-11-23T22:59:00Z", "30MiB", "2026-11-23T23:00:00Z"),
        ("2026-11-23T23:00:00Z", "off", "2026-11-24T08:00:00Z"),
    ])
    func everyDay(_ instant: String, _ rate: String, _ until: String) throws {
        #expect(try Self.rate(Self.workday, at: instant) == rate)
        #expect(try Self.until(Self.workday, at: instant) == Timestamp(rfc3339: until))
    }

    /// 2026-11-23 is a Monday.
    @Test(arguments: [
        ("2026-11-23T00:00:00Z", "512B", "2026-11-27T23:59:00Z"),
        ("2026-11-27T23:58:59Z", "512B", "2026-11-27T23:59:00Z"),
        ("2026-11-27T23:59:00Z", "10MiB", "2026-11-29T20:00:00Z"),
        ("2026-11-29T20:00:00Z", "off", "2026-11-30T00:00:00Z"),
        ("2026-11-22T23:59:59Z", "off", "2026-11-23T00:00:00Z"),
    ])
    func overTheWeek(_ instant: String, _ rate: String, _ until: String) throws {
        let text = "Mon-00:00,512 Fri-23:59,10MiB sun-20:00,OFF"
        #expect(try Self.rate(text, at: instant) == rate)
        #expect(try Self.until(text, at: instant) == Timestamp(rfc3339: until))
    }

    @Test func singleWeeklyChangeHoldsAlways() throws {
        #expect(try Self.rate("Wed-12:00,1MiB", at: "2026-11-23T00:00:00Z") == "1MiB")
        #expect(try Self.until("Wed-12:00,1MiB", at: "2026-11-23T00:00:00Z") == nil)
        #expect(try Self.until("10:00,1MiB 12:00,1MiB", at: "2026-11-23T11:00:00Z") == nil)
        #expect(try Self.until("10MiB", at: "2026-11-23T11:00:00Z") == nil)
    }

    @Test func changeToTheSameRateIsDropped() throws {
        let text = "08:00,1MiB 12:00,1MiB 18:00,off"
        #expect(
            try Self.until(text, at: "2026-11-23T09:00:00Z")
                == Timestamp(rfc3339: "2026-11-23T18:00:00Z"))
        let state = try Self.table(text).state(
            at: try #require(Timestamp(rfc3339: "2026-11-23T13:00:00Z")), in: .utc)
        #expect(state.since == Timestamp(rfc3339: "2026-11-23T08:00:00Z"))
    }

    @Test func changeOfOneDayOverridesEveryDay() throws {
        let text = "00:00,1MiB Sat-00:00,off"
        #expect(try Self.rate(text, at: "2026-11-27T12:00:00Z") == "1MiB")
        #expect(try Self.rate(text, at: "2026-11-28T12:00:00Z") == "off")
        #expect(try Self.rate(text, at: "2026-11-29T12:00:00Z") == "1MiB")
    }

    @Test(arguments: [
        ("10M", "10MB"), ("512k", "512kB"), ("1.5G", "1500MB"), ("1.5GiB", "1536MiB"),
        ("2MB", "2MB"), ("100", "100B"),
        ("off", "off"), ("0", "0"), ("paused", "0"), (" ;5M; ", "5MB"),
    ])
    func bareRates(_ text: String, _ rate: String) throws {
        #expect(try Self.rate(text, at: "2026-11-23T00:00:00Z") == rate)
        #expect(try Self.table(text).canStop == (rate == "0"))
    }

    /// Berlin skips 02:00 to 03:00 on 2026-03-29 (01:00Z) and shows it twice on 2026-10-25.
    @Test(arguments: [
        ("2026-03-29T00:59:59Z", "1MiB", "2026-03-29T01:00:00Z"),
        ("2026-03-29T01:00:00Z", "2MiB", "2026-03-29T01:30:00Z"),
        ("2026-03-29T01:30:00Z", "3MiB", "2026-03-29T03:00:00Z"),
        ("2026-03-29T03:00:00Z", "1MiB", "2026-03-30T00:10:00Z"),
        ("2026-03-30T00:10:00Z", "2MiB", "2026-03-30T00:40:00Z"),
        ("2026-10-25T00:09:59Z", "1MiB", "2026-10-25T00:10:00Z"),
        ("2026-10-25T00:10:00Z", "2MiB", "2026-10-25T00:40:00Z"),
        ("2026-10-25T00:40:00Z", "3MiB", "2026-10-25T04:00:00Z"),
        ("2026-10-25T01:20:00Z", "3MiB", "2026-10-25T04:00:00Z"),
    ])
    func clocksThatChange(_ instant: String, _ rate: String, _ until: String) throws {
        let berlin = try zone("Europe/Berlin")
        let text = "02:10,2MiB 02:40,3MiB 05:00,1MiB"
        #expect(try Self.rate(text, at: instant, in: berlin) == rate)
        #expect(try Self.until(text, at: instant, in: berlin) == Timestamp(rfc3339: until))
    }

    /// At every instant of two years the rate is the one that was announced as the next.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"])
    func untilIsTheNextChange(_ name: String) throws {
        let zone = try zone(name)
        let table = try Self.table("01:45,1MiB 02:15,0 Mon-12:00,7MiB Sun-23:59,off")
        var now = try #require(Timestamp(rfc3339: "2011-12-20T00:00:00Z"))
        let end = now + .seconds(60 * 86_400)
        var steps = 0
        while now < end {
            let state = table.state(at: now, in: zone)
            let until = try #require(state.until)
            #expect(until > now)
            #expect(table.state(at: until - .microseconds(1), in: zone).rate == state.rate)
            let next = table.state(at: until, in: zone)
            #expect(next.rate != state.rate)
            #expect(next.since == until)
            now = until
            steps += 1
        }
        #expect(steps > 100)
    }

    @Test(arguments: [
        ("", 0, "a rate is missing"), (" ; ", 0, "a rate is missing"),
        ("fast", 0, "a rate is expected"), ("-1M", 0, "a rate is expected"),
        ("10M 20M", 0, "a time, a comma and a rate"), ("08:00,", 6, "a rate is expected"),
        ("08:00,1M 8:00,2M", 9, "a time from 00:00"), ("24:00,1M", 0, "a time from 00:00"),
        ("08:60,1M", 0, "a time from 00:00"), ("Mo-08:00,1M", 0, "a day"),
        ("Mon-8,1M", 4, "a time from 00:00"), ("08:00,1M 08:00,2M", 9, "is given twice"),
        ("Mon-08:00,1M mon-08:00,1M", 13, "is given twice"),
        ("08:00,1M:2M", 6, "a rate is expected"), ("08:00,1Mbit", 6, "a rate is expected"),
    ])
    func saysWhatIsWrong(_ text: String, _ position: Int, _ words: String) {
        let error = #expect(throws: TimetableError.self) { try Timetable(parsing: text) }
        #expect(error?.position == position)
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
        #expect(error?.description.contains("08:00,512k") == true)
    }

    @Test func hasABound() throws {
        let changes = (0...Timetable.changesAtMost).map { minute in
            "\(minute / 60 < 10 ? "0" : "")\(minute / 60):"
                + "\(minute % 60 < 10 ? "0" : "")\(minute % 60),1M"
        }
        #expect(throws: Never.self) {
            try Self.table(changes.dropLast().joined(separator: " "))
        }
        #expect(throws: TimetableError.self) { try Self.table(changes.joined(separator: " ")) }
    }
}
