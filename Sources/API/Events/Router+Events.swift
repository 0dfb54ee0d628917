// The journal and one download's events, as pages or as streams.
internal import Core
internal import HTTPWire
internal import Store

extension Router {
    private var journal: Journal { dependencies.store.downloads.journal }

    /// `GET /v1/events`.
    func listEvents(_ call: Call) async throws(Problem) -> Response {
        let asked = try EventRequest(call)
        let query = JournalQuery(
            scope: .app(dependencies.settings.app, session: asked.session), types: asked.types)
        guard asked.isStream else { return try await page(asked, query, call) }
        var (place, isGone) = try await start(asked, call)
        var opening = EventText.retry
        if place == nil, !isGone {
            // Without an id that it could send, a client that was cut off would lose what came.
            let end = try await stored(call) { () throws(StoreError) in try await journal.end() }
            opening += EventText.place(end)
            place = end
        }
        let progress = try await begin(query, after: place, isGone: isGone, call)
        return stream(asked, query, progress, opening: opening, call)
    }

    /// `GET /v1/downloads/{id}/events`.
    func listDownloadEvents(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let asked = try EventRequest(call)
        // The state first: if it is the last one, its event is found below.
        let record = try await download(id, call)
        var query = JournalQuery(scope: .download(id), types: asked.types)
        guard asked.isStream else { return try await page(asked, query, call) }
        query.types = []
        let (place, isGone) = try await start(asked, call)
        let progress = try await begin(query, after: place, isGone: isGone, call)
        if progress.page.events.isEmpty, record.download.state.isTerminal {
            return Response(status: 204)
        }
        return stream(asked, query, progress, opening: EventText.retry, call)
    }

    /// Where the reader wants to begin.
    ///
    /// - Returns: the place, and whether the event that named it is gone: then everything that is
    ///   kept follows, behind a gap.
    private func start(
        _ asked: EventRequest, _ call: Call
    ) async throws(Problem) -> (place: JournalPosition?, isGone: Bool) {
        switch asked.after {
        case nil: return (nil, false)
        case .cursor(let position): return (position, false)
        case .event(let event):
            let place = try await stored(call) { () throws(StoreError) in
                try await journal.locate(event, app: dependencies.settings.app)
            }
            return (place, place == nil)
        }
    }

    private func begin(
        _ query: JournalQuery, after place: JournalPosition?, isGone: Bool, _ call: Call
    ) async throws(Problem) -> EventStream.Progress {
        let mark = journal.mark
        var page = try await stored(call) { () throws(StoreError) in
            try await journal.read(query, after: place, limit: EventStream.pageEvents)
        }
        if isGone { page = page.behindGap }
        return EventStream.Progress(place: place, mark: mark, page: page)
    }

    private func stream(
        _ asked: EventRequest, _ query: JournalQuery, _ progress: EventStream.Progress,
        opening: String, _ call: Call
    ) -> Response {
        let (id, report) = (call.id, dependencies.report)
        let stream = EventStream(
            journal: journal, query: query, shown: asked.types,
            end: asked.wait.map { .now + $0 }, report: { report(id, $0.description) },
            listener: asked.wantsProgress ? journal.listen(in: query.scope) : nil)
        let headers = [
            ("Content-Type", EventText.mediaType), ("Cache-Control", "no-store"),
            // nginx would keep the events until its buffer is full.
            ("X-Accel-Buffering", "no"), ("Vary", "Accept"),
        ]
        return Response(
            status: 200, headers: headers,
            body: .stream(
                BodyStream { await stream.run(progress, opening: opening, to: $0) }))
    }

    private func page(
        _ asked: EventRequest, _ query: JournalQuery, _ call: Call
    ) async throws(Problem) -> Response {
        let deadline = ContinuousClock.now + (asked.wait ?? .zero)
        let (place, isGone) = try await start(asked, call)
        // A page that is held ends with the first bytes only if they were asked for by name.
        let isHeld = asked.types.contains(.progress) && asked.wait ?? .zero > .zero
        let listener = isHeld ? journal.listen(in: query.scope) : nil
        while true {
            let news = listener?.take()
            let mark = journal.mark
            var page = try await stored(call) { () throws(StoreError) in
                try await journal.read(query, after: place, limit: asked.limit + 1)
            }
            if isGone { page = page.behindGap }
            let left = deadline - ContinuousClock.now
            let isEnding = dependencies.worker.isDraining() || Task.isCancelled
            let isPage = !page.events.isEmpty || page.gap != nil
            if !isPage, let news, !news.notes.isEmpty {
                return json(news.notes.prefix(asked.limit), after: place)
            }
            guard !isPage, left > .zero, !isEnding else {
                return json(page, asked, path: call.request.path)
            }
            try await stored(call) { () throws(StoreError) in
                try await journal.wait(
                    past: mark, in: query.scope, listener: listener, soon: false,
                    upTo: min(left, .seconds(1)))
            }
        }
    }

    /// How far downloads are: a page without events of the journal, whose place is where it began.
    private func json(
        _ notes: ArraySlice<ProgressNote>, after place: JournalPosition?
    ) -> Response {
        let place = place ?? JournalPosition(transaction: 0, number: 0)
        var body = Array("{\"data\":[".utf8)
        for (number, note) in notes.enumerated() {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            body += "{\"id\":null,\"cursor\":\"\(place.text)\",".utf8
            body += note.body.dropFirst()
        }
        body += "],\"next_cursor\":null,\"gap\":false}\n".utf8
        let headers = [
            ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
            ("Vary", "Accept"),
        ]
        return Response(status: 200, headers: headers, body: .bytes(body))
    }

    private func json(_ page: JournalPage, _ asked: EventRequest, path: String) -> Response {
        let events = page.events.prefix(asked.limit)
        let next = page.events.count > asked.limit ? events.last?.position : nil
        // The data is stored as text and sent as it is, like in a webhook.
        var body = Array("{\"data\":[".utf8)
        for (place, event) in events.enumerated() {
            if place > 0 { body.append(UInt8(ascii: ",")) }
            let names = "{\"id\":\"\(event.message.id)\",\"cursor\":\"\(event.position.text)\","
            body += names.utf8
            body += event.message.body.dropFirst()
        }
        let cursor = next.map { "\"\($0.text)\"" } ?? "null"
        body += "],\"next_cursor\":\(cursor),\"gap\":\(page.gap != nil)}\n".utf8
        var headers = [
            ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
            ("Vary", "Accept"),
        ]
        if let next {
            headers.append(("Link", "<\(asked.path(path, after: next))>; rel=\"next\""))
        }
        return Response(status: 200, headers: headers, body: .bytes(body))
    }
}

extension JournalPage {
    /// The same for a reader whose place is not known any more.
    fileprivate var behindGap: JournalPage {
        JournalPage(events: events, gap: gap ?? JournalPosition(transaction: 0, number: 0))
    }
}

extension EventRequest {
    /// The path and query of the page behind an event.
    func path(_ path: String, after position: JournalPosition) -> String {
        var path = path + "?limit=\(limit)&after=\(position.text)"
        if !types.isEmpty {
            let names = EventType.allCases.filter(types.contains).map(\.name)
            path += "&types=" + names.joined(separator: ",")
        }
        if let session { path += "&session=" + session }
        return path
    }
}
