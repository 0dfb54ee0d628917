// `lull events`: the event journal.
internal import Base

/// Prints events, one a line.
struct EventsVerb {
    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        context.arguments.has("--follow") ? try follow() : try pages()
    }

    private var request: Request {
        let arguments = context.arguments
        let path = arguments.operands.first.map { ClientContext.path($0, "/events") }
        var request = Request("GET", path ?? "/v1/events")
        let types = arguments["--type"]
        if !types.isEmpty { request.query.append(("types", types.joined(separator: ","))) }
        if let session = arguments["--session"].last {
            request.query.append(("session", session))
        }
        if let place = arguments["--since"].last { request.query.append(("after", place)) }
        return request
    }

    private func pages() throws(ClientFailure) -> ExitStatus {
        var request = request
        request.timeout = .seconds(60)
        request.query.append(("limit", "200"))
        var last: String?
        while true {
            let page = try context.transport.send(request).json()
            let events = page["data"]?.arrayValue ?? []
            if page["gap"]?.boolValue == true {
                context.terminal.note("older events were removed at the end of their retention")
            }
            for event in events {
                last = event["cursor"]?.stringValue ?? last
                try say(event, name: event["type"]?.stringValue ?? "event")
            }
            // A page on which no event matches is not the end of the journal.
            guard let next = page["next_cursor"]?.stringValue else { break }
            let isRepeated = request.query.contains { $0.name == "after" && $0.value == next }
            guard !isRepeated else { throw ClientContext.repeatedPage }
            request.query.removeAll { $0.name == "after" }
            request.query.append(("after", next))
        }
        if let last {
            context.terminal.note("to continue after these: lull events --since \(last)")
        }
        return .done
    }

    private func follow() throws(ClientFailure) -> ExitStatus {
        let feed = EventFeed(context.transport, request)
        var isLossNoted = true
        var wasOpen = false
        while true {
            switch try feed.next(upTo: .seconds(60)) {
            case .opened: (isLossNoted, wasOpen) = (false, true)
            case .event(let event):
                // The stream ends behind this event, and the next request is refused with the
                // reason.
                if EventsVerb.endings.contains(event.name) { continue }
                guard event.name != "download.progress" || context.isJSON else { continue }
                if let document = EventsVerb.document(event) {
                    try say(document, name: event.name)
                }
            case .quiet: continue
            case .ended: return .done
            case .lost(let failure):
                guard wasOpen else { throw failure }
                if !isLossNoted { context.terminal.note("\(failure.description); trying again") }
                isLossNoted = true
            }
        }
    }

    /// The types of events after which the key cannot read the stream any more.
    private static let endings: Set<String> = ["unauthorized", "insufficient-scope"]

    /// The document of an event; nil for an event without one.
    static func document(_ event: EventReader.Event) -> JSON? {
        do throws(JSONError) {
            return try JSON.parse(event.data)
        } catch {
            return nil
        }
    }

    private func say(_ event: JSON, name: String) throws(ClientFailure) {
        if context.isJSON { return try context.say(event) }
        let data = event["data"]
        let subject = data?["id"]?.stringValue ?? data?["identifier"]?.stringValue ?? ""
        let at = event["timestamp"]?.stringValue ?? ""
        var line = "\(at) \(name) \(subject)"
        if let view = data.flatMap({ DownloadView($0) }) {
            line += " \(view.name)"
            if let error = view.error { line += ": \(error)" }
        }
        try context.terminal.say(Printable.text(line))
    }
}
