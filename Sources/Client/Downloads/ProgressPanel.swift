// Several downloads on a few lines of a terminal; pure.

/// The lines that show several downloads at once: what runs comes first, and a line with totals
/// says how many there was no room for.
package struct ProgressPanel {
    /// The states in the order in which they are shown.
    private static let order = [
        "running", "canceling", "receiving", "waiting", "attention_required",
    ]

    private let views: [DownloadView]
    private let open: [DownloadView]
    private let clock: InstantText
    private let bars: [ProgressBar]
    private let words: String

    /// Creates a panel.
    ///
    /// - Parameters:
    ///   - views: the downloads in the order in which those of one state are shown.
    ///   - clock: the clock of sentences.
    ///   - bars: further bars, which stand first.
    ///   - total: the words that begin the line of totals; empty for none.
    package init(
        _ views: [DownloadView], _ clock: InstantText, bars: [ProgressBar] = [], total: String = ""
    ) {
        self.bars = bars
        words = total
        self.views = views
        self.clock = clock
        let places = Dictionary(
            uniqueKeysWithValues: ProgressPanel.order.enumerated().map { ($1, $0) })
        open = views.filter { !$0.isOver }.enumerated().sorted { left, right in
            let last = ProgressPanel.order.count
            return (places[left.element.state] ?? last, left.offset)
                < (places[right.element.state] ?? last, right.offset)
        }.map(\.element)
    }

    /// The lines.
    ///
    /// - Parameters:
    ///   - bound: the most lines, at least 1.
    ///   - columns: the columns of the terminal.
    /// - Returns: a line for each download that has not ended, and totals for more than one.
    package func lines(atMost bound: Int, columns: Int) -> [String] {
        let first = bars.prefix(max(0, bound - 1)).map { $0.line(columns: columns) }
        guard views.count > 1 else { return first + open.map { line(of: $0, columns) } }
        let shown = open.prefix(max(0, bound - 1 - first.count))
        return first + shown.map { line(of: $0, columns) }
            + [Printable.cut(total(hidden: open.count - shown.count), to: columns)]
    }

    private func line(of view: DownloadView, _ columns: Int) -> String {
        guard view.state != "running" else { return view.bar.line(columns: columns) }
        let name = Printable.cut(view.name, to: columns / 3)
        return Printable.cut("\(name)  \(view.sentence(clock))", to: columns)
    }

    /// How many there are in each state, and the bytes a second of all.
    private func total(hidden: Int) -> String {
        var counts: [String: Int] = [:]
        for view in views { counts[view.state, default: 0] += 1 }
        let known = ProgressPanel.order + ["suspended", "succeeded", "failed", "canceled"]
        var parts = known.compactMap { state in counts[state].map { "\($0) \(state)" } }
        let rate = views.filter { $0.state == "running" }.compactMap(\.rate).reduce(0, +)
        if rate > 0 { parts.append(NumberText.rate(rate)) }
        if !words.isEmpty { parts.insert(words, at: 0) }
        if hidden > 0 { parts.insert("and \(hidden) more", at: 0) }
        return parts.joined(separator: ", ")
    }
}
