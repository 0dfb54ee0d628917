// Fetching the content of one download while nothing else happens.
/// Fetches content into a file.
struct ContentFetch {
    let context: ClientContext
    let view: DownloadView

    /// Fetches all bytes, with a bar on a terminal.
    ///
    /// - Throws: `ClientFailure` where it cannot be had.
    func run(into file: ContentFile) throws(ClientFailure) {
        let transfer = ContentTransfer(context, view, into: file)
        defer { context.terminal.clearProgress() }
        while try !transfer.step() {
            try context.transport.turn(upTo: .seconds(1))
            context.terminal.drawOften { columns in [transfer.bar.line(columns: columns)] }
        }
    }
}
