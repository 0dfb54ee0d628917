// Numbers, columns and bars: tables, and random values for text that must fit.
import Client
import Seeds
import Testing

@Suite struct NumberTextTests {
    @Test(arguments: [
        (0, "0 B"), (-5, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"),
        (1999, "1.9 kB"), (9999, "9.9 kB"), (10_000, "10 kB"), (999_999, "999 kB"),
        (1_000_000, "1.0 MB"), (3_900_000_000, "3.9 GB"), (Int64.max, "9.2 EB"),
    ])
    func sizes(bytes: Int64, text: String) {
        #expect(NumberText.size(bytes) == text)
    }

    @Test(arguments: [
        (0, "0:00", "0s"), (9, "0:09", "9s"), (59, "0:59", "59s"), (60, "1:00", "1m"),
        (61, "1:01", "1m 1s"), (3599, "59:59", "59m 59s"), (3600, "1:00:00", "1h"),
        (3723, "1:02:03", "1h 2m"), (86_399, "23:59:59", "23h 59m"), (86_400, "1d 0h", "1d"),
        (-5, "0:00", "0s"),
    ])
    func durations(seconds: Int64, clock: String, span: String) {
        #expect(NumberText.clock(.seconds(seconds)) == clock)
        #expect(NumberText.span(.seconds(seconds)) == span)
    }

    @Test(arguments: [
        ("a\u{1b}[2Jb", "a?[2Jb"), ("a\nb\tc\u{7f}", "a?b?c?"), ("\u{202e}gpj.exe", "?gpj.exe"),
        ("\u{9b}31m", "?31m"), ("ä 日本 🐢", "ä 日本 🐢"), ("\u{200b}x", "?x"), ("", ""),
    ])
    func terminalsActOnNothing(text: String, safe: String) {
        #expect(Printable.text(text) == safe)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""),
        ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("e\u{301}x", 2, "e\u{301}x"),
    ])
    func cutsByColumns(text: String, limit: Int, shown: String) {
        #expect(Printable.cut(text, to: limit) == shown)
        #expect(Printable.columns(Printable.cut(text, to: limit)) <= max(limit, 0))
    }

    @Test func tablesAlign() {
        let lines = Printable.table(
            [["ID", "SIZE", "WHY"], ["a", "12 kB", "no"], ["日本", "1 B", "a longer reason"]],
            right: [1])
        #expect(lines == ["ID     SIZE  WHY", "a     12 kB  no", "日本    1 B  a longer reason"])
        let cut = Printable.table([["abc", "defghij"]], width: 8)
        #expect(cut == ["abc  de…"])
        #expect(Printable.table([]) == [])
    }

    @Test func aBarShowsWhatIsKnown() {
        let bar = ProgressBar(
            name: "debian.iso", received: 2_400_000_000, expected: 3_900_000_000,
            rate: 48_000_000)
        #expect(
            bar.line(columns: 80)
                == "debian.iso  "
                + "█████████████████░░░░░░░░░░░   61 %  2.4 GB of 3.9 GB  48 MB/s  0:31"
        )
        #expect(
            bar.line(columns: 80, isPlain: true)
                == "debian.iso  "
                + "#################...........   61 %  2.4 GB of 3.9 GB  48 MB/s  0:31"
        )
        let unknown = ProgressBar(name: "a", received: 512)
        #expect(unknown.line(columns: 80) == "a  512 B")
        #expect(unknown.permille == nil)
    }

    /// No line is wider than the terminal, whichever values are known and however the name is
    /// written; more bytes never show fewer cells.
    @Test func barsFitAndGrow() {
        var random = SplitMix64(seed: 11)
        let names = [
            "a", "debian-12.iso", "日本語のファイル.iso", "x\u{1b}[0m", String(repeating: "n", count: 300),
            "",
        ]
        for _ in 0..<3000 {
            let columns = Int(random.next() % 200)
            let expected = Int64(random.next() % 5_000_000_000) + 1
            var bar = ProgressBar(
                name: names[Int(random.next() % UInt64(names.count))], received: 0,
                expected: random.next() % 4 == 0 ? nil : expected,
                rate: random.next() % 3 == 0 ? nil : Int64(random.next() % 100_000_000))
            var cells = 0
            for step in 0...4 {
                bar.received = expected / 4 * Int64(step)
                let line = bar.line(columns: columns)
                #expect(Printable.columns(line) <= columns, "\(columns): \(line)")
                #expect(!line.unicodeScalars.contains("\u{1b}"))
                // An equal width shows equal parts only if the numbers have an equal length.
                let full = line.count { $0 == "█" }
                if full > 0, line.contains("░") || step == 4 { cells = max(cells, full) }
            }
            #expect(cells <= 30)
        }
    }
}
