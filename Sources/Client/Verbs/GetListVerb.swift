// `lull get` of several files: those of a list, or of several operands.
internal import Base

/// Queues the downloads of a list, follows them, and writes each content as it is ready.
final class GetListVerb {
    private static let atOnce = 4

    private let context: ClientContext
    private let folder: String
    private let saver: ContentSaver
    private var entries: [String: DownloadList.Entry] = [:]
    private var failures = 0
    private var isCalled = false
    private var saved = 0

    /// Reads the options.
    ///
    /// - Throws: `ClientFailure` for values that cannot be.
    init(_ context: ClientContext) throws(ClientFailure) {
        self.context = context
        folder = context.arguments["--directory"].last ?? ""
        saver = ContentSaver(context, atOnce: try context.jobs(GetListVerb.atOnce))
    }

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let deadline = try context.deadline()
        let file = arguments["--input"].last
        var list = arguments.operands.enumerated().map { place, url in
            DownloadList.Entry(line: file == nil ? place + 1 : 0, url: url)
        }
        if let file { list += try DownloadList(file: file).entries }
        guard !list.isEmpty else { throw ClientFailure("the list has no URL", .usage) }
        let members = try DownloadOptions(arguments: arguments, clock: context.clock).members()
        try LocalName.makeFolder(folder)
        let (ids, new) = try known(list)
        var order = ids
        let batches = DownloadBatches(
            context: context, members: members, file: file.map { DownloadList.name(of: $0) })
        do throws(ClientFailure) {
            try batches.create(new) { entry, document throws(ClientFailure) in
                guard let id = document["id"]?.stringValue else { return }
                try record(of: entry).write(id)
                entries[id] = entry
                order.append(id)
            }
            guard try follow(order, until: deadline) else {
                context.terminal.note(
                    "some downloads have not ended in time: the same command goes on with them")
                return .timeOver
            }
        } catch {
            guard error.status == .interrupted else { throw error }
            context.terminal.note(
                "the downloads stay at the service: the same command goes on with them")
            throw error
        }
        if failures > 0 { return .failed }
        return isCalled ? .needsYou : .done
    }

    private func record(of entry: DownloadList.Entry) -> GetRecord {
        GetRecord(url: entry.url, name: entry.name, in: folder, context)
    }

    /// Sorts the list: the downloads that an earlier command began, and new ones.
    ///
    /// Files that are there are left out.
    private func known(
        _ list: [DownloadList.Entry]
    ) throws(ClientFailure) -> (ids: [String], new: [DownloadList.Entry]) {
        var (ids, new): ([String], [DownloadList.Entry]) = ([], [])
        var present = 0
        for entry in list {
            if let id = record(of: entry).id,
                let document = try context.ifPresent(ClientContext.path(id)),
                let view = DownloadView(document), view.state != "failed",
                view.state != "canceled", entries[id] == nil
            {
                entries[id] = entry
                ids.append(id)
                continue
            }
            let name = LocalName.safe(entry.name ?? DownloadView.fileName(ofURL: entry.url))
            let path = LocalName.path(name, in: folder)
            guard LocalFile.facts(path) == nil || context.arguments.has("--overwrite") else {
                present += 1
                continue
            }
            new.append(entry)
        }
        if !ids.isEmpty { context.terminal.note("\(ids.count) are there already, and go on") }
        if present > 0 {
            context.terminal.note(
                "\(present) files exist and are left alone; --overwrite replaces them")
        }
        return (ids, new)
    }

    private func follow(
        _ order: [String], until deadline: Int64?
    ) throws(ClientFailure) -> Bool {
        guard !order.isEmpty else { return true }
        let follower = DownloadFollower(context, order, filter: .all, printsEvents: false)
        follower.total = { [weak self] in self?.total(of: order.count) ?? "" }
        follower.bars = { [weak self] in self?.saver.bars ?? [] }
        let views = try follower.run(
            until: deadline,
            beside: { view, document throws(ClientFailure) in
                try take(view, document)
            },
            work: { () throws(ClientFailure) -> Bool in
                try saver.step(end)
                return !saver.isIdle
            })
        return views != nil
    }

    /// Takes a download that has ended or needs somebody.
    private func take(_ view: DownloadView, _ document: JSON) throws(ClientFailure) {
        guard let entry = entries[view.id] else { return }
        switch view.state {
        case "succeeded":
            saver.add(
                ContentSaver.Item(
                    view: view, document: document, folder: folder, name: entry.name))
        case "attention_required": isCalled = true
        default:
            failures += 1
            record(of: entry).remove()
        }
    }

    private func end(
        _ item: ContentSaver.Item, _ outcome: ContentSaver.Outcome
    ) throws(ClientFailure) {
        switch outcome {
        case .failed(let failure):
            failures += 1
            context.terminal.note("\(item.view.id) \(item.view.name): \(failure)")
            return
        case .isThere(let path), .saved(let path):
            saved += 1
            try context.isJSON ? context.say(item.document) : context.terminal.say(path)
        }
        if context.releases("") { context.release(item.view.id) }
        if let entry = entries[item.view.id] { record(of: entry).remove() }
    }

    private func total(of count: Int) -> String {
        "\(saved) of \(count) files, \(NumberText.size(saver.savedBytes))"
    }
}
