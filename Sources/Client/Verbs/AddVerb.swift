// `lull add`: new downloads.
internal import Base

/// Queues downloads in batches of up to a thousand, each completely or not at all.
struct AddVerb {
    /// The most downloads of a batch.
    private static let batchAtMost = 1000
    private static let listBytesAtMost = 64 << 20

    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        var urls = arguments.operands
        if let file = arguments["--input"].last {
            guard let bytes = FileText.bytes(of: file, atMost: AddVerb.listBytesAtMost) else {
                throw .usage("--input: \(file) cannot be read")
            }
            urls += AddVerb.lines(String(decoding: bytes, as: UTF8.self))
        }
        guard !urls.isEmpty else { throw .usage("lull add needs a URL, or a list with --input") }
        var members = try DownloadOptions(arguments: arguments, clock: context.clock).members()
        let query = arguments.has("--dry-run") ? [(name: "dry_run", value: "true")] : []
        guard urls.count > 1 else {
            members["url"] = .string(urls[0])
            try show(
                try context.post("/v1/downloads", body: .object(members), query: query).json())
            return .done
        }
        for start in stride(from: 0, to: urls.count, by: AddVerb.batchAtMost) {
            let part = urls[start..<min(start + AddVerb.batchAtMost, urls.count)]
            let body: JSON = [
                "defaults": .object(members),
                "downloads": .array(part.map { ["url": .string($0)] }),
            ]
            let answer = try context.post("/v1/downloads/batch", body: body, query: query).json()
            for document in answer["data"]?.arrayValue ?? [] { try show(document) }
        }
        return .done
    }

    /// The lines of a list, without empty ones and comments that begin with `#`.
    static func lines(_ text: String) -> [String] {
        text.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
            .map { $0.drop { $0 == " " || $0 == "\t" } }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .map { line in
                var line = line
                while line.last == " " || line.last == "\t" { line.removeLast() }
                return String(line)
            }
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
