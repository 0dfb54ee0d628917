// `lull cat`: content on standard output.

/// Writes the content of a download that has succeeded to standard output.
struct CatVerb {
    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let id = context.arguments.operands[0]
        guard !context.terminal.outputIsTerminal else {
            throw .usage("content is not printed on a terminal; add | COMMAND or > FILE")
        }
        let document = try context.get(ClientContext.path(id))
        guard let view = DownloadView(document) else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        guard view.state == "succeeded" else {
            throw ClientFailure("\(id) has no content: it is \(view.sentence(context.clock))")
        }
        let file = try ContentFile("-", overwrites: true, of: view)
        try ContentFetch(context: context, view: view).run(into: file)
        _ = try file.place(sha256: view.sha256, overwrites: true)
        return .done
    }
}
