// Readings of a process from the texts of /proc, and from the real files.
import Glibc
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

    /// This runs in a process of its own, because it changes that process's limit.
    @Test func theLimitOfOpenFilesIsRaisedAsFarAsItMay() async {
        await #expect(processExitsWith: .success) {
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit(rlim_cur: 64, rlim_max: 256)
            try #require(unsafe setrlimit(kind, &limit) == 0)
            for (wanted, reached) in [(32, 64), (64, 64), (100, 100), (1000, 256), (10, 256)] {
                try #require(OpenFileLimit.raise(to: wanted) == reached, "\(wanted)")
                try #require(OpenFileLimit.current == reached)
            }
        }
    }

    @Test func thisProcessCanBeRead() {
        let reading = ProcessReading.read()
        #expect((reading.openFiles ?? 0) >= 3 && (reading.residentBytes ?? 0) > 1 << 20)
        #expect(reading.cpuSeconds != nil && (reading.startedAt ?? 0) > 1_600_000_000)
        #expect((reading.filesAtMost ?? 0) >= reading.openFiles.map(Int64.init) ?? 0)
    }
}
