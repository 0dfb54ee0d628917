// `lull conditions`: values that the rules of a policy ask for.
internal import Base

/// Lists, pushes and removes conditions.
struct ConditionsVerb {
    let context: ClientContext

    func list() throws(ClientFailure) -> ExitStatus {
        let page = try context.get("/v1/conditions")
        var rows = [["NAME", "VALUE", "UNTIL", "SOURCE", "USED BY"]]
        for condition in page["data"]?.arrayValue ?? [] {
            if context.isJSON {
                try context.say(condition)
                continue
            }
            rows.append(row(condition))
        }
        guard !context.isJSON else { return .done }
        for line in Printable.table(rows, width: context.terminal.outputColumns) {
            try context.terminal.say(line)
        }
        return .done
    }

    /// Pushes a value.
    func set() throws(ClientFailure) -> ExitStatus {
        let value = context.arguments.operands[1]
        var body: JSONObject = [
            "value": ConditionsVerb.value(value), "source": "lull conditions set",
        ]
        if let text = context.arguments["--ttl"].last {
            do throws(QuantityError) {
                let span = try DurationText.parse(text)
                body["ttl_seconds"] = .integer(span.wholeMicroseconds / 1_000_000)
            } catch {
                throw .usage("--ttl: \(error)")
            }
        }
        let condition = try context.change("PUT", path, body: .object(body))
        if context.isJSON {
            try context.say(condition)
            return .done
        }
        let cells = row(condition)
        let until = cells[2] == "-" ? "" : " until \(cells[2])"
        try context.terminal.say("\(cells[0]) is \(cells[1])\(until)")
        return .done
    }

    /// Removes what was pushed, so that the default counts.
    func remove() throws(ClientFailure) -> ExitStatus {
        _ = try context.change("DELETE", path)
        try context.terminal.say("\(context.arguments.operands[0]) has its default again")
        return .done
    }

    private var path: String {
        "/v1/conditions/" + Request.encoded(context.arguments.operands[0])
    }

    /// A number, true or false, or a word.
    private static func value(_ text: String) -> JSON {
        switch text {
        case "true": return true
        case "false": return false
        default: break
        }
        guard let number = Double(text), number.isFinite else { return .string(text) }
        return Int64(text).map { .integer($0) } ?? .number(number)
    }

    private func row(_ condition: JSON) -> [String] {
        let value = condition["value"] ?? .null
        let unit = condition["unit"]?.stringValue.map { " \($0)" } ?? ""
        let size = unit == " bytes" ? value.integerValue.map { NumberText.size($0) } : nil
        let until = condition["expires_at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        let users = condition["used_by"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return [
            condition["name"]?.stringValue ?? "",
            condition["is_known"] == false
                ? "unknown" : size ?? (value.stringValue ?? value.text) + unit,
            until.map { context.clock.show($0) } ?? "-",
            condition["source"]?.stringValue ?? "-", users.joined(separator: ", "),
        ].map { Printable.text($0) }
    }
}
