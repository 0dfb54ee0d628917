// The events of the journal and of one download, as pages or as streams.
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints of events.
final class EventEndpoints: EndpointGroup {
    private let reader: DownloadReader
    private let journal: Journal

    /// Creates the group with the values that its endpoints use.
    init(reader: DownloadReader) {
        self.reader = reader
        journal = reader.downloads.journal
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/downloads/{id}/events", "listDownloadEvents", scope: .readDownloads,
                query: EventRequest.parameters, headers: [.lastEventID],
                answers: [.events, .empty(204)], .later(listOfDownload)),
            Route(
                "GET", "/v1/uploads/{id}/events", "listUploadEvents", scope: .readUploads,
                query: EventRequest.parameters, headers: [.lastEventID],
                answers: [.events, .empty(204)], .later(listOfDownload)),
            Route(
                "GET", "/v1/events", "listEvents", scope: .readDownloads,
                query: EventRequest.parameters + ["session"], headers: [.lastEventID],
                answers: [.events], .later(list)),
        ]
    }

    /// `GET /v1/events`.
    func list(_ call: Call) async throws(Problem) -> Response {
        let asked = try EventRequest(call, journal.names)
        let query = JournalQuery(
            scope: .app(call.app, session: asked.session), events: asked.events)
        guard asked.isStream else { return try await page(asked, query, call) }
        var (place, isGone) = try await start(asked, call)
        var opening = EventText.retry
        if place == nil, !isGone {
            // Without an id to send back, a client that reconnects would miss events.
            let end = try await call.stored { () throws(StoreError) in try await journal.end() }
            opening += EventText.place(end, journal.names)
            place = end
        }
        let progress = try await begin(query, after: place, isGone: isGone, call)
        return stream(asked, query, progress, opening: opening, call)
    }

    /// `GET /v1/downloads/{id}/events`.
    func listOfDownload(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let asked = try EventRequest(call, journal.names)
        // The state is read first: if it is the last one, its event is found below.
        let record = try await reader.find(id, call)
        var query = JournalQuery(scope: .download(id), events: asked.events)
        guard asked.isStream else { return try await page(asked, query, call) }
        query.events = .all
        let (place, isGone) = try await start(asked, call)
        let progress = try await begin(query, after: place, isGone: isGone, call)
        if progress.page.events.isEmpty, record.download.state.isTerminal {
            return Response(status: 204)
        }
        return stream(asked, query, progress, opening: EventText.retry, call)
    }

    /// The place at which to begin.
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
            let place = try await call.stored { () throws(StoreError) in
                try await journal.locate(event, app: call.app)
            }
            return (place, place == nil)
        }
    }

    private func begin(
        _ query: JournalQuery, after place: JournalPosition?, isGone: Bool, _ call: Call
    ) async throws(Problem) -> EventStream.Progress {
        let mark = journal.mark
        var page = try await call.stored { () throws(StoreError) in
            try await journal.read(query, after: place, limit: EventStream.pageEvents)
        }
        if isGone { page = page.behindGap }
        return EventStream.Progress(place: place, mark: mark, page: page)
    }

    private func stream(
        _ asked: EventRequest, _ query: JournalQuery, _ progress: EventStream.Progress,
        opening: String, _ call: Call
    ) -> Response {
        let stream = EventStream(
            journal: journal, query: query, shown: asked.events, view: asked.view,
            end: asked.wait.map { .now + $0 }, report: { call.report($0.description) },
            reading: journal.reading(JournalQuery(scope: query.scope, events: asked.events)),
            listener: asked.wantsProgress ? journal.listen(in: query.scope) : nil,
            call: call)
        let headers = [
            ("Content-Type", EventText.mediaType), ("Cache-Control", "no-store"),
            // Without this nginx would keep the events until its buffer is full.
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
        // A held page ends because of progress only if `types` names it.
        let isHeld =
            asked.events != .all && asked.events.contains(.progress) && asked.wait ?? .zero > .zero
        let listener = isHeld ? journal.listen(in: query.scope) : nil
        // A long poll counts as listening while it is held, and for a time after its answer.
        let reading = asked.wait ?? .zero > .zero ? journal.reading(query) : nil
        call.key?.enter()
        defer { call.key?.leave() }
        await reading?.begin(at: place)
        do throws(Problem) {
            let (response, end) = try await held(
                asked, query, from: place, isGone: isGone, until: deadline, listener, call)
            await reading?.delivered(end)
            await reading?.end(lingering: EventEndpoints.lingering)
            return response
        } catch {
            await reading?.end(lingering: .zero)
            throw error
        }
    }

    /// The time for which a client counts as listening after the answer to a long poll.
    private static let lingering = Duration.seconds(5)

    /// A page as soon as there are events, or when the time is over, and the place behind it.
    private func held(
        _ asked: EventRequest, _ query: JournalQuery, from place: JournalPosition?, isGone: Bool,
        until deadline: ContinuousClock.Instant, _ listener: ProgressListener?, _ call: Call
    ) async throws(Problem) -> (Response, JournalPosition?) {
        while true {
            if let problem = await call.keyRefusal() { throw problem }
            let news = listener?.take()
            let mark = journal.mark
            var page = try await call.stored { () throws(StoreError) in
                try await journal.read(query, after: place, limit: asked.limit + 1)
            }
            if isGone { page = page.behindGap }
            let left = deadline - ContinuousClock.now
            let isEnding = reader.isDraining() || Task.isCancelled
            let isPage =
                !page.events.isEmpty || page.gap != nil || page.resumption != nil
            if !isPage, let news, !news.notes.isEmpty {
                return (json(news.notes.prefix(asked.limit), asked.view, after: place), place)
            }
            guard !isPage, left > .zero, !isEnding else {
                let events = page.events.prefix(asked.limit)
                return (
                    json(page, asked, after: place, call),
                    events.last?.position ?? place
                )
            }
            try await call.stored { () throws(StoreError) in
                try await journal.wait(
                    past: mark, in: query.scope, listener: listener, soon: false,
                    upTo: min(left, .seconds(1)))
            }
        }
    }

    /// A page of the progress of running downloads, without events of the journal.
    private func json(
        _ notes: ArraySlice<ProgressNote>, _ view: DownloadView, after place: JournalPosition?
    ) -> Response {
        let place = journal.names.cursor(place ?? JournalPosition(transaction: 0, number: 0))
        var body = Array("{\"data\":[".utf8)
        for (number, note) in notes.enumerated() {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            body += "{\"id\":null,\"cursor\":\"\(place)\",".utf8
            body += note.body(view).dropFirst()
        }
        let ending =
            "],\"cursor\":\"\(place)\",\"next_cursor\":null,\"truncated\":false,"
            + "\"gap\":false}\n"
        body += ending.utf8
        let headers = [
            ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
            ("Vary", "Accept"),
        ]
        return Response(status: 200, headers: headers, body: .bytes(body))
    }

    private func json(
        _ page: JournalPage, _ asked: EventRequest, after place: JournalPosition?, _ call: Call
    ) -> Response {
        let names = journal.names
        let events = page.events.prefix(asked.limit)
        let isFull = page.events.count > asked.limit
        let next = isFull ? events.last?.position : page.resumption
        let isTruncated = !isFull && next != nil
        // The data is stored as text and sent unchanged, as in a webhook.
        var body = Array("{\"data\":[".utf8)
        for (place, event) in events.enumerated() {
            if place > 0 { body.append(UInt8(ascii: ",")) }
            let cursor = names.cursor(event.position)
            body += "{\"id\":\"\(event.message.id)\",\"cursor\":\"\(cursor)\",".utf8
            body += event.message.body(for: call.presentGrant, asked.view).dropFirst()
        }
        let start = place ?? JournalPosition(transaction: 0, number: 0)
        let end = names.cursor(next ?? events.last?.position ?? page.gap ?? start)
        let nextCursor = next.map(names.cursor)
        let cursor = nextCursor.map { "\"\($0)\"" } ?? "null"
        let ending =
            "],\"cursor\":\"\(end)\",\"next_cursor\":\(cursor),\"truncated\":\(isTruncated),"
            + "\"gap\":\(page.gap != nil)}\n"
        body += ending.utf8
        var headers = [
            ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
            ("Vary", "Accept"),
        ]
        if let nextCursor {
            headers.append(
                ("Link", "<\(asked.path(call.request.path, after: nextCursor))>; rel=\"next\""))
        }
        return Response(status: 200, headers: headers, body: .bytes(body))
    }
}

extension RouteAnswer {
    /// Events as a page of JSON, or as a stream.
    fileprivate static let events = RouteAnswer(
        status: 200, types: [MediaType.json, EventText.mediaType])
}

extension JournalPage {
    /// The page for a reader whose place is no longer kept: with a gap.
    fileprivate var behindGap: JournalPage {
        JournalPage(
            events: events, gap: gap ?? JournalPosition(transaction: 0, number: 0),
            resumption: resumption)
    }
}

extension EventRequest {
    /// The path and query of the page behind an event.
    func path(_ path: String, after cursor: String) -> String {
        var path = path + "?limit=\(limit)&after=\(cursor)"
        if let names = events.names { path += "&types=" + names.joined(separator: ",") }
        if let session { path += "&session=" + session }
        if view == .row { path += "&view=row" }
        return path
    }
}
