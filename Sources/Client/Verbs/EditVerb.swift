// `lull edit`: changes to downloads.
internal import Base

/// Changes downloads, if they did not change since they were read.
struct EditVerb {
    /// The members whose values are never shown.
    private static let secrets: Set = [
        "authorization", "body", "body_base64", "headers", "destination", "proxy",
    ]

    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        var members = try DownloadOptions(arguments: context.arguments, clock: context.clock)
            .members()
        if context.arguments.has("--now") {
            members["earliest_begin_date"] = .null
            members["is_discretionary"] = false
        }
        guard !members.isEmpty else {
            throw .usage("lull edit needs something to change, such as --priority 0.9")
        }
        for id in context.arguments.operands {
            var request = Request("GET", ClientContext.path(id))
            request.timeout = .seconds(60)
            let before = try context.transport.send(request)
            let after = try context.change(
                "PATCH", ClientContext.path(id), body: .object(members), match: before["etag"])
            if context.isJSON {
                try context.say(after)
                continue
            }
            try say(id, try before.json(), after, members)
        }
        return .done
    }

    /// Prints what has changed, and what still holds the download back where it was to begin now.
    private func say(
        _ id: String, _ old: JSON, _ after: JSON, _ members: JSONObject
    ) throws(ClientFailure) {
        var lines: [String] = []
        for name in members.members.map(\.key) {
            let (left, right) = (old[name] ?? .null, after[name] ?? .null)
            if left != right {
                lines.append("  \(name): \(text(name, left)) -> \(text(name, right))")
            } else if EditVerb.secrets.contains(name) {
                lines.append("  \(name): replaced")
            }
        }
        let dropped = after["dropped"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !dropped.isEmpty {
            lines.append(
                "  removed: \(dropped.joined(separator: ", ")), because they were given for "
                    + "another origin")
        }
        try context.terminal.say(lines.isEmpty ? "\(id) has these values already" : id)
        for line in lines { try context.terminal.say(line) }
        guard context.arguments.has("--now"), let view = DownloadView(after),
            view.state == "waiting", after["blockers"]?[0]?["code"] != "slots"
        else { return }
        try context.terminal.say("  still \(view.sentence(context.clock))")
        if after["blockers"]?[0]?["code"] == "wake_delay" {
            let session = Printable.text(after["session"]?.stringValue ?? "NAME")
            try context.terminal.say(
                "  lull sessions foreground \(session) ends the delay of its session")
        }
    }

    private func text(_ name: String, _ value: JSON) -> String {
        if let size = SizeMember.text(name, value) { return size }
        if value.isNull { return "none" }
        guard let string = value.stringValue else { return Printable.text(value.text) }
        return Timestamp(rfc3339: string).map { context.clock.show($0) } ?? Printable.text(string)
    }
}
