// `lull add`: new downloads.
internal import Base

/// Queues downloads in batches of up to a thousand, each completely or not at all.
struct AddVerb {
    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let file = arguments["--input"].last
        var entries = arguments.operands.enumerated().map { place, url in
            DownloadList.Entry(line: file == nil ? place + 1 : 0, url: url)
        }
        if let file { entries += try DownloadList(file: file).entries }
        guard !entries.isEmpty else {
            throw .usage("lull add needs a URL, or a list with --input")
        }
        var members = try DownloadOptions(arguments: arguments, clock: context.clock).members()
        let query = arguments.has("--dry-run") ? [(name: "dry_run", value: "true")] : []
        if entries.count == 1 {
            for (name, value) in entries[0].members.members { members[name] = value }
            try show(
                try context.post("/v1/downloads", body: .object(members), query: query).json())
            return .done
        }
        let batches = DownloadBatches(
            context: context, members: members, file: file.map { DownloadList.name(of: $0) })
        try batches.create(entries, query: query) { _, document throws(ClientFailure) in
            try show(document)
        }
        return .done
    }

    private func show(_ document: JSON) throws(ClientFailure) {
        if context.isJSON { return try context.say(document) }
        guard let view = DownloadView(document) else { return }
        let isDry = context.arguments.has("--dry-run")
        // Output that is not a terminal is read by a program, which wants identifiers.
        let isForPeople = context.terminal.outputIsTerminal && !context.arguments.has("--quiet")
        guard isForPeople || isDry else { return try context.terminal.say(view.id) }
        let note = isDry ? "would be " : ""
        try context.terminal.say("\(view.id) \(note)\(view.sentence(context.clock))")
    }
}
