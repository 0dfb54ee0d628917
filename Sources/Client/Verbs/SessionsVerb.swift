// `lull sessions`: configurations that downloads share.
internal import Base

/// Lists, shows and changes sessions.
struct SessionsVerb {
    let context: ClientContext

    func list() throws(ClientFailure) -> ExitStatus {
        let page = try context.get("/v1/sessions")
        var rows = [["NAME", "STATE", "VERSION", "CONFIGURATION"]]
        for session in page["data"]?.arrayValue ?? [] {
            if context.isJSON {
                try context.say(session)
                continue
            }
            if context.arguments.has("--quiet") {
                try context.terminal.say(Printable.text(session["identifier"]?.stringValue ?? ""))
                continue
            }
            let version = session["version"]?.integerValue ?? 0
            rows.append([
                Printable.text(session["identifier"]?.stringValue ?? ""),
                session["state"]?.stringValue ?? "", "\(version)",
                SessionsVerb.configuration(session),
            ])
        }
        guard !context.isJSON, !context.arguments.has("--quiet") else { return .done }
        let width = context.terminal.outputColumns
        for line in Printable.table(rows, right: [2], width: width) {
            try context.terminal.say(line)
        }
        return .done
    }

    func show() throws(ClientFailure) -> ExitStatus {
        try say(try context.get(path()))
    }

    /// Merges members into the configuration of a session, or creates the session.
    func set() throws(ClientFailure) -> ExitStatus {
        var members = JSONObject()
        for text in context.arguments.operands.dropFirst() {
            guard let place = text.firstIndex(of: "="), place != text.startIndex else {
                throw .usage("\"\(text)\" is not MEMBER=VALUE")
            }
            let value = String(text[text.index(after: place)...])
            let name = String(text[..<place])
            members[name] = try SizeMember.value(name, value) ?? SessionsVerb.value(value)
        }
        let body = JSON.object(members)
        do throws(ClientFailure) {
            return try say(try context.change("PATCH", path(), body: body))
        } catch {
            guard error.isAbsent else { throw error }
            return try say(try context.change("PUT", path(), body: body))
        }
    }

    /// Suspends or resumes a session.
    func act(_ action: String) throws(ClientFailure) -> ExitStatus {
        try say(try context.change("POST", path("/" + action)))
    }

    /// Ends a session.
    func remove() throws(ClientFailure) -> ExitStatus {
        let mode =
            context.arguments.has("--cancel")
            ? "cancel" : context.arguments.has("--finish") ? "finish" : nil
        let query = mode.map { [(name: "mode", value: $0)] } ?? []
        let answer: JSON
        do throws(ClientFailure) {
            answer = try context.change("DELETE", path(), query: query)
        } catch {
            guard mode == nil, error.description.contains("session-not-empty") else { throw error }
            throw error.adding("; --finish lets them end first, --cancel cancels them")
        }
        let name = context.arguments.operands[0]
        guard !answer.isNull else {
            try context.terminal.say("\(Printable.text(name)) is over")
            return .done
        }
        return try say(answer)
    }

    /// Parses the value of a member: a number, true, false, a list or an object as JSON, a size or
    /// a duration in its usual form, nothing for the default, and any other text as a string.
    static func value(_ text: String) -> JSON {
        if text.isEmpty { return .null }
        do throws(JSONError) {
            return try JSON.parse(text)
        } catch {
            return .string(text)
        }
    }

    private func path(_ part: String = "") -> String {
        "/v1/sessions/" + Request.encoded(context.arguments.operands[0]) + part
    }

    private func say(_ session: JSON) throws(ClientFailure) -> ExitStatus {
        if context.isJSON {
            try context.say(session)
            return .done
        }
        let name = session["identifier"]?.stringValue ?? ""
        let state = session["state"]?.stringValue ?? ""
        try context.terminal.say(Printable.text("\(name) \(state)"))
        try context.terminal.say("  configuration  \(SessionsVerb.configuration(session))")
        let counts = (session["counts"]?.objectValue?.members ?? []).filter { $0.value != 0 }
        if !counts.isEmpty {
            let text = counts.map { "\($0.value.text) \($0.key)" }.joined(separator: ", ")
            try context.terminal.say("  downloads      \(Printable.text(text))")
        }
        if let delay = session["wake"]?["delay_seconds"]?.integerValue, delay > 0 {
            try context.terminal.say("  wake delay     \(NumberText.span(.seconds(delay)))")
        }
        return .done
    }

    /// The configuration in the form that `lull sessions set` takes.
    private static func configuration(_ session: JSON) -> String {
        let members = (session["configuration"]?.objectValue?.members ?? []).filter {
            !$0.value.isNull && $0.value != .object(JSONObject())
        }
        let words = members.map { name, value in
            let text = SizeMember.text(name, value) ?? value.stringValue ?? value.text
            return "\(name)=\(text)"
        }
        return Printable.text(words.joined(separator: " "))
    }
}
