// The overview of the queue as lines for people; pure.
package import Base

/// The queue of an app on a few lines: how it is, what runs, what is next, what needs somebody.
package struct OverviewText {
    private let overview: JSON
    private let running: [DownloadView]
    private let next: [DownloadView]
    private let server: String
    private let clock: InstantText

    /// Creates the text.
    ///
    /// - Parameters:
    ///   - overview: the answer of `GET /v1/overview`.
    ///   - running: running downloads and uploads, those that are shown first in front.
    ///   - next: waiting downloads in the order in which they may begin.
    ///   - server: the address of the service.
    ///   - clock: the clock of instants.
    package init(
        _ overview: JSON, running: [DownloadView], next: [DownloadView], server: String,
        _ clock: InstantText
    ) {
        self.overview = overview
        self.running = running
        self.next = next
        self.server = server
        self.clock = clock
    }

    /// Whether something waits for an action of somebody.
    package var needsSomebody: Bool { !(overview["attention"]?.arrayValue ?? []).isEmpty }

    /// The commands that one needs first.
    package static let firstCommands = [
        "lull get URL         download a file to this machine     lull top     follow all of it",
        "lull add URL…        queue downloads                     lull why ID  why one waits",
        "lull save ID…        bring finished files here           lull help    all commands",
    ]

    /// All there is to say, on at most some lines.
    ///
    /// - Parameters:
    ///   - rows: the most lines, from 4.
    ///   - columns: the columns of the terminal; nil for no bound.
    ///   - isPlain: whether bars are drawn in ASCII.
    /// - Returns: the lines.
    package func lines(rows: Int, columns: Int?, isPlain: Bool = false) -> [String] {
        let attention = overview["attention"]?.arrayValue ?? []
        var lines = head
        var left = rows - lines.count
        let called = attention.prefix(max(1, left / 4)).map { line(ofCalled: $0) }
        if !called.isEmpty {
            lines += called
            if attention.count > called.count {
                lines.append("  and \(attention.count - called.count) more that need you")
            }
        }
        left = rows - lines.count
        let all = running.map { line(of: $0, columns ?? 100, isPlain) } + next.map { waiting($0) }
        let count = self.count("running") + self.count("canceling") + self.count("waiting")
        let isCut = all.count > left || count > all.count
        let shown = all.prefix(max(0, isCut ? left - 1 : left))
        lines += shown
        if count > shown.count { lines.append("  and \(count - shown.count) more") }
        return lines.map { Printable.cut($0, to: columns ?? .max) }
    }

    /// The reasons for which downloads wait, and the failures of the last day.
    ///
    /// - Parameter rows: the most lines.
    /// - Returns: a line for each reason, the most frequent first.
    package func reasons(rows: Int) -> [String] {
        var lines: [String] = []
        for group in overview["blockers"]?.arrayValue ?? [] {
            let count = group["count"]?.integerValue ?? 0
            lines.append("  \(count) waiting: \(DownloadView.reason(group, clock) ?? "for a slot")")
        }
        for failure in overview["failures"]?.arrayValue ?? [] {
            let count = failure["count"]?.integerValue ?? 0
            let code = failure["code"]?.stringValue ?? "unknown"
            let origin = failure["origin"]?.stringValue.map { " from \($0)" } ?? ""
            lines.append("  \(count) failed in the last day: \(code)\(origin)")
        }
        guard lines.count > rows, rows > 0 else { return lines.map { Printable.text($0) } }
        let hidden = lines.count - rows + 1
        return lines.prefix(rows - 1).map { Printable.text($0) } + ["  and \(hidden) more reasons"]
    }

    /// The numbers of all.
    private var head: [String] {
        var parts: [String] = []
        for (state, words) in [
            ("running", "running"), ("waiting", "waiting"), ("suspended", "suspended"),
            ("attention_required", "need you"), ("failed", "failed"), ("succeeded", "succeeded"),
        ] where count(state) > 0 || state == "running" || state == "waiting" {
            parts.append("\(count(state)) \(words)")
        }
        var room: [String] = []
        if let rate = overview["bytes_per_second"]?.integerValue, rate > 0 {
            room.append(NumberText.rate(rate))
        }
        if let slots = overview["slots"], let used = slots["running"]?.integerValue {
            let limit = slots["limit"]?.integerValue.map { " of \($0)" } ?? ""
            room.append("\(used)\(limit) slots taken")
        }
        if let free = overview["room"]?["free_bytes"]?.integerValue {
            room.append("\(NumberText.size(free)) of the disk free")
        }
        return [
            "Lull at \(Printable.text(server)): \(parts.joined(separator: ", "))",
            "  \(room.joined(separator: ", "))",
        ]
    }

    private func count(_ state: String) -> Int {
        let states = [overview["states"], overview["uploads"]].compactMap(\.self)
        return states.reduce(0) { $0 + Int($1[state]?.integerValue ?? 0) }
    }

    private func line(ofCalled entry: JSON) -> String {
        let words = ["id", "name"].compactMap { entry[$0]?.stringValue }
        let detail = entry["detail"]?.stringValue ?? entry["error_code"]?.stringValue ?? "unknown"
        let plain = PlainWords.of(detail)
        return Printable.text("! \(words.joined(separator: " ")) needs you: \(plain)")
    }

    private func line(of view: DownloadView, _ columns: Int, _ isPlain: Bool) -> String {
        "> " + view.bar.line(columns: columns - 2, isPlain: isPlain)
    }

    private func waiting(_ view: DownloadView) -> String {
        "  \(Printable.cut(view.name, to: 30))  \(view.sentence(clock))"
    }
}
