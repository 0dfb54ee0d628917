// Durations and sizes as settings spell them.
import Base
import Testing

@Suite struct TimestampTextTests {
    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)),
        ("2h", .seconds(7200)), ("7d", .seconds(604_800)), ("1h30m", .seconds(5400)),
        ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("0s", .zero), ("90m", .seconds(5400)),
    ])
    func readsDurations(_ text: String, _ expected: Duration) throws {
        #expect(try DurationText.parse(text) == expected)
        #expect(try DurationText.parse(DurationText.print(expected)) == expected)
    }

    @Test(arguments: [
        ("", "not a duration"), ("5", "lacks a unit"), ("s", "not a duration"),
        ("-5s", "not a duration"), ("1.5h", "not a duration"), ("5 s", "lacks a unit"),
        ("5y", "unknown unit \"y\""), ("30m1h", "wrong order"), ("1s1s", "wrong order"),
        ("5s ", "not a duration"), ("99999999999999999999s", "not a duration"),
        ("9223372036854775807d", "longer"), ("36526d", "longer"), ("5M", "unknown unit \"M\""),
    ])
    func saysWhatIsWrongWithADuration(_ text: String, _ words: String) {
        let error = #expect(throws: QuantityError.self) { try DurationText.parse(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func writesDurations() {
        #expect(DurationText.print(.seconds(5400)) == "1h30m")
        #expect(DurationText.print(.milliseconds(250)) == "250ms")
        #expect(DurationText.print(.zero) == "0s")
        #expect(DurationText.print(.microseconds(999)) == "0s")
        #expect(DurationText.print(.seconds(-5)) == "0s")
        #expect(DurationText.print(.seconds(604_800)) == "7d")
    }

    @Test(arguments: [
        ("0", 0), ("1024", 1024), ("5B", 5), ("512KiB", 524_288), ("20M", 20_000_000),
        ("1GiB", 1_073_741_824), ("500GB", 500_000_000_000), ("1kB", 1000), ("1KB", 1000),
        ("1k", 1000), ("1.5GiB", 1_610_612_736), ("1.1KiB", 1126), ("2Mi", 2_097_152),
        ("7PiB", 7_881_299_347_898_368), ("9223372036854775807", .max), ("0.5K", 500),
    ])
    func readsSizes(_ text: String, _ expected: Int64) throws {
        #expect(try ByteCount.parse(text) == expected)
        #expect(try ByteCount.parse(ByteCount.print(expected)) == expected)
    }

    @Test(arguments: [
        ("", "not a size"), ("M", "not a size"), ("-1M", "not a size"), ("1 M", "not a size"),
        ("1X", "unknown unit \"X\""), ("1MBit", "unknown unit"), ("1Bi", "unknown unit"),
        ("0.5", "not a whole number of bytes"), ("9223372036854775808", "not a size"),
        ("9000PiB", "not a whole number of bytes"), ("1.", "not a size"), ("1e3", "not a size"),
        ("1.0000000001G", "not a size"), ("1M2", "not a size"),
    ])
    func saysWhatIsWrongWithASize(_ text: String, _ words: String) {
        let error = #expect(throws: QuantityError.self) { try ByteCount.parse(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func writesSizes() {
        #expect(ByteCount.print(20_971_520) == "20MiB")
        #expect(ByteCount.print(500_000_000_000) == "500GB")
        #expect(ByteCount.print(1025) == "1025B")
        #expect(ByteCount.print(1000) == "1kB")
        #expect(ByteCount.print(512_000) == "512kB")
        #expect(ByteCount.print(524_288) == "512KiB")
        #expect(ByteCount.print(1_024_000) == "1024kB")
        #expect(ByteCount.print(1_048_576_000) == "1000MiB")
        #expect(ByteCount.print(0) == "0B")
        #expect(ByteCount.print(-5) == "0B")
    }
}
