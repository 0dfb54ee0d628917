// Instants: arithmetic, RFC 3339, HTTP dates, the calendar.
import Base
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999999Z", -1),
            ("1985-04-12T23:20:50.52Z", 482_196_050_520_000),
            ("1996-12-19T16:39:57-08:00", 851_042_397_000_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000),
            ("1990-12-31T23:59:60Z", 662_687_999_999_999),
            ("1990-12-31T15:59:60-08:00", 662_687_999_999_999),
            ("2026-03-01t02:00:00.250z", 1_772_330_400_250_000),
            ("2024-02-29T00:00:00-00:00", 1_709_164_800_000_000),
            ("2000-01-01T00:00:00.123456789Z", 946_684_800_123_456),
            ("2000-01-01T00:00:00.1+23:59", 946_598_460_100_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, Int64)])
    func readsRFC3339(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T02:00:00", "2026-03-01 02:00:00Z", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z", "2026-01-01T00:00:60Z", "2026-06-30T23:59:60+01:00",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+1:00",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+01:60",
        "26-01-01T00:00:00Z", "+2026-01-01T00:00:00Z", "2026-1-1T0:0:0Z",
        "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00ZZ",
        "2026-01-01T00:00:00,5Z", "２026-01-01T00:00:00Z", "2026-01-01T00:00Z",
    ])
    func refusesWhatIsNotRFC3339(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func writesRFC3339() {
        #expect(Timestamp.epoch.rfc3339 == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
        let instant = Timestamp(microseconds: 1_772_330_400_250_999)
        #expect(instant.rfc3339 == "2026-03-01T02:00:00.250Z")
        #expect(instant.rfc3339Microseconds == "2026-03-01T02:00:00.250999Z")
        #expect(Timestamp(microseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(microseconds: .min).rfc3339 == "0000-01-01T00:00:00.000Z")
        var number: Int64 = -62_167_219_200_000_000
        while number < 253_402_300_799_999_999 {
            let text = Timestamp(microseconds: number).rfc3339Microseconds
            #expect(Timestamp(rfc3339: text)?.microseconds == number)
            number += 86_400_000_000 * 1000 + 1_234_567
        }
    }

    @Test func calculatesAndStaysInRange() {
        let noon = Timestamp(seconds: 43_200)
        #expect(noon + .milliseconds(1500) == Timestamp(microseconds: 43_201_500_000))
        #expect(noon - .seconds(43_201) == Timestamp(seconds: -1))
        #expect(noon - Timestamp(seconds: 43_000) == .seconds(200))
        #expect(Timestamp(microseconds: .max) + .seconds(1) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: .min) - .seconds(1) == Timestamp(microseconds: .min))
        #expect(noon + .seconds(Int64.max) == Timestamp(microseconds: .max))
        #expect(
            Timestamp(microseconds: .max) - Timestamp(microseconds: .min)
                == .microseconds(Int64.max) + .microseconds(Int64.max) + .microseconds(1))
        #expect(Timestamp(seconds: .max) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: -1).seconds == -1)
        #expect(Timestamp(microseconds: -1_000_000).seconds == -1)
        #expect(Timestamp.epoch < noon)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Mon, 29 Feb 2016 00:00:00 GMT", 1_456_704_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            // The wrong day of the week, which origins do send.
            ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Thursday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
            ("Thursday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
            ("Thursday, 01-Jan-77 00:00:00 GMT", 220_924_800),
        ] as [(String, Int64)])
    func readsHTTPDates(_ text: String, _ seconds: Int64) throws {
        let now = try #require(Timestamp(rfc3339: "2026-03-01T00:00:00Z"))
        #expect(Timestamp(httpDate: text, now: now) == Timestamp(seconds: seconds))
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT ", "1994-11-06T08:49:37Z",
    ])
    func refusesWhatIsNoHTTPDate(_ text: String) {
        #expect(Timestamp(httpDate: text, now: .epoch) == nil)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_456_704_000, "Mon, 29 Feb 2016 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ])
    func writesHTTPDatesAsIMFFixdate(_ seconds: Int64, _ text: String) {
        #expect(Timestamp(seconds: seconds).httpDate == text)
    }

    @Test func calendarMatchesConsecutiveDays() {
        // Every day of the years 1560 to 2380 follows the one before it; far days read back.
        var previous = CivilDate(daysSinceEpoch: -150_001)
        for number in -150_000...150_000 {
            let date = CivilDate(daysSinceEpoch: number)
            let isNextDay = date.month == previous.month && date.day == previous.day + 1
            let isNextMonth =
                date.day == 1 && date.month == previous.month % 12 + 1
                && previous.day == CivilDate.days(inMonth: previous.month, of: previous.year)
            guard date.daysSinceEpoch == number, isNextDay || isNextMonth else {
                Issue.record("day \(number) became \(date) after \(previous)")
                return
            }
            previous = date
        }
        for number in stride(from: -90_000_000, through: 90_000_000, by: 90_001) {
            #expect(CivilDate(daysSinceEpoch: number).daysSinceEpoch == number)
        }
        #expect(CivilDate(year: 2000, month: 2, day: 29)?.weekday == .tuesday)
        #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
        #expect(CivilDate(daysSinceEpoch: -1).weekday == .wednesday)
        #expect(CivilDate(daysSinceEpoch: 0).weekday == .thursday)
        #expect(CivilDate.weekday(daysSinceEpoch: -4) == .sunday)
    }
}
