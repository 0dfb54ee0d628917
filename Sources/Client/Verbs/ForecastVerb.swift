// `lull forecast`: when waiting downloads will begin and end.
internal import Base

/// Prints the forecast: one line for each hour, and one for each download.
struct ForecastVerb {
    private static let hoursAtMost = 24

    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let session = context.arguments["--session"].last.map { [(name: "session", value: $0)] }
        let answer = try context.get("/v1/forecast", query: session ?? [])
        if context.isJSON {
            try context.say(answer)
            return .done
        }
        let waiting = answer["basis"]?["waiting"]?.integerValue ?? 0
        try context.terminal.say("waiting downloads: \(waiting)")
        try sayHours(answer["hours"]?.arrayValue ?? [])
        var rows = [["ID", "BEGINS", "ENDS", "CONFIDENCE", "WHY"]]
        for item in answer["downloads"]?.arrayValue ?? [] {
            rows.append([
                item["id"]?.stringValue ?? "", shown(item["begin"]?["p50"]),
                shown(item["end"]?["p50"]), item["confidence"]?.stringValue ?? "unknown",
                item["first_blocker"]?.stringValue ?? "",
            ])
        }
        if rows.count > 1 {
            let width = context.terminal.outputColumns
            for line in Printable.table(rows, width: width) { try context.terminal.say(line) }
        }
        if answer["next_cursor"]?.stringValue != nil {
            context.terminal.note("there are more downloads than are shown")
        }
        return .done
    }

    /// Prints bars for the bytes of each hour, if there are any.
    private func sayHours(_ hours: [JSON]) throws(ClientFailure) {
        let figures = hours.prefix(ForecastVerb.hoursAtMost).map { hour in
            (shown(hour["from"]), hour["bytes"]?["p50"]?.integerValue ?? 0)
        }
        guard let most = figures.map(\.1).max(), most > 0 else { return }
        let rows = figures.map { hour, bytes in
            let cells = Int(Double(bytes) / Double(most) * 30)
            return [hour, NumberText.size(bytes), String(repeating: "█", count: cells)]
        }
        for line in Printable.table(rows, right: [1]) { try context.terminal.say(line) }
    }

    private func shown(_ value: JSON?) -> String {
        value?.stringValue.flatMap { Timestamp(rfc3339: $0) }.map { context.clock.show($0) } ?? "-"
    }
}
