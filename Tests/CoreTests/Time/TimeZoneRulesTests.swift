// Offsets and readings of clocks, against those of Python's zoneinfo for these files.
import Base
import Glibc
import Testing

/// A zone of the machine; a machine without tzdata fails the test, as it fails the program.
func zone(_ name: String) throws -> TimeZoneRules {
    try TimeZoneRules(tzif: try contents("/usr/share/zoneinfo/" + name))
}

func contents(_ path: String) throws -> [UInt8] {
    let file = try unsafe #require(fopen(path, "r"), "tzdata must be installed: \(path)")
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
}

func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

@Suite struct TimeZoneRulesTests {
    @Test(
        arguments: [
            (
                "Europe/Berlin",
                [
                    (-149_202_000, 3600), (1_071_327_600, 3600), (1_299_117_600, 3600),
                    (2_189_984_400, 7200), (3_701_437_200, 7200), (13_541_320_800, 3600),
                ]
            ),
            (
                "America/New_York",
                [
                    (-155_448_000, -18_000), (1_053_936_000, -14_400), (1_621_638_000, -14_400),
                    (2_190_740_400, -14_400), (13_547_030_400, -14_400),
                ]
            ),
            (
                "Australia/Lord_Howe",
                [
                    (-152_780_400, 36_000), (1_051_779_600, 37_800), (1_319_360_400, 39_600),
                    (2_194_765_200, 37_800), (13_538_106_000, 39_600),
                ]
            ),
            ("Africa/Casablanca", [(-137_692_800, 0), (1_314_093_600, 0), (1_616_392_800, 3600)]),
            ("Pacific/Apia", [(1_304_679_600, -39_600), (1_627_149_600, 46_800)]),
            (
                "Europe/Dublin",
                [
                    (-142_930_800, 3600), (1_295_766_000, 0), (1_621_965_600, 3600),
                    (2_203_398_000, 3600), (3_695_778_000, 0), (13_538_959_200, 0),
                ]
            ),
            (
                "America/Nuuk",
                [
                    (-154_227_600, -10_800), (1_307_700_000, -7200), (2_195_492_400, -3600),
                    (3_720_736_800, -7200), (13_557_038_400, -3600),
                ]
            ),
            ("Asia/Tehran", [(1_294_794_000, 12_600), (1_628_247_600, 16_200)]),
            ("Asia/Kathmandu", [(-143_877_600, 19_800), (1_310_007_600, 20_700)]),
            ("America/St_Johns", [(-128_408_400, -12_600), (1_633_687_200, -9000)]),
            ("Antarctica/Troll", [(-140_828_400, 0), (1_303_390_800, 7200), (2_177_568_000, 0)]),
            ("Asia/Jerusalem", [(1_055_991_600, 10_800), (2_206_450_800, 7200)]),
            (
                "Pacific/Chatham",
                [
                    (-130_132_800, 45_900), (1_637_913_600, 49_500), (2_191_590_000, 45_900),
                    (3_697_257_600, 49_500), (13_539_034_800, 49_500),
                ]
            ),
        ] as [(String, [(Int64, Int)])])
    func knowsOffsets(_ name: String, _ rows: [(Int64, Int)]) throws {
        let rules = try zone(name)
        for (second, offset) in rows {
            #expect(rules.offset(at: Timestamp(seconds: second)) == offset, "\(second)")
        }
    }

    @Test(arguments: [
        // Summer time begins in 2026, and far beyond the table.
        ("2026-03-29T00:59:59.999Z", 3600), ("2026-03-29T01:00:00Z", 7200),
        ("2026-10-25T00:59:59.999Z", 7200), ("2026-10-25T01:00:00Z", 3600),
        ("2399-03-28T00:59:59Z", 3600), ("2399-03-28T01:00:00Z", 7200),
        ("2399-10-31T00:59:59Z", 7200), ("2399-10-31T01:00:00Z", 3600),
        ("2026-12-31T23:59:59Z", 3600), ("1850-01-01T00:00:00Z", 3208),
    ])
    func changesInBerlin(_ text: String, _ offset: Int) throws {
        #expect(try zone("Europe/Berlin").offset(at: instant(text)) == offset)
    }

    @Test func localTimeMapsToItsInstants() throws {
        let berlin = try zone("Europe/Berlin")
        func reading(_ text: String) throws -> CivilTime { try instant(text + "Z").civil() }
        #expect(
            try berlin.instants(of: reading("2026-07-01T12:00:00"))
                == .one(instant("2026-07-01T10:00:00Z")))
        for gap in ["2026-03-29T02:00:00", "2026-03-29T02:59:59", "2399-03-28T02:30:00"] {
            let jump = String(gap.prefix(10)) + "T01:00:00Z"
            #expect(try berlin.instants(of: reading(gap)) == .gap(instant(jump)))
        }
        #expect(
            try berlin.instants(of: reading("2026-03-29T03:00:00"))
                == .one(instant("2026-03-29T01:00:00Z")))
        #expect(
            try berlin.instants(of: reading("2026-10-25T02:00:00"))
                == .two(instant("2026-10-25T00:00:00Z"), instant("2026-10-25T01:00:00Z")))
        #expect(
            try berlin.instants(of: reading("2026-10-25T03:00:00"))
                == .one(instant("2026-10-25T02:00:00Z")))
        #expect(
            try berlin.instants(of: reading("2027-01-01T00:00:00"))
                == .one(instant("2026-12-31T23:00:00Z")))
        // Samoa left out the 30th of December 2011.
        #expect(
            try zone("Pacific/Apia").instants(of: reading("2011-12-30T12:00:00"))
                == .gap(instant("2011-12-30T10:00:00Z")))
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Europe/Dublin",
        "America/Nuuk", "Africa/Casablanca", "Pacific/Chatham", "Antarctica/Troll", "UTC",
    ])
    func everyInstantRoundTripsThroughLocalTime(_ name: String) throws {
        let rules = try zone(name)
        var second: Int64 = 1_293_000_000
        while second < 2_600_000_000 {
            let now = Timestamp(seconds: second)
            switch rules.instants(of: rules.civil(at: now)) {
            case .one(let only): #expect(only == now)
            case .two(let first, let last): #expect(first < last && (now == first || now == last))
            case .gap(let jump): Issue.record("\(now) is in a gap at \(jump)")
            }
            second += 40_009
        }
    }

    @Test func hasSimpleZones() throws {
        #expect(TimeZoneRules.utc.offset(at: .epoch) == 0)
        let fixed = TimeZoneRules.fixed(offset: -19_800)
        #expect(fixed.offset(at: Timestamp(microseconds: .max)) == -19_800)
        let noon = CivilTime(date: CivilDate(daysSinceEpoch: 0), secondOfDay: 43_200)
        #expect(fixed.instants(of: noon) == .one(Timestamp(seconds: 63_000)))
    }

    @Test func refusesDamagedFiles() throws {
        let good = try contents("/usr/share/zoneinfo/Europe/Berlin")
        #expect(throws: TimeZoneError.self) { try TimeZoneRules(tzif: []) }
        #expect(throws: TimeZoneError.self) { try TimeZoneRules(tzif: Array("TZif2".utf8)) }
        for length in 0..<good.count {
            #expect(throws: TimeZoneError.self) {
                try TimeZoneRules(tzif: Array(good.prefix(length)))
            }
        }
        var old = good
        old[4] = 0
        let error = #expect(throws: TimeZoneError.self) { try TimeZoneRules(tzif: old) }
        #expect(error?.description.contains("version 1") == true)
        // Whichever byte is wrong, reading ends, with rules or an error.
        for place in good.indices {
            var bad = good
            bad[place] ^= 0xff
            do {
                _ = try TimeZoneRules(tzif: bad).offset(at: .epoch)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
