// `lull status`, `lull top` and `lull` alone: the queue at a glance.
internal import Base
internal import Platform

/// Shows the queue of the key's app: once, or for as long as somebody looks.
struct OverviewVerb {
    /// The most running and waiting downloads that are read.
    private static let readsAtMost = 100
    private static let linesOfStatus = 24
    private static let linesAlone = 15
    /// The lines of the terminal where it is not known.
    private static let linesPrinted = 40

    let context: ClientContext

    /// Prints the state of the service; the exit status tells whether a download needs a person.
    func status() throws(ClientFailure) -> ExitStatus {
        let overview = try context.get("/v1/overview")
        let text = try text(overview, atMost: 10)
        if context.isJSON {
            try context.say(overview)
        } else {
            let reasons = text.reasons(rows: 8)
            let rows = OverviewVerb.linesOfStatus - reasons.count
            try say(text.lines(rows: rows, columns: context.terminal.outputColumns) + reasons)
        }
        return text.needsSomebody ? .needsYou : .done
    }

    /// Prints how it is, and the commands that one needs first.
    func alone() throws(ClientFailure) {
        var request = Request("GET", "/v1/overview")
        request.timeout = .seconds(2)
        let text = try text(try context.transport.send(request).json(), atMost: 6)
        let reasons = text.reasons(rows: 3)
        let rest = OverviewVerb.linesAlone - reasons.count - OverviewText.firstCommands.count - 1
        let lines = text.lines(rows: rest, columns: context.terminal.outputColumns)
        try say(lines + reasons + [""] + OverviewText.firstCommands)
    }

    /// Follows the queue on the whole screen until `q`; without a terminal it prints once.
    func top() throws(ClientFailure) -> ExitStatus {
        guard let screen = context.isJSON ? nil : TerminalScreen() else {
            let overview = try context.get("/v1/overview")
            if context.isJSON {
                try context.say(overview)
            } else {
                let text = try text(overview, atMost: OverviewVerb.readsAtMost)
                try say(text.lines(rows: OverviewVerb.linesPrinted, columns: nil, isPlain: true))
            }
            return .done
        }
        defer { screen.close() }
        var notice = ""
        while true {
            let (rows, columns) = screen.size
            var lines: [String] = []
            do throws(ClientFailure) {
                let overview = try context.get("/v1/overview")
                lines = try text(overview, atMost: OverviewVerb.readsAtMost)
                    .lines(rows: max(4, rows - 2), columns: columns - 1)
                notice = ""
            } catch {
                guard error.isTransient else { throw error }
                notice = "\(error); trying again"
            }
            if notice.isEmpty {
                let space = Array(repeating: "", count: max(0, rows - 1 - lines.count))
                screen.draw(lines + space + ["q ends"])
            } else {
                screen.drawLast(Printable.cut(notice, to: columns - 1))
            }
            let end = SystemClock.bootNanoseconds() + 1_000_000_000
            while SystemClock.bootNanoseconds() < end {
                if screen.key() == UInt8(ascii: "q") { return .done }
                try context.transport.turn(upTo: .milliseconds(100))
            }
        }
    }

    private func say(_ lines: [String]) throws(ClientFailure) {
        for line in lines { try context.terminal.say(line) }
    }

    /// Reads what runs and what is next.
    private func text(_ overview: JSON, atMost most: Int) throws(ClientFailure) -> OverviewText {
        func views(
            _ path: String, _ query: [(name: String, value: String)]
        ) throws(ClientFailure) -> [DownloadView] {
            var found: [DownloadView] = []
            _ = try context.list(path, query: query + [("view", "row")], most: most) {
                row throws(ClientFailure) in
                if let view = DownloadView(row) { found.append(view) }
            }
            return found
        }
        var running = try views("/v1/downloads", [("state", "running,canceling")])
        // The overview has the numbers of uploads for a key that may read them.
        if overview["uploads"] != nil {
            running += try views("/v1/uploads", [("state", "running,canceling,receiving")])
        }
        running.sort { $0.id < $1.id }
        let isWaiting = (overview["states"]?["waiting"]?.integerValue ?? 0) > 0
        let next =
            isWaiting
            ? try views("/v1/downloads", [("state", "waiting"), ("order", "next")]) : []
        return OverviewText(
            overview, running: running, next: next,
            server: context.transport.settings.server.text, context.clock)
    }
}
