// `lull forecast`: when waiting downloads will begin and end.
internal import Base

/// Prints the forecast: one line for each hour, and one for each download.
struct ForecastVerb {
    private static let hoursAtMost = 24
    /// The rows that are printed without `--all`.
    private static let rowsAtMost = 50

    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let session = context.arguments["--session"].last.map { [(name: "session", value: $0)] }
        let answer = try context.get("/v1/forecast", query: (session ?? []) + [("limit", "1")])
        if !context.isJSON {
            try sayBasis(answer["basis"], answer["hours"]?.arrayValue ?? [])
            // The first entry of a budget is the period of now.
            var named: Set<String> = []
            for budget in answer["budgets"]?.arrayValue ?? [] {
                let name = Printable.text(budget["name"]?.stringValue ?? "")
                guard let left = budget["left"]?.integerValue, named.insert(name).inserted else {
                    continue
                }
                try context.terminal.say("budget \(name): \(NumberText.size(left)) left")
            }
        }
        var rows = [["ID", "BEGINS", "BETWEEN", "ENDS", "CONFIDENCE", "WHY"]]
        let most = context.arguments.has("--all") ? nil : ForecastVerb.rowsAtMost
        if context.isJSON, most != nil {
            try context.say(try context.get("/v1/forecast", query: session ?? []))
            return .done
        }
        let isCut = try context.list("/v1/forecast", query: session ?? [], most: most) {
            item throws(ClientFailure) in
            if context.isJSON { return try context.say(item) }
            let between = ["p10", "p90"].map { shown(item["begin"]?[$0]) }
            rows.append([
                item["id"]?.stringValue ?? "", shown(item["begin"]?["p50"]),
                between[0] == between[1] ? "-" : between.joined(separator: " and "),
                shown(item["end"]?["p50"]), ForecastVerb.confidence(item),
                item["first_blocker"]?.stringValue ?? "",
            ])
        }
        if rows.count > 1 {
            let width = context.terminal.outputColumns
            for line in Printable.table(rows, width: width) { try context.terminal.say(line) }
        }
        if isCut { context.terminal.note("there are more: lull forecast --all") }
        return .done
    }

    /// The confidence in a forecast of one download, in words.
    static func confidence(_ item: JSON) -> String {
        switch item["confidence"]?.stringValue {
        case nil: "unknown"
        case "unknown"?: "not measured yet"
        case let word?: word
        }
    }

    /// Prints how many downloads wait, and how far the forecast can be trusted.
    private func sayBasis(_ basis: JSON?, _ hours: [JSON]) throws(ClientFailure) {
        try context.terminal.say("waiting downloads: \(basis?["waiting"]?.integerValue ?? 0)")
        let unknown = basis?["unknown"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !unknown.isEmpty {
            let names = Printable.text(unknown.joined(separator: ", "))
            try context.terminal.say("unsure: the future of \(names) is not known")
        }
        if basis?["is_whole"]?.boolValue == false {
            try context.terminal.say("unsure: only a part of the queue was looked at")
        }
        try sayHours(hours)
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
