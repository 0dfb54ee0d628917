// `lull list`, `lull show`, `lull why`: the downloads of the service.
internal import Base

/// Reads downloads and prints them.
struct ListVerb {
    /// The rows that are printed without `--all`.
    private static let rowsAtMost = 50

    let context: ClientContext

    /// Prints a page, or all pages, as a table.
    func list() throws(ClientFailure) -> ExitStatus {
        let wantsAll = context.arguments.has("--all")
        let filter = try DownloadFilter(context.arguments)
        var query = filter.query
        if let order = context.arguments["--order"].last { query.append(("order", order)) }
        var rows: [[String]] = []
        let isCut = try context.list(
            filter.path, query: query, most: wantsAll ? nil : ListVerb.rowsAtMost
        ) { document throws(ClientFailure) in
            if context.isJSON {
                try context.say(document)
            } else if let view = DownloadView(document) {
                if context.arguments.has("--quiet") {
                    try context.terminal.say(view.id)
                } else {
                    rows.append(row(view))
                }
            }
            // A long list is printed as it arrives.
            if rows.count >= 1000 { try flush(&rows) }
        }
        try flush(&rows)
        if isCut { context.terminal.note("there are more: lull list --all") }
        return .done
    }

    /// Prints downloads with their attempts.
    func show() throws(ClientFailure) -> ExitStatus {
        for id in context.arguments.operands {
            let document = try context.get(ClientContext.path(id))
            let attempts = try context.get(ClientContext.path(id, "/attempts"))
            if context.isJSON {
                try context.say(document)
                for attempt in attempts["data"]?.arrayValue ?? [] { try context.say(attempt) }
                continue
            }
            for line in DownloadText.lines(of: document, context.clock) {
                try context.terminal.say(line)
            }
            for attempt in attempts["data"]?.arrayValue ?? [] {
                try context.terminal.say(DownloadText.attempt(attempt, context.clock))
            }
        }
        return .done
    }

    /// Prints why downloads wait.
    func why() throws(ClientFailure) -> ExitStatus {
        for id in context.arguments.operands {
            let document = try context.get(ClientContext.path(id, "/explain"))
            if context.isJSON {
                try context.say(document)
                continue
            }
            for line in DownloadText.explanation(document, context.clock) {
                try context.terminal.say(line)
            }
            if document["state"] == "attention_required" {
                try context.terminal.say("  then: lull edit \(id), and lull resume \(id)")
            }
        }
        return .done
    }

    private func row(_ view: DownloadView) -> [String] {
        let size = view.expected.map { NumberText.size($0) } ?? "-"
        let rate = view.state == "running" ? view.rate.map { NumberText.rate($0) } ?? "-" : "-"
        let done = view.bar.permille.map { "\($0 / 10) %" } ?? "-"
        let why =
            view.blocker.map { context.clock.localized($0, distanceOf: view.until) }
            ?? view.error ?? ""
        return [
            view.id, view.state, done, size, rate, Printable.cut(view.name, to: 30),
            Printable.text(why),
        ]
    }

    private func flush(_ rows: inout [[String]]) throws(ClientFailure) {
        guard !rows.isEmpty else { return }
        let head = ["ID", "STATE", "DONE", "SIZE", "RATE", "NAME", "WHY"]
        let lines = Printable.table(
            [head] + rows, right: [2, 3, 4], width: context.terminal.outputColumns)
        for (line, row) in zip(lines, [head] + rows) {
            var line = line
            // Escape sequences take no columns, so they are added after the columns are aligned.
            if row[0] != head[0], let place = line.firstRange(of: row[1]) {
                line.replaceSubrange(place, with: context.terminal.colored(row[1]))
            }
            try context.terminal.say(line)
        }
        rows = []
    }
}
