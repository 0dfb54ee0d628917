// `lull sources`: files that are looked at again and again.
internal import Base
internal import Platform

/// Lists, shows and changes sources.
struct SourcesVerb {
    /// The rows that are printed without `--all`.
    private static let rowsAtMost = 50
    private static let looksShown = 10

    let context: ClientContext

    func list() throws(ClientFailure) -> ExitStatus {
        let text = SourceText(clock: context.clock)
        var rows = [["NAME", "STATE", "NEXT LOOK", "LAST LOOK", "LOOKS", "URL"]]
        let most = context.arguments.has("--all") ? nil : SourcesVerb.rowsAtMost
        var found: [JSON] = []
        let isCut = try context.list("/v1/sources", most: most) {
            source throws(ClientFailure) in found.append(source)
        }
        for source in found {
            let name = source["identifier"]?.stringValue ?? ""
            if context.isJSON {
                try context.say(source)
            } else if context.arguments.has("--quiet") {
                try context.terminal.say(Printable.text(name))
            } else {
                // The list of the service has no looks.
                let look = try lastLook(name)
                rows.append(
                    [
                        name, source["state"]?.stringValue ?? "",
                        text.instant(source["next_look_at"]).map { context.clock.show($0) } ?? "-",
                        look.map { SourceText.outcome($0) } ?? "-",
                        ScheduleWords.text(source["schedule"] ?? .null),
                        source["url"]?.stringValue ?? "",
                    ].map { Printable.text($0) })
            }
        }
        if rows.count > 1 { try table(rows) }
        if isCut { context.terminal.note("there are more: lull sources --all") }
        return .done
    }

    func show() throws(ClientFailure) -> ExitStatus {
        let source = try context.get(path())
        let looks = try context.get(
            path("/looks"), query: [("limit", "\(SourcesVerb.looksShown)")])
        if context.isJSON {
            try context.say(source)
            for look in looks["data"]?.arrayValue ?? [] { try context.say(look) }
            return .done
        }
        let text = SourceText(clock: context.clock)
        try say(source)
        for line in text.settings(of: source) + text.situation(of: source) {
            try context.terminal.say(line)
        }
        let rows = (looks["data"]?.arrayValue ?? []).map { text.look($0) }
        guard !rows.isEmpty else { return .done }
        try context.terminal.say("  looks")
        for line in Printable.table(rows, width: context.terminal.outputColumns) {
            try context.terminal.say("    \(line)")
        }
        return .done
    }

    /// Merges members into a source.
    func set() throws(ClientFailure) -> ExitStatus {
        var patch = JSONObject()
        for text in context.arguments.operands.dropFirst() {
            guard let place = text.firstIndex(of: "="), place != text.startIndex else {
                throw .usage("\"\(text)\" is not MEMBER=VALUE")
            }
            let name = String(text[..<place])
            let value = String(text[text.index(after: place)...])
            switch name {
            case "schedule" where !value.hasPrefix("{"):
                let words = try ScheduleWords.schedule(value, zone: context.zoneName)
                patch["schedule"] = .object(words)
            case "keep" where !value.hasPrefix("{") && !value.isEmpty:
                patch["keep"] = try ScheduleWords.keep(
                    value.split(separator: ",").map(String.init))
            default:
                let parts = name.split(separator: ".").map(String.init)
                let member = try SizeMember.value(parts.last ?? "", value)
                SourcesVerb.merge(
                    member ?? SessionsVerb.value(value), at: parts[...], into: &patch)
            }
        }
        let before = try context.get(path())
        let source = try context.change("PATCH", path(), body: .object(patch))
        if context.isJSON {
            try context.say(source)
            return .done
        }
        let isSame = before["version"] == source["version"]
        try context.terminal.say("\(name) \(isSame ? "is as it was" : "has changed")")
        let dropped = source["dropped"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if !dropped.isEmpty {
            try context.terminal.say(
                "  removed: \(dropped.joined(separator: ", ")), because they were given for "
                    + "another origin")
        }
        let text = SourceText(clock: context.clock)
        for line in text.settings(of: source) { try context.terminal.say(line) }
        return .done
    }

    /// Suspends or resumes sources.
    func act(_ action: String) throws(ClientFailure) -> ExitStatus {
        for name in context.arguments.operands {
            let source = try context.change("POST", path(name, "/" + action))
            if context.isJSON {
                try context.say(source)
            } else {
                try say(source)
            }
        }
        return .done
    }

    func remove() throws(ClientFailure) -> ExitStatus {
        for name in context.arguments.operands {
            _ = try context.change("DELETE", path(name, ""))
            try context.terminal.say("\(Printable.text(name)) removed; its downloads stay")
        }
        return .done
    }

    func versions() throws(ClientFailure) -> ExitStatus {
        let text = SourceText(clock: context.clock)
        var rows = [["VERSION", "DOWNLOAD", "SIZE", "SEEN", "SHA256"]]
        let most = context.arguments.has("--all") ? nil : SourcesVerb.rowsAtMost
        let isCut = try context.list(path("/versions"), most: most) {
            version throws(ClientFailure) in
            if context.isJSON {
                try context.say(version)
            } else if context.arguments.has("--quiet") {
                try context.terminal.say(version["download"]?.stringValue ?? "")
            } else {
                rows.append(text.version(version))
            }
        }
        if rows.count > 1 { try table(rows, right: [0, 2]) }
        if isCut { context.terminal.note("there are more: lull sources versions \(name) --all") }
        return .done
    }

    /// Prints the known items of a feed.
    func items() throws(ClientFailure) -> ExitStatus {
        let text = SourceText(clock: context.clock)
        var rows = [["PUBLISHED", "DOWNLOAD", "TITLE"]]
        let most = context.arguments.has("--all") ? nil : SourcesVerb.rowsAtMost
        let isCut = try context.list(path("/items"), most: most) { item throws(ClientFailure) in
            if context.isJSON { return try context.say(item) }
            guard context.arguments.has("--quiet") else { return rows.append(text.item(item)) }
            if let id = item["download"]?.stringValue { try context.terminal.say(id) }
        }
        if rows.count > 1 { try table(rows) }
        if isCut { context.terminal.note("there are more: lull sources items \(name) --all") }
        return .done
    }

    /// Looks now; with `--wait`, prints what the look found.
    func look() throws(ClientFailure) -> ExitStatus {
        let deadline = try context.deadline()
        let before = context.arguments.has("--wait") ? try lastLook(name) : nil
        let source = try context.post(path("/look"), body: nil).json()
        guard context.arguments.has("--wait") else {
            if context.isJSON {
                try context.say(source)
            } else {
                try context.terminal.say("\(name) looks now")
            }
            return .done
        }
        while true {
            // A look that ran before is not the one; it may be one that was due anyway.
            if let look = try lastLook(name), look["outcome"]?.stringValue != nil,
                look["begun_at"] != before?["begun_at"]
            {
                return try say(found: look)
            }
            if let deadline, SystemClock.bootNanoseconds() >= deadline { return .timeOver }
            try context.transport.pause(.milliseconds(300))
        }
    }

    /// The last look that has begun.
    private func lastLook(_ name: String) throws(ClientFailure) -> JSON? {
        let looks = try context.get(path(name, "/looks"), query: [("limit", "20")])
        return looks["data"]?.arrayValue?.first { $0["begun_at"]?.stringValue != nil }
    }

    private func say(found look: JSON) throws(ClientFailure) -> ExitStatus {
        if context.isJSON {
            try context.say(look)
        } else {
            let id = look["download"]?.stringValue.map { ", \($0)" } ?? ""
            try context.terminal.say(Printable.text("\(name) \(SourceText.outcome(look))\(id)"))
        }
        switch look["outcome"]?.stringValue {
        case "changed", "unchanged_304", "unchanged_digest": return .done
        default: return .failed
        }
    }

    private var name: String { context.arguments.operands[0] }

    private func path(_ part: String = "") -> String { path(name, part) }

    private func path(_ name: String, _ part: String) -> String {
        "/v1/sources/" + Request.encoded(name) + part
    }

    /// Prints the name and the state of a source.
    private func say(_ source: JSON) throws(ClientFailure) {
        let words = ["identifier", "state"].compactMap { source[$0]?.stringValue }
        try context.terminal.say(Printable.text(words.joined(separator: " ")))
    }

    private func table(
        _ rows: [[String]], right: Set<Int> = []
    ) throws(ClientFailure) {
        let width = context.terminal.outputColumns
        for line in Printable.table(rows, right: right, width: width) {
            try context.terminal.say(line)
        }
    }

    /// Puts a value at a place of an object, and makes the objects on the way.
    private static func merge(
        _ value: JSON, at path: ArraySlice<String>, into object: inout JSONObject
    ) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            object[first] = value
            return
        }
        var inner = object[first]?.objectValue ?? JSONObject()
        merge(value, at: path.dropFirst(), into: &inner)
        object[first] = .object(inner)
    }
}
