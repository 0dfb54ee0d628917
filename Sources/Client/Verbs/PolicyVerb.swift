// `lull policy show`, `try` and `set`: the rules for when discretionary work may run.
internal import Base

/// Reads, tries and replaces the policy of the service.
struct PolicyVerb {
    private static let bytesAtMost = 4 << 20

    let context: ClientContext

    func show() throws(ClientFailure) -> ExitStatus {
        let answer = try context.get("/v1/policy")
        try context.say(context.isJSON ? answer : answer["document"] ?? answer)
        return .done
    }

    /// Shows the effect that a document would have on waiting downloads.
    func attempt() throws(ClientFailure) -> ExitStatus {
        let answer = try context.post("/v1/policy/try", body: try document()).json()
        if context.isJSON {
            try context.say(answer)
            return .done
        }
        for finding in answer["findings"]?.arrayValue ?? [] { try say(finding) }
        let counts = ["sooner", "later", "otherwise", "unchanged"].map { name in
            "\(answer["counts"]?[name]?.integerValue ?? 0) \(name)"
        }
        let judged = answer["judged"]?.integerValue ?? 0
        let isWhole = answer["is_whole"]?.boolValue ?? true
        let whole = isWhole ? "" : ", and there are more downloads than were judged"
        try context.terminal.say(
            "of \(judged) waiting downloads: \(counts.joined(separator: ", "))\(whole)")
        for change in answer["changes"]?.arrayValue ?? [] {
            let id = change["id"]?.stringValue ?? ""
            try context.terminal.say(
                "  \(id): \(side(change["before"])) -> \(side(change["after"]))")
        }
        return .done
    }

    /// Puts a document in force if the version that was read is still current.
    func set() throws(ClientFailure) -> ExitStatus {
        let document = try document()
        var request = Request("GET", "/v1/policy")
        request.timeout = .seconds(60)
        let etag = try context.transport.send(request)["etag"]
        let answer = try context.change("PUT", "/v1/policy", body: document, match: etag)
        if context.isJSON {
            try context.say(answer)
            return .done
        }
        for finding in answer["findings"]?.arrayValue ?? [] { try say(finding) }
        let version = answer["version"]?.integerValue.map { "version \($0)" } ?? "it"
        try context.terminal.say("\(version) is in force")
        return .done
    }

    private func document() throws(ClientFailure) -> JSON {
        let path = context.arguments.operands[0]
        context.transport.words = PlaceWords(context.arguments.command, file: path)
        guard let bytes = FileText.bytes(of: path, atMost: PolicyVerb.bytesAtMost) else {
            throw .usage("\(path) cannot be read")
        }
        do throws(JSONError) {
            return try JSON.parse(bytes)
        } catch {
            throw .usage("\(path): \(error)")
        }
    }

    private func say(_ finding: JSON) throws(ClientFailure) {
        let place = finding["pointer"]?.stringValue.map { PlaceWords.member($0) }
        let words = [finding["level"]?.stringValue, place, finding["detail"]?.stringValue]
            .compactMap(\.self)
        try context.terminal.say(Printable.text(words.joined(separator: " ")))
    }

    private func side(_ side: JSON?) -> String {
        if let until = side?["until"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }) {
            return context.clock.show(until)
        }
        let codes = (side?["blockers"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
        return codes.isEmpty ? "now" : Printable.text(codes.joined(separator: ", "))
    }
}
