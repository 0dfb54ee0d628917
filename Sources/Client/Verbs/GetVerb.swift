// `lull get`: a file on this machine, fetched by the service.
internal import Base

/// Queues a download, follows it, and writes its content completely or not at all.
struct GetVerb {
    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let url = arguments.operands[0]
        let path = arguments["--output"].last ?? DownloadView.fileName(ofURL: url)
        if path == "-", context.terminal.outputIsTerminal {
            throw .usage("content is not printed on a terminal; name a file with -o")
        }
        let overwrites = arguments.has("--overwrite")
        let deadline = try context.deadline()
        let file = try ContentFile(path, overwrites: overwrites)
        var members = try DownloadOptions(arguments: arguments, clock: context.clock).members()
        members["url"] = .string(url)
        let created = try context.post("/v1/downloads", body: .object(members)).json()
        guard let view = DownloadView(created) else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        do throws(ClientFailure) {
            return try fetch(view.id, into: file, path, overwrites: overwrites, until: deadline)
        } catch {
            guard error.status == .interrupted else { throw error }
            context.terminal.note(
                "\(view.id) continues at the service: lull watch \(view.id), or lull cancel "
                    + "\(view.id)"
            )
            throw error
        }
    }

    private func fetch(
        _ id: String, into file: ContentFile, _ path: String, overwrites: Bool,
        until deadline: Int64?
    ) throws(ClientFailure) -> ExitStatus {
        let follower = DownloadFollower(context, [id], printsEvents: false)
        guard let view = try follower.run(until: deadline)?.first else {
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
        try ContentFetch(context: context, view: view).run(into: file)
        let modified = follower.document(id).flatMap(modified)
        if !context.arguments.has("--no-mtime"), let modified { file.setModified(modified) }
        try file.place(sha256: view.sha256, overwrites: overwrites)
        if !context.arguments.has("--keep") { release(id) }
        if context.isJSON, let document = follower.document(id) {
            if path != "-" { try context.say(document) }
        } else if path != "-" {
            try context.terminal.say(path)
        }
        return .done
    }

    /// The modification time that the origin reported; nil for none, and for one in the future.
    private func modified(_ document: JSON) -> Timestamp? {
        guard let text = document["response"]?["last_modified"]?.stringValue,
            let modified = Timestamp(httpDate: text, now: context.now), modified <= context.now
        else { return nil }
        return modified
    }

    /// Releases the content on the service once it is here; if that fails, it expires there.
    private func release(_ id: String) {
        do throws(ClientFailure) {
            _ = try context.change("DELETE", ClientContext.path(id, "/content"))
        } catch {
            context.terminal.note(
                "the content is still at the service, because it could not be released: \(error)")
        }
    }
}
