// The grammar of windows, and the times at which they are open over a change of the clocks.
import Base
import Testing

@Suite struct TimeWindowTests {
    @Test(arguments: [
        ("Mon-Fri 22:00-06:00", "Mon-Fri 22:00-06:00"), ("22:00-06:00", "22:00-06:00"),
        ("sat-SUN 00:00-24:00", "Sat,Sun 00:00-24:00"),
        ("Mon,Wed 01:00-02:30", "Mon,Wed 01:00-02:30"),
        ("Fri-Mon  09:00-17:00", "Mon,Fri-Sun 09:00-17:00"),
        (" Tue 23:00-24:00 ", "Tue 23:00-24:00"),
        ("Mon-Sun 10:00-00:00", "10:00-24:00"),
        ("Mon,Mon-Tue,Sat 00:00-00:01", "Mon,Tue,Sat 00:00-00:01"),
    ])
    func reads(_ text: String, _ canonical: String) throws {
        let window = try TimeWindow(parsing: text)
        #expect(window.description == canonical)
        #expect(try TimeWindow(parsing: canonical) == window)
    }

    @Test(arguments: [
        ("", 0, "a time such as"), ("Mon", 3, "a space"), ("Mon-Fri", 7, "a space"),
        ("Mon-Fri ", 8, "a time such as"), ("Mo 10:00-11:00", 0, "a day"),
        ("Mon-Fre 10:00-11:00", 4, "a day"), ("Mon, Tue 10:00-11:00", 4, "a day"),
        ("Mon 10-11", 4, "a time such as"), ("10:00", 5, "a -"), ("10:00 - 11:00", 5, "a -"),
        ("10:00-25:00", 6, "to 24:00"), ("24:00-25:00", 0, "to 23:59"),
        ("10:60-11:00", 0, "to 23:59"),
        ("10:00-24:01", 6, "to 24:00"), ("10:00-10:00", 6, "the whole day"),
        ("10:00-11:00 Mon", 12, "nothing may follow"), ("1:00-02:00", 0, "a time such as"),
        ("Mon 22:00-06:00x", 15, "nothing may follow"), ("every 10:00-11:00", 0, "a day"),
    ])
    func saysWhatIsWrong(_ text: String, _ position: Int, _ words: String) {
        let error = #expect(throws: WindowError.self) { try TimeWindow(parsing: text) }
        #expect(error?.position == position)
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
        #expect(error?.description.contains("Mon-Fri 22:00-06:00") == true)
    }

    @Test func windowListIsNotEmptyAndBounded() {
        #expect(throws: WindowError.self) { try WeeklyWindows(parsing: []) }
        let many = Array(repeating: "10:00-11:00", count: 65)
        #expect(throws: WindowError.self) { try WeeklyWindows(parsing: many) }
        let bad = #expect(throws: WindowError.self) {
            try WeeklyWindows(parsing: ["10:00-11:00", "noon"])
        }
        #expect(bad?.text == "noon")
    }

    /// Expects `open until` or `closed since until` in the notation of the rows below.
    private func check(
        _ lines: [String], _ zone: TimeZoneRules, at now: String, _ expected: String
    ) throws {
        let state = try WeeklyWindows(parsing: lines).state(at: instant(now), in: zone)
        func short(_ instant: Timestamp?) -> String {
            instant.map { String($0.rfc3339.prefix(16)) } ?? "never"
        }
        let text =
            switch state {
            case .open(let until): "open " + short(until)
            case .closed(let since, let until): "closed " + short(since) + " " + short(until)
            }
        #expect(text == expected, "\(lines) at \(now)")
    }

    @Test(arguments: [
        // 2026-03-02 is a Monday.
        (
            ["Mon-Fri 22:00-06:00"], "2026-03-02T21:59:59Z",
            "closed 2026-02-28T06:00 2026-03-02T22:00"
        ),
        (["Mon-Fri 22:00-06:00"], "2026-03-02T22:00:00Z", "open 2026-03-03T06:00"),
        (["Mon-Fri 22:00-06:00"], "2026-03-03T05:59:59Z", "open 2026-03-03T06:00"),
        (
            ["Mon-Fri 22:00-06:00"], "2026-03-03T06:00:00Z",
            "closed 2026-03-03T06:00 2026-03-03T22:00"
        ),
        // Friday's window reaches into Saturday; Sunday has none that reaches into Monday.
        (["Mon-Fri 22:00-06:00"], "2026-03-07T03:00:00Z", "open 2026-03-07T06:00"),
        (
            ["Mon-Fri 22:00-06:00"], "2026-03-09T03:00:00Z",
            "closed 2026-03-07T06:00 2026-03-09T22:00"
        ),
        (
            ["Mon-Fri 22:00-06:00", "Sat-Sun 00:00-24:00"], "2026-03-06T23:00:00Z",
            "open 2026-03-09T00:00"
        ),
        (["22:00-06:00"], "2026-12-31T23:30:00Z", "open 2027-01-01T06:00"),
        (["22:00-06:00", "05:00-07:00"], "2026-03-03T04:00:00Z", "open 2026-03-03T07:00"),
        (["22:00-06:00", "06:00-07:00"], "2026-03-03T04:00:00Z", "open 2026-03-03T07:00"),
        (["22:00-06:00", "23:00-01:00"], "2026-03-03T00:30:00Z", "open 2026-03-03T06:00"),
        (["Wed 12:00-12:01"], "2026-03-05T00:00:00Z", "closed 2026-03-04T12:01 2026-03-11T12:00"),
        (["00:00-24:00"], "2026-03-05T00:00:00Z", "open never"),
        (["12:00-00:00", "00:00-12:00"], "2026-03-05T00:00:00Z", "open never"),
        (["22:00-21:59"], "2026-03-05T00:00:00Z", "open 2026-03-05T21:59"),
        (
            ["Tue-Sun 00:00-24:00", "Mon 00:01-24:00"], "2026-03-04T00:00:00Z",
            "open 2026-03-09T00:00"
        ),
        (
            ["Tue-Sun 00:00-24:00", "Mon 00:01-24:00"], "2026-03-09T00:00:30Z",
            "closed 2026-03-09T00:00 2026-03-09T00:01"
        ),
    ])
    func opensInUTC(_ lines: [String], _ now: String, _ expected: String) throws {
        try check(lines, .utc, at: now, expected)
    }

    @Test(arguments: [
        // A night of the usual length, then the short one of spring and the long one of autumn.
        (["22:00-06:00"], "2026-03-27T22:00:00Z", "open 2026-03-28T05:00"),
        (["22:00-06:00"], "2026-03-28T22:00:00Z", "open 2026-03-29T04:00"),
        (["22:00-06:00"], "2026-10-24T22:00:00Z", "open 2026-10-25T05:00"),
        // The edges lie in the hour that the clocks skip.
        (["Sun 02:30-05:00"], "2026-03-29T00:30:00Z", "closed 2026-03-22T04:00 2026-03-29T01:00"),
        (["Sun 02:30-05:00"], "2026-03-29T01:00:00Z", "open 2026-03-29T03:00"),
        (["Sat 22:00-02:30"], "2026-03-29T00:59:59Z", "open 2026-03-29T01:00"),
        // The window lies wholly inside the skipped hour: it opens at the jump, for its length.
        (["Sun 02:10-02:50"], "2026-03-29T00:30:00Z", "closed 2026-03-22T01:50 2026-03-29T01:00"),
        (["Sun 02:10-02:50"], "2026-03-29T01:00:00Z", "open 2026-03-29T01:40"),
        (["Sun 02:10-02:50"], "2026-03-29T01:40:00Z", "closed 2026-03-29T01:40 2026-04-05T00:10"),
        (["Sun 02:00-03:00"], "2026-03-29T01:00:00Z", "open 2026-03-29T02:00"),
        (["02:30-02:45"], "2026-03-29T00:59:59Z", "closed 2026-03-28T01:45 2026-03-29T01:00"),
        (["02:30-02:45"], "2026-03-29T01:00:00Z", "open 2026-03-29T01:15"),
        // Two windows that lie in it open together.
        (["Sun 02:10-02:20", "Sun 02:30-02:50"], "2026-03-29T01:00:00Z", "open 2026-03-29T01:20"),
        // The edges lie in the hour that the clocks show twice: first start, last end.
        (["Sun 02:30-05:00"], "2026-10-25T00:29:59Z", "closed 2026-10-18T03:00 2026-10-25T00:30"),
        (["Sun 02:30-05:00"], "2026-10-25T01:15:00Z", "open 2026-10-25T04:00"),
        (["Sat 22:00-02:30"], "2026-10-25T00:45:00Z", "open 2026-10-25T01:30"),
        (["Sun 02:10-02:50"], "2026-10-25T01:00:00Z", "open 2026-10-25T01:50"),
        // Adjacent windows stay adjacent on both days.
        (["Sat 22:00-02:30", "Sun 02:30-05:00"], "2026-03-28T22:00:00Z", "open 2026-03-29T03:00"),
        (["Sat 22:00-02:30", "Sun 02:30-05:00"], "2026-10-24T22:00:00Z", "open 2026-10-25T04:00"),
        // The only closed half hour of the week is skipped once: two weeks without an end.
        (
            ["Mon-Sat 00:00-24:00", "Sun 00:00-02:00", "Sun 02:30-24:00"], "2026-03-24T00:00:00Z",
            "open 2026-04-05T00:00"
        ),
        (["00:00-24:00"], "2026-03-29T01:00:00Z", "open never"),
        (["22:00-06:00"], "2026-12-31T20:00:00Z", "closed 2026-12-31T05:00 2026-12-31T21:00"),
        (["22:00-06:00"], "2399-07-01T12:00:00Z", "closed 2399-07-01T04:00 2399-07-01T20:00"),
    ])
    func opensInBerlin(_ lines: [String], _ now: String, _ expected: String) throws {
        try check(lines, zone("Europe/Berlin"), at: now, expected)
    }

    /// The state at any instant agrees with the edges that it names.
    @Test(arguments: [
        "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/Nuuk", "UTC",
    ])
    func edgesMatchStateChanges(_ name: String) throws {
        let rules = try zone(name)
        let windows = try WeeklyWindows(parsing: [
            "Mon-Fri 22:00-06:00", "Sat 00:00-24:00", "Sun 01:30-02:15", "Wed 12:00-12:30",
        ])
        var now = try instant("2011-12-01T00:00:00Z")
        let end = try instant("2013-01-01T00:00:00Z")
        while now < end {
            let state = windows.state(at: now, in: rules)
            guard case .open(let until?) = state else {
                guard case .closed(let since?, let until?) = state else {
                    Issue.record("no edge at \(now): \(state)")
                    return
                }
                #expect(since <= now && now < until)
                #expect(windows.state(at: until, in: rules).isOpen)
                #expect(!windows.state(at: until - .seconds(1), in: rules).isOpen)
                #expect(windows.state(at: since - .seconds(1), in: rules).isOpen)
                now = until
                continue
            }
            #expect(now < until)
            #expect(windows.state(at: until - .seconds(1), in: rules).isOpen)
            #expect(!windows.state(at: until, in: rules).isOpen)
            now = until
        }
    }
}
