// `lull edit`: changes to downloads.
internal import Base

/// Changes downloads, if they did not change since they were read.
struct EditVerb {
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
            try context.terminal.say("\(id)")
            let old = try before.json()
            for name in members.members.map(\.key) {
                let (left, right) = (old[name] ?? .null, after[name] ?? .null)
                guard left != right else { continue }
                try context.terminal.say("  \(name): \(text(left)) -> \(text(right))")
            }
            let dropped = after["dropped"]?.arrayValue?.compactMap(\.stringValue) ?? []
            if !dropped.isEmpty {
                try context.terminal.say(
                    "  removed: \(dropped.joined(separator: ", ")), because they were given for "
                        + "another origin")
            }
        }
        return .done
    }

    private func text(_ value: JSON) -> String {
        guard let string = value.stringValue else { return Printable.text(value.text) }
        return Timestamp(rfc3339: string).map { context.clock.show($0) } ?? Printable.text(string)
    }
}
