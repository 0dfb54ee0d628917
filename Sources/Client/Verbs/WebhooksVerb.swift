// `lull webhooks`: webhook endpoints and deliveries.
internal import Base

/// Lists endpoints and deliveries, and repeats deliveries.
struct WebhooksVerb {
    /// The rows that are printed without `--all`.
    private static let rowsAtMost = 50

    let context: ClientContext

    func list() throws(ClientFailure) -> ExitStatus {
        let page = try context.get("/v1/webhook_endpoints")
        try table(page["data"]?.arrayValue ?? [], ["ID", "ENABLED", "FORMAT", "URL", "WHY"]) {
            endpoint in
            [
                endpoint["id"]?.stringValue ?? "",
                endpoint["enabled"]?.boolValue == true ? "yes" : "no",
                endpoint["format"]?.stringValue ?? "",
                endpoint["url"]?.stringValue ?? "every webhook_url",
                endpoint["disabled_reason"]?.stringValue ?? "",
            ]
        }
        return .done
    }

    /// Registers an endpoint, and prints its identifier and its secret.
    func add() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        var body: JSONObject = ["url": .string(arguments.operands[0])]
        for (option, member) in [("--event", "events"), ("--session", "sessions")] {
            let values = arguments[option].flatMap { $0.split(separator: ",").map(String.init) }
            if !values.isEmpty { body[member] = .array(values.map { .string($0) }) }
        }
        body["description"] = arguments["--description"].last.map { .string($0) }
        body["format"] = arguments["--format"].last.map { .string($0) }
        let answer = try context.post("/v1/webhook_endpoints", body: .object(body)).json()
        if context.isJSON {
            try context.say(answer)
            return .done
        }
        try context.terminal.say(answer["id"]?.stringValue ?? "")
        if answer["format"] == "standard" {
            context.terminal.note("its secret: \(answer["secret"]?.stringValue ?? "")")
        }
        return .done
    }

    /// Removes endpoints.
    func remove() throws(ClientFailure) -> ExitStatus {
        for id in context.arguments.operands {
            _ = try context.change("DELETE", "/v1/webhook_endpoints/\(Request.encoded(id))")
            try context.terminal.say("\(id) removed")
        }
        return .done
    }

    func deliveries() throws(ClientFailure) -> ExitStatus {
        var query: [(name: String, value: String)] = []
        if let state = context.arguments["--state"].last { query.append(("state", state)) }
        if let id = context.arguments["--download"].last { query.append(("download", id)) }
        var found: [JSON] = []
        let most = context.arguments.has("--all") ? nil : WebhooksVerb.rowsAtMost
        let isCut = try context.list("/v1/webhook_deliveries", query: query, most: most) {
            delivery throws(ClientFailure) in found.append(delivery)
        }
        try table(found, ["ID", "STATE", "TRIES", "TYPE", "URL", "ERROR"]) { delivery in
            [
                delivery["id"]?.stringValue ?? "", delivery["state"]?.stringValue ?? "",
                "\(delivery["attempt_count"]?.integerValue ?? 0)",
                delivery["type"]?.stringValue ?? "-", delivery["url"]?.stringValue ?? "-",
                delivery["error"]?.stringValue ?? "",
            ]
        }
        if isCut { context.terminal.note("there are more: lull webhooks deliveries --all") }
        return .done
    }

    func redeliver() throws(ClientFailure) -> ExitStatus {
        for id in context.arguments.operands {
            let path = "/v1/webhook_deliveries/" + Request.encoded(id) + "/redeliver"
            try say(try context.post(path, body: nil).json())
        }
        return .done
    }

    func ping() throws(ClientFailure) -> ExitStatus {
        let id = Request.encoded(context.arguments.operands[0])
        try say(try context.post("/v1/webhook_endpoints/\(id)/ping", body: nil).json())
        return .done
    }

    func secret() throws(ClientFailure) -> ExitStatus {
        let id = Request.encoded(context.arguments.operands.first ?? "default")
        let answer = try context.get("/v1/webhook_endpoints/\(id)/secret")
        try context.terminal.say(answer["secret"]?.stringValue ?? "")
        return .done
    }

    private func say(_ delivery: JSON) throws(ClientFailure) {
        if context.isJSON { return try context.say(delivery) }
        let words = ["id", "state", "url"].compactMap { delivery[$0]?.stringValue }
        try context.terminal.say(Printable.text(words.joined(separator: " ")))
    }

    private func table(
        _ items: [JSON], _ head: [String], _ row: (JSON) -> [String]
    ) throws(ClientFailure) {
        if context.isJSON {
            for item in items { try context.say(item) }
            return
        }
        let rows = items.map { row($0).map { Printable.text($0) } }
        let width = context.terminal.outputColumns
        for line in Printable.table([head] + rows, width: width) {
            try context.terminal.say(line)
        }
    }
}
