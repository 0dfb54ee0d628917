// `lull save`: contents of finished downloads as files on this machine.
internal import Base

/// Writes the contents of downloads into a folder, each completely or not at all.
///
/// A file that has the bytes already is left alone, so the same command again does nothing.
final class SaveVerb {
    private static let atOnce = 4

    private let context: ClientContext
    private let folder: String
    private let saver: ContentSaver
    private var counts = (saved: 0, there: 0, open: 0, failed: 0)

    /// Reads the options.
    ///
    /// - Throws: `ClientFailure` for values that cannot be.
    init(_ context: ClientContext) throws(ClientFailure) {
        self.context = context
        folder = context.arguments["--directory"].last ?? ""
        saver = ContentSaver(context, atOnce: try context.jobs(SaveVerb.atOnce))
    }

    func run() throws(ClientFailure) -> ExitStatus {
        let filter = try DownloadFilter(context.arguments)
        let ids = context.arguments.operands
        guard ids.isEmpty != filter.isEmpty else {
            throw .usage(
                ids.isEmpty
                    ? "lull save needs an ID, or a filter such as --session"
                    : "give identifiers of downloads or a filter, not both")
        }
        try LocalName.makeFolder(folder)
        for id in ids { try take(try context.get(ClientContext.path(id)), isNamed: true) }
        if ids.isEmpty {
            var query = filter.query + [(name: "order", value: "created_at")]
            let versions = try versions()
            // A look that has failed has no file that somebody waits for.
            if versions != nil, !context.arguments.has("--state") {
                query.append(("state", "succeeded"))
            }
            _ = try context.list(filter.path, query: query) { document throws(ClientFailure) in
                guard let versions else { return try take(document, isNamed: false) }
                // A look that found no change has no file of its own.
                guard let id = document["id"]?.stringValue, versions.contains(id) else { return }
                try take(document, isNamed: false)
            }
        }
        while !saver.isIdle {
            try saver.step(end)
            if saver.isIdle { break }
            try context.transport.turn(upTo: .seconds(1))
            context.terminal.drawOften { columns in
                saver.bars.map { $0.line(columns: columns) }
            }
        }
        context.terminal.clearProgress()
        sum()
        return counts.open + counts.failed > 0 ? .failed : .done
    }

    /// The downloads of the versions, or of the items, of the named source; nil if none was named.
    private func versions() throws(ClientFailure) -> Set<String>? {
        guard let source = context.arguments["--source"].last else { return nil }
        var found: Set<String> = []
        let path = "/v1/sources/" + Request.encoded(source)
        // The files of a feed are those of its items.
        let part = try context.get(path)["kind"] == "feed" ? "/items" : "/versions"
        _ = try context.list(path + part) {
            version throws(ClientFailure) in
            if let id = version["download"]?.stringValue { found.insert(id) }
        }
        return found
    }

    /// Takes a download that was selected; says why it has no content.
    private func take(_ document: JSON, isNamed: Bool) throws(ClientFailure) {
        guard let view = DownloadView(document) else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        guard view.state == "succeeded" else {
            counts.open += 1
            return context.terminal.note("\(view.id) \(view.name) \(view.sentence(context.clock))")
        }
        let state = document["content"]?["state"]?.stringValue
        if state == "released", !isNamed { return counts.there += 1 }
        // Of a source only the versions that it keeps are held.
        if context.arguments.has("--source"), state != "held", state != "leased" { return }
        guard state == "held" || state == "leased" || state == "released" else {
            counts.failed += 1
            return context.terminal.note(
                "\(view.id) \(view.name) has no content any more: it is \(state ?? "gone")")
        }
        saver.add(ContentSaver.Item(view: view, document: document, folder: folder))
    }

    private func end(
        _ item: ContentSaver.Item, _ outcome: ContentSaver.Outcome
    ) throws(ClientFailure) {
        switch outcome {
        case .failed(let failure):
            counts.failed += 1
            return context.terminal.note("\(item.view.id) \(item.view.name): \(failure)")
        case .isThere: counts.there += 1
        case .saved(let path):
            counts.saved += 1
            try context.isJSON ? context.say(item.document) : context.terminal.say(path)
        }
        let isReleased = item.document["content"]?["state"] == "released"
        if context.arguments.has("--release"), !isReleased { context.release(item.view.id) }
    }

    private func sum() {
        let parts = [
            (counts.saved, "saved"), (counts.there, "there already"),
            (counts.open, "not ready"), (counts.failed, "failed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard counts.saved + counts.there + counts.open + counts.failed != 1 else { return }
        context.terminal.note(
            parts.isEmpty ? "no download matches" : "files: " + parts.joined(separator: ", "))
    }
}
