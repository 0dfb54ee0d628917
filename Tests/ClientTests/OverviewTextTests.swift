// Several downloads on a few lines: the panel of `lull watch`, `lull status` and `lull top`.
import Base
import Client
import Testing

@Suite struct OverviewTextTests {
    private static let clock = InstantText(now: Timestamp(seconds: 1_790_000_000), zone: .utc)

    private static func view(_ number: Int, _ state: String, rate: Int = 0) throws -> DownloadView {
        let text = """
            {"id": "dl_\(number)", "state": "\(state)", "name": "n\(number)", "origin": null,
             "count_of_bytes_received": 50, "count_of_bytes_expected_to_receive": 100,
             "bytes_per_second": \(rate),
             "blocker": {"code": "retry_backoff", "rule": null, "until": null}}
            """
        return try #require(DownloadView(try JSON.parse(text)))
    }

    @Test func whatRunsIsShownBeforeWhatWaits() throws {
        let views =
            try (0..<25).map { try Self.view($0, "waiting") } + [Self.view(99, "running", rate: 7)]
        let lines = ProgressPanel(views, Self.clock).lines(atMost: 20, columns: 80)
        #expect(lines.count == 20)
        #expect(lines[0].hasPrefix("n99 ") && lines[0].contains("50 %"))
        #expect(lines[1] == "n0  waiting: retry backoff")
        #expect(lines[19] == "and 7 more, 1 running, 25 waiting, 7 B/s")
    }

    @Test(arguments: 1...30)
    func noPanelHasMoreLinesThanThereIsRoom(rows: Int) throws {
        let views = try (0..<12).map { try Self.view($0, $0 % 2 == 0 ? "running" : "waiting") }
        let bars = [ProgressBar(name: "b", received: 1, expected: 2)]
        let lines = ProgressPanel(views, Self.clock, bars: bars, total: "1 of 12 files")
            .lines(atMost: rows, columns: 60)
        #expect(lines.count == min(rows, 14))
        #expect(lines.last?.contains("1 of 12 files, 6 running, 6 waiting") == true)
    }

    private static let overview = """
        {"states": {"running": 2, "waiting": 9, "failed": 1, "succeeded": 4},
         "bytes_per_second": 48000000, "slots": {"limit": 64, "running": 2},
         "room": {"free_bytes": 250000000000, "reserve_bytes": 1},
         "blockers": [{"code": "window", "rule": "night", "until": null, "count": 8},
                      {"code": "slots", "rule": null, "until": null, "count": 1}],
         "failures": [{"code": "timed_out", "origin": "http://a", "count": 1, "id": "dl_5"}],
         "attention": [{"id": "dl_6", "name": "x", "detail": "it needs a password"}]}
        """

    @Test func theOverviewSaysWhatRunsAndWhatIsNext() throws {
        let text = OverviewText(
            try JSON.parse(Self.overview),
            running: try (1...2).map { try Self.view($0, "running") },
            next: try (3...6).map { try Self.view($0, "waiting") }, server: "http://h:1", Self.clock
        )
        #expect(text.needsSomebody)
        let lines = text.lines(rows: 20, columns: 100, isPlain: true)
        #expect(
            lines[0]
                == "Lull at http://h:1: 2 running, 9 waiting, 1 failed, 4 succeeded")
        #expect(lines[1] == "  48 MB/s, 2 of 64 slots taken, 250 GB of the disk free")
        #expect(lines[2] == "! dl_6 x needs you: it needs a password")
        #expect(lines[3].hasPrefix("> n1 ") && lines[4].hasPrefix("> n2 "))
        #expect(lines[5] == "  n3  waiting: retry backoff")
        #expect(lines.last == "  and 5 more")
        #expect(
            text.reasons(rows: 8) == [
                "  8 waiting: window, by the rule \"night\"", "  1 waiting: slots",
                "  1 failed in the last day: timed_out from http://a",
            ])
        #expect(text.reasons(rows: 2).last == "  and 2 more reasons")
    }

    @Test(arguments: 4...30)
    func theOverviewFitsTheScreen(rows: Int) throws {
        let text = OverviewText(
            try JSON.parse(Self.overview),
            running: try (1...2).map { try Self.view($0, "running") },
            next: try (3...11).map { try Self.view($0, "waiting") }, server: "http://h:1",
            Self.clock)
        let lines = text.lines(rows: rows, columns: 50)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { Printable.columns($0) <= 50 })
    }
}
