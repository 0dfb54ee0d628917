// The life of a session: suspend, resume, foreground, end, and attach.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension SessionEndpoints {
    var lifeRoutes: [Route] {
        [
            Route(
                "DELETE", "/v1/sessions/{identifier}", "deleteSession", scope: .writeDownloads,
                query: ["mode"], headers: .conditions, answers: [.empty(204), .json(202)],
                isLong: true, unread: SessionEndpoints.unread, .later(end)),
            action("suspend", "suspendSession", suspend),
            action("resume", "resumeSession", resume),
            action("foreground", "enterForeground", foreground),
            action("force_quit", "forceQuitSession", forceQuit),
            Route(
                "POST", "/v1/sessions/{identifier}/attach", "attachSession", scope: .readDownloads,
                query: ["limit", "cursor"], body: [MediaType.json], answers: [.json()],
                isLong: true, .later(attach)),
        ]
    }

    private func action(
        _ name: String, _ operation: String,
        _ work: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) -> Route {
        Route(
            "POST", "/v1/sessions/{identifier}/\(name)", operation, scope: .writeDownloads,
            headers: .conditions, body: [MediaType.json], answers: [.json()],
            idempotency: .aroundWork, isLong: name == "force_quit",
            unread: SessionEndpoints.unread, .later(work))
    }

    /// `POST /v1/sessions/{identifier}/suspend`.
    func suspend(_ call: Call) async throws(Problem) -> Response {
        try await move(call, isSuspended: true)
    }

    /// `POST /v1/sessions/{identifier}/resume`.
    func resume(_ call: Call) async throws(Problem) -> Response {
        try await move(call, isSuspended: false)
    }

    private func move(_ call: Call, isSuspended: Bool) async throws(Problem) -> Response {
        try call.expectNoDocument()
        let identifier = try sessionIdentifier(call)
        let conditions = call.conditions
        let change = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.suspend(
                app: call.app, identifier: identifier, isSuspended,
                where: { conditions.judge(ShownSession.representation($0)) == .holds })
        }
        let (record, stopping) = try done(change, identifier, call)
        for id in stopping { worker.orderPlaced(id, .yield) }
        if !isSuspended { worker.hint() }
        return try await resource(record, call, status: 200)
    }

    /// `POST /v1/sessions/{identifier}/foreground`.
    func foreground(_ call: Call) async throws(Problem) -> Response {
        let record = try await noted(isForeground: true, call)
        worker.hint()
        worker.sessionsChanged()
        return try await resource(try await find(record.identifier, call), call, status: 200)
    }

    /// `POST /v1/sessions/{identifier}/force_quit`.
    func forceQuit(_ call: Call) async throws(Problem) -> Response {
        let record = try await noted(isForeground: false, call)
        let suspended = try await suspendSources(of: record.identifier, call)
        try await cancelAll(of: record.identifier, because: .forceQuit, call)
        return try await resource(
            try await find(record.identifier, call), call, status: 200, suspended: suspended)
    }

    /// Suspends the sources whose looks belong to a session that has ended, or whose client has.
    private func suspendSources(
        of session: String, _ call: Call
    ) async throws(Problem) -> [String] {
        try await call.stored { () throws(StoreError) in
            try await downloads.sources.suspend(ofSession: session, app: call.app)
        }
    }

    /// Notes whether the client of a session is in the foreground.
    private func noted(
        isForeground: Bool, _ call: Call
    ) async throws(Problem) -> SessionRecord {
        try call.expectNoDocument()
        let record = try await conditioned(call)
        try await call.stored { () throws(StoreError) in
            try await downloads.wakes.note(record.key, isForeground: isForeground)
        }
        lookup.cache.forget(app: call.app, identifier: record.identifier)
        return record
    }

    /// `DELETE /v1/sessions/{identifier}`.
    func end(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        let mode = call.query["mode"]
        guard mode == nil || mode == "finish" || mode == "cancel" else {
            throw .invalid("?mode", "must be finish or cancel; or leave it out")
        }
        guard identifier != "default" else {
            throw Problem(
                .sessionConflict,
                "The session \"default\" takes the downloads that name no session, so it cannot be "
                    + "ended.")
        }
        let conditions = call.conditions
        let change = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.end(
                app: call.app, identifier: identifier, mode == nil ? .empty : .finishing,
                where: { conditions.judge(ShownSession.representation($0)) == .holds })
        }
        lookup.cache.forget(app: call.app, identifier: identifier)
        let (record, _) = try done(change, identifier, call)
        let suspended = try await suspendSources(of: identifier, call)
        guard mode != nil else { return Response(status: 204) }
        if mode == "cancel" { try await cancelAll(of: identifier, because: nil, call) }
        worker.hint()
        worker.sessionsChanged()
        return try await resource(record, call, status: 202, suspended: suspended)
    }

    /// `POST /v1/sessions/{identifier}/attach`: returns the live downloads, and the place behind
    /// the acknowledged events.
    func attach(_ call: Call) async throws(Problem) -> Response {
        try call.expectNoDocument()
        let record = try await find(try sessionIdentifier(call), call)
        let limit = try call.query.integer("limit", in: 1...200) ?? 50
        if record.configuration.endsWithClient != nil {
            try await call.stored { () throws(StoreError) in
                try await downloads.clients.attached(to: record.key)
            }
        }
        var after: Identifier?
        if let text = call.query["cursor"] {
            after = Identifier(digits: text)
            if after == nil {
                throw .invalid("?cursor", "must be a next_cursor that this list gave")
            }
        }
        var filter = DownloadFilter()
        filter.isOfUploads = call.grant.scopes.contains(.readUploads) ? nil : false
        filter.session = record.identifier
        filter.states = Set(DownloadState.allCases.filter { !$0.isTerminal })
        let (meant, behind) = (filter, after)
        let page = try await call.stored { () throws(StoreError) in
            try await downloads.list(
                app: call.app, meant, order: .oldestFirst, after: behind, limit: limit + 1)
        }
        let place = try await call.stored { () throws(StoreError) in
            try await downloads.wakes.acknowledged(record.key)
        }
        let records = page.records.prefix(limit)
        let next = page.records.count > limit ? records.last?.download.id : page.resumption
        let now = answers.now()
        var writer = JSONWriter(capacity: 2048 * (records.count + 1))
        writer.beginObject()
        writer.key("data")
        writer.beginArray()
        for record in records {
            record.download.write(
                to: &writer, blockers: answers.blockers(record.download, record.candidate, at: now))
        }
        writer.endArray()
        writer.member("cursor", downloads.journal.names.cursor(place))
        writer.member("next_cursor", next.map { String($0.text.dropFirst(3)) })
        writer.endObject()
        return .json(writer)
    }

    /// A session for which the conditions of the request hold.
    private func conditioned(_ call: Call) async throws(Problem) -> SessionRecord {
        let record = try await find(try sessionIdentifier(call), call)
        _ = try call.conditions.check(ShownSession.representation(record))
        return record
    }

    private func done(
        _ change: SessionChange, _ identifier: String, _ call: Call
    ) throws(Problem) -> (SessionRecord, stopping: [Identifier]) {
        lookup.cache.forget(app: call.app, identifier: identifier)
        switch change {
        case .done(let record, let stopping): return (record, stopping)
        case .refused(let record):
            throw call.conditions.problem(ShownSession.representation(record))
        case .notFound:
            throw Problem(
                .notFound,
                "There is no session \"\(identifier)\". GET /v1/sessions lists the sessions.")
        case .notEmpty:
            throw Problem(
                .sessionNotEmpty,
                "The session has downloads that have not ended. With ?mode=finish it ends after "
                    + "them, with ?mode=cancel they are canceled.")
        case .closing(let record): throw .invalidated(identifier, record.state)
        }
    }

    /// Cancels the live downloads of a session, in steps that are each durable.
    private func cancelAll(
        of identifier: String, because reason: CancelReason?, _ call: Call
    ) async throws(Problem) {
        var filter = DownloadFilter()
        filter.session = identifier
        filter.states = Set(DownloadState.allCases.filter { !$0.isTerminal && $0 != .canceling })
        var last: Identifier?
        repeat {
            let (meant, after) = (filter, last)
            let page = try await call.stored { () throws(StoreError) in
                try await downloads.list(
                    app: call.app, meant, order: .oldestFirst, after: after, limit: 100)
            }
            let ids = page.records.map(\.download.id)
            if !ids.isEmpty {
                let outcomes = try await call.stored { () throws(StoreError) in
                    try await downloads.perform(
                        .cancel, on: ids, app: call.app, because: reason)
                }
                for case .done(let record, let order?) in outcomes {
                    worker.orderPlaced(record.download.id, order)
                }
            }
            last = ids.count == 100 ? ids.last : page.resumption
        } while last != nil
        worker.sessionsChanged()
        worker.flightsChanged()
        worker.delivered()
    }
}
