// A progress bar of a transfer; pure.

/// The progress of a transfer, and how it is drawn.
package struct ProgressBar: Sendable {
    /// The name of the transfer.
    package var name: String
    /// The received bytes.
    package var received: Int64
    /// The expected bytes; nil if unknown.
    package var expected: Int64?
    /// The rate in bytes a second; nil if unknown.
    package var rate: Int64?

    /// Creates a progress bar.
    package init(name: String, received: Int64, expected: Int64? = nil, rate: Int64? = nil) {
        self.name = name
        self.received = received
        self.expected = expected
        self.rate = rate
    }

    /// The received part in thousandths; nil if the whole is unknown.
    package var permille: Int? {
        guard let expected, expected > 0 else { return nil }
        return Int(Double(min(received, expected)) / Double(expected) * 1000)
    }

    /// A line of at most some columns: `a.iso  ██████░░░░  61 %  2.4 of 3.9 GB  48 MB/s  0:31`.
    ///
    /// Parts that do not fit are left out; the name is cut last.
    package func line(columns: Int, isPlain: Bool = false) -> String {
        let parts = figures
        var count = parts.count
        let name = Printable.text(self.name)
        let least = min(Printable.columns(name), 12)
        while count > 0, least + width(parts[..<count]) > columns { count -= 1 }
        let tail = parts[..<count].map { "  " + $0 }.joined()
        let room = columns - Printable.columns(tail)
        let shown = Printable.cut(name, to: max(0, min(room, max(least, columns * 3 / 10))))
        let left = room - Printable.columns(shown) - 2
        guard let permille, left >= 6 else { return shown + tail }
        let cells = min(left, 30)
        let full = permille * cells / 1000
        let (done, open) = isPlain ? ("#", ".") : ("█", "░")
        return shown + "  " + String(repeating: done, count: full)
            + String(repeating: open, count: cells - full) + tail
    }

    private var figures: [String] {
        var parts: [String] = []
        if let permille { parts.append(Printable.pad("\(permille / 10) %", to: 5, before: true)) }
        if let expected {
            parts.append("\(NumberText.size(received)) of \(NumberText.size(expected))")
        } else {
            parts.append(NumberText.size(received))
        }
        guard let rate else { return parts }
        parts.append(NumberText.rate(rate))
        if let expected, rate > 0, expected > received {
            parts.append(NumberText.clock(.seconds((expected - received) / rate)))
        }
        return parts
    }

    private func width(_ parts: ArraySlice<String>) -> Int {
        parts.reduce(0) { $0 + 2 + Printable.columns($1) }
    }
}
