// `lull get`: files on this machine, fetched by the service.
internal import Base

/// Queues a download, follows it, and writes its content completely or not at all.
struct GetVerb {
    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let operands = arguments.operands
        guard arguments.has("--input") || operands.count > 1 else {
            guard let operand = operands.first else {
                throw .usage("lull get needs a URL, the ID of a download, or a list with --input")
            }
            return try get(operand)
        }
        guard !arguments.has("--output") else {
            throw .usage("-o names one file: several go to a folder, which -d names")
        }
        return try GetListVerb(context).run()
    }

    private func get(_ operand: String) throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let output = arguments["--output"].last
        if output == "-", context.terminal.outputIsTerminal {
            throw .usage("content is not printed on a terminal; name a file with -o")
        }
        let deadline = try context.deadline()
        let folder = arguments["--directory"].last ?? ""
        try LocalName.makeFolder(folder)
        let named = output ?? arguments["--filename"].last.map { LocalName.safe($0) }
        let isStored = ClientContext.isDownload(operand)
        let likely = named ?? LocalName.safe(DownloadView.fileName(ofURL: operand))
        let path = output == "-" ? "-" : LocalName.path(likely, in: folder)
        if path != "-", !isStored || named != nil {
            try ContentFile.check(path, overwrites: arguments.has("--overwrite"))
        }
        let record = GetRecord(
            url: operand, name: named, in: LocalName.folder(of: path), context)
        let keepsRecord = !isStored && path != "-"
        let document =
            isStored
            ? try context.get(ClientContext.path(operand))
            : try begun(operand, keepsRecord ? record : nil)
        guard let view = DownloadView(document) else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        let status: ExitStatus
        do throws(ClientFailure) {
            status = try fetch(
                view.id, to: named == nil && path != "-" ? nil : path, folder, until: deadline)
        } catch {
            guard error.status == .interrupted else { throw error }
            context.terminal.note(
                "\(view.id) stays at the service: the same command goes on with it; or lull watch "
                    + "\(view.id), lull cancel \(view.id)")
            throw error
        }
        if keepsRecord, status == .done || status == .failed { record.remove() }
        return status
    }

    /// The document of the download that an earlier command began, or of a new one.
    private func begun(_ url: String, _ record: GetRecord?) throws(ClientFailure) -> JSON {
        if let id = record?.id, let document = try context.ifPresent(ClientContext.path(id)),
            let view = DownloadView(document), view.state != "failed", view.state != "canceled"
        {
            context.terminal.note("\(id) is there already, and goes on")
            return document
        }
        var members = try DownloadOptions(arguments: context.arguments, clock: context.clock)
            .members()
        members["url"] = .string(url)
        let document = try context.post("/v1/downloads", body: .object(members)).json()
        if let id = document["id"]?.stringValue { try record?.write(id) }
        return document
    }

    /// Follows a download, and writes its content.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - path: where to write it; nil for the name of the download in the folder.
    ///   - folder: the folder.
    ///   - deadline: by `SystemClock.bootNanoseconds`; nil for none.
    /// - Returns: the exit status.
    /// - Throws: `ClientFailure` where the content cannot be had or written.
    private func fetch(
        _ id: String, to path: String?, _ folder: String, until deadline: Int64?
    ) throws(ClientFailure) -> ExitStatus {
        let follower = DownloadFollower(context, [id], printsEvents: false)
        guard let view = try follower.run(until: deadline)?.first,
            let document = follower.document(id)
        else {
            context.terminal.note(
                "\(id) did not end in time and continues at the service: lull watch \(id)")
            return .timeOver
        }
        guard view.state == "succeeded" else {
            if view.state == "attention_required" {
                context.terminal.note("change it with lull edit \(id), then lull resume \(id)")
            }
            return ExitStatus(ofState: view.state) ?? .failed
        }
        let written =
            if let path {
                try write(view, document, to: path)
            } else {
                try save(view, document, in: folder)
            }
        if context.releases(context.arguments.operands[0]) { context.release(id) }
        if written == "-" { return .done }
        try context.isJSON ? context.say(document) : context.terminal.say(written)
        return .done
    }

    private func write(
        _ view: DownloadView, _ document: JSON, to path: String
    ) throws(ClientFailure) -> String {
        let overwrites = context.arguments.has("--overwrite")
        let file = try ContentFile(path, overwrites: overwrites, of: view)
        try ContentFetch(context: context, view: view).run(into: file)
        if !context.arguments.has("--no-mtime"),
            let modified = document.lastModified(now: context.now)
        {
            file.setModified(modified)
        }
        guard try file.place(sha256: view.sha256, overwrites: overwrites) else {
            throw .usage("\(path) exists: name another file with -o, or use --overwrite")
        }
        return path
    }

    /// Writes the content under the name of the download; another one where a file has it.
    private func save(
        _ view: DownloadView, _ document: JSON, in folder: String
    ) throws(ClientFailure) -> String {
        let saver = ContentSaver(context, atOnce: 1)
        saver.add(ContentSaver.Item(view: view, document: document, folder: folder))
        var path = ""
        while true {
            try saver.step { _, outcome throws(ClientFailure) in
                switch outcome {
                case .saved(let found), .isThere(let found): path = found
                case .failed(let failure): throw failure
                }
            }
            guard !saver.isIdle else { break }
            try context.transport.turn(upTo: .seconds(1))
            context.terminal.drawOften { columns in saver.bars.map { $0.line(columns: columns) } }
        }
        context.terminal.clearProgress()
        return path
    }
}
