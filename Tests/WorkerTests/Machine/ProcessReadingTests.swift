// What /proc says of a process, as texts and for real.
import Testing

@testable import Platform

@Suite struct ProcessReadingTests {
    /// Fields 3 to 24 of proc(5) behind a name.
    private static func stat(_ name: String) -> String {
        "42 (\(name)) S 1 42 42 0 -1 4194560 900 0 0 0 250 50 0 0 20 0 9 0 1000 8192000 512 1 2\n"
    }

    @Test(arguments: ["lull", "a b", "a) S 9 (b", ")"])
    func fieldsAreCountedBehindTheName(_ name: String) {
        var reading = ProcessReading()
        reading.take(Self.stat(name), ticks: 100, pageBytes: 4096, bootTime: 1_000_000)
        #expect(reading.cpuSeconds == 3)
        #expect(reading.startedAt == 1_000_010)
        #expect(reading.virtualBytes == 8_192_000)
        #expect(reading.residentBytes == 2_097_152)
    }

    @Test(arguments: ["", "42", "42 (lull", "42 (lull) S", "42 (lull) S x y z"])
    func whatIsNotThereIsUnknown(_ text: String) {
        var reading = ProcessReading()
        reading.take(text, ticks: 100, pageBytes: 4096, bootTime: nil)
        #expect(reading == ProcessReading())
    }

    @Test func bootTimeIsALineOfItsOwn() {
        let stat = "cpu 1 2\nbtime 1763800000\nprocesses 9\n"
        #expect(ProcessReading.bootTime(in: stat) == 1_763_800_000)
        #expect(ProcessReading.bootTime(in: "cpu 1 2\n") == nil)
    }

    @Test func thisProcessCanBeRead() {
        let reading = ProcessReading.read()
        #expect((reading.openFiles ?? 0) >= 3 && (reading.residentBytes ?? 0) > 1 << 20)
        #expect(reading.cpuSeconds != nil && (reading.startedAt ?? 0) > 1_600_000_000)
        #expect((reading.filesAtMost ?? 0) >= reading.openFiles.map(Int64.init) ?? 0)
    }
}
