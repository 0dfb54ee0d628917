// `lull every`: a file that is looked at again and again.
internal import Base
internal import Downloads

/// Makes a source, or changes the one of that name.
struct EveryVerb {
    /// The instants that are shown.
    private static let looksShown = 3

    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let url = arguments.operands[1]
        let given = arguments["--name"].last
        let name = given ?? ScheduleWords.name(for: url)
        let path = "/v1/sources/" + Request.encoded(name)
        let document = try document(url)
        let before = try context.ifPresent(path)
        if given == nil, let other = before?["url"]?.stringValue, other != url {
            throw .usage(
                "\(name) looks at \(Printable.text(other)) already; give this one another name "
                    + "with --name")
        }
        let source = try context.change("PUT", path, body: .object(document))
        if context.isJSON {
            try context.say(source)
            return .done
        }
        guard !arguments.has("--quiet") else {
            try context.terminal.say(name)
            return .done
        }
        let isSame = before != nil && before?["version"] == source["version"]
        try context.terminal.say(
            "\(name) "
                + (before == nil ? "is new" : isSame ? "is as it was" : "has changed"))
        let text = SourceText(clock: context.clock)
        for line in text.settings(of: source) { try context.terminal.say(line) }
        try sayLooks(source, name)
        try context.terminal.say("  to see it     lull sources show \(name)")
        try context.terminal.say("  the files     lull save --source \(name)")
        return .done
    }

    /// The document of the source.
    private func document(_ url: String) throws(ClientFailure) -> JSONObject {
        let arguments = context.arguments
        let zone = arguments["--zone"].last
        var schedule = JSONObject()
        let words = try ScheduleWords.schedule(
            arguments.operands[0], zone: zone ?? context.zoneName)
        for (name, value) in words.members where !value.isNull { schedule[name] = value }
        if zone != nil, schedule["cron"] == nil {
            throw .usage("--zone goes with the five fields of cron only")
        }
        schedule["jitter"] = arguments["--jitter"].last.map { .string($0) }
        var document: JSONObject = ["url": .string(url), "schedule": .object(schedule)]
        document["overlap"] = arguments["--overlap"].last.map { .string($0) }
        document["catch_up"] = arguments["--catch-up"].last.map { .string($0) }
        document["keep"] = try ScheduleWords.keep(arguments["--keep"])
        if arguments.has("--feed") { document["kind"] = "feed" }
        if arguments.has("--wake") { document["notify"] = "wake" }
        let template = try DownloadOptions(arguments: arguments, clock: context.clock).members()
        if !template.isEmpty { document["template"] = .object(template) }
        return document
    }

    /// Prints the next looks: the one that the source has, and those behind it.
    private func sayLooks(_ source: JSON, _ name: String) throws(ClientFailure) {
        if source["state"]?.stringValue == "suspended" {
            return try context.terminal.say(
                "  next looks    none: it is suspended; lull sources resume \(name)")
        }
        guard let next = source["next_look_at"]?.stringValue,
            let instant = Timestamp(rfc3339: next)
        else { return try context.terminal.say("  next looks    none") }
        var found = [instant]
        let isLearned = source["schedule"]?["every"] == "auto"
        if !isLearned {
            let body: JSON = [
                "schedule": source["schedule"] ?? .null, "name": .string(name),
                "after": .string(next),
            ]
            let tried = try context.post("/v1/sources/try", body: body).json()
            let instants = tried["instants"]?.arrayValue ?? []
            found += instants.compactMap { $0["at"]?.stringValue }
                .compactMap { Timestamp(rfc3339: $0) }.filter { $0 > instant }
                .prefix(EveryVerb.looksShown - 1)
        }
        let clock = context.clock
        let texts = found.map { $0 <= context.now ? "now" : clock.show($0) }
        try context.terminal.say("  next looks    \(texts.joined(separator: ", "))")
    }
}
