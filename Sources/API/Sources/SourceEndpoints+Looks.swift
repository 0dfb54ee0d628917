// The looks of sources: suspended, resumed, asked for, and read.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension SourceEndpoints {
    var lookRoutes: [Route] {
        [
            action("suspend", "suspendSource", 200, suspend),
            action("resume", "resumeSource", 200, resume),
            action("look", "lookAtSource", 202, query: ["refetch"], look),
            Route(
                "GET", "/v1/sources/{identifier}/looks", "listLooks", scope: .readDownloads,
                query: ["limit", "cursor"], answers: [.json()], .later(listLooks)),
            Route(
                "GET", "/v1/sources/{identifier}/versions", "listVersions", scope: .readDownloads,
                query: ["limit", "cursor"], answers: [.json()], .later(listVersions)),
            Route(
                "GET", "/v1/sources/{identifier}/items", "listItems", scope: .readDownloads,
                query: ["limit", "cursor"], answers: [.json()], .later(listItems)),
        ]
    }

    private func action(
        _ name: String, _ operation: String, _ status: Int, query: [Parameter] = [],
        _ work: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) -> Route {
        Route(
            "POST", "/v1/sources/{identifier}/\(name)", operation, scope: .writeDownloads,
            query: query, headers: .conditions, body: [MediaType.json], answers: [.json(status)],
            idempotency: .aroundWork, unread: SourceEndpoints.unread, .later(work))
    }

    /// `POST /v1/sources/{identifier}/suspend`: a running look goes on.
    func suspend(_ call: Call) async throws(Problem) -> Response {
        try await move(call, status: 200) { timetable, _ in timetable.suspend() }
    }

    /// `POST /v1/sources/{identifier}/resume`: instants that have passed get no look.
    func resume(_ call: Call) async throws(Problem) -> Response {
        try await move(call, status: 200) { timetable, now in timetable.resume(at: now) }
    }

    /// `POST /v1/sources/{identifier}/look`: looks now, or when the running look has ended; with
    /// `refetch` the file of a known item is fetched once more.
    func look(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sourceIdentifier(call)
        let record = try await find(identifier, call)
        if let key = call.query["refetch"] { return try await refetch(key, record, call) }
        guard !record.timetable.isSuspended else {
            throw Problem(
                .sourceConflict,
                "The source \"\(identifier)\" is suspended. POST to its resume before it looks.")
        }
        return try await move(call, status: 202) { timetable, now in
            _ = timetable.ask(at: now)
        }
    }

    private func move(
        _ call: Call, status: Int,
        _ body: @escaping @Sendable (inout SourceTimetable, Timestamp) -> Void
    ) async throws(Problem) -> Response {
        try call.expectNoDocument()
        let identifier = try sourceIdentifier(call)
        let conditions = call.conditions
        let change = try await call.stored { () throws(StoreError) in
            try await sources.move(
                identifier, app: call.app,
                where: { conditions.judge(ShownSource.representation($0)) == .holds }, body)
        }
        let record = try done(change, identifier, call)
        worker.looksChanged()
        return try await resource(record, call, status: status)
    }

    /// `GET /v1/sources/{identifier}/looks`: the latest first.
    func listLooks(_ call: Call) async throws(Problem) -> Response {
        let record = try await find(try sourceIdentifier(call), call)
        let (limit, before) = try page(call)
        let looks = try await call.stored { () throws(StoreError) in
            try await sources.looks(of: record.number, before: before, limit: limit)
        }
        return SourceEndpoints.page(
            looks.map { ShownSource.json($0) },
            next: looks.count == limit ? looks.last?.number : nil)
    }

    /// `GET /v1/sources/{identifier}/versions`: the latest first.
    func listVersions(_ call: Call) async throws(Problem) -> Response {
        let record = try await find(try sourceIdentifier(call), call)
        let (limit, before) = try page(call)
        let versions = try await call.stored { () throws(StoreError) in
            try await sources.versions(of: record.number, before: before, limit: limit)
        }
        return SourceEndpoints.page(
            versions.map { ShownSource.json($0) },
            next: versions.count == limit ? versions.last?.number : nil)
    }

    /// `GET /v1/sources/{identifier}/items`: the latest first.
    func listItems(_ call: Call) async throws(Problem) -> Response {
        let record = try await find(try sourceIdentifier(call), call)
        let (limit, before) = try page(call)
        let items = try await call.stored { () throws(StoreError) in
            try await sources.items(of: record.number, before: before, limit: limit)
        }
        return SourceEndpoints.page(
            items.map { ShownSource.json($0) },
            next: items.count == limit ? items.last?.number : nil)
    }

    /// Makes the download of a known item again; the list of items names the new one.
    private func refetch(
        _ key: String, _ source: SourceRecord, _ call: Call
    ) async throws(Problem) -> Response {
        try call.expectNoDocument()
        _ = try call.conditions.check(ShownSource.representation(source))
        let item = try await call.stored { () throws(StoreError) in
            try await sources.item(of: source.number, key: key)
        }
        guard let item else {
            throw Problem(
                .notFound,
                "The source \"\(source.identifier)\" knows no item with this key. GET its items "
                    + "for the known ones.")
        }
        var new = try await looks.item(
            try looks.template(of: source), item.url, source.spec, of: source.identifier,
            number: source.known.items, call)
        try call.grant.expectUploads(for: new.download.shared.value.relay)
        try await downloads.quota.expectRoom(for: 1, call)
        new.item = ItemClaim(SourceItem(item), of: source, by: nil)
        let (made, intake) = (new, downloads.intake)
        let claim = try await downloads.remembering(source.spec.session, call) {
            () throws(Problem) in
            try await call.stored { () throws(StoreError) in
                try await intake.submit(made, idempotency: nil)
            }
        }
        guard case .mine = claim else {
            throw Problem(
                .preconditionFailed,
                "The source was changed meanwhile, and nothing was fetched. Send the request "
                    + "again.")
        }
        downloads.wake(for: [new])
        return try await resource(source, call, status: 202)
    }

    private func page(_ call: Call) throws(Problem) -> (limit: Int, before: Int64?) {
        let limit = try call.query.integer("limit", in: 1...200) ?? 50
        guard let text = call.query["cursor"] else { return (limit, nil) }
        guard let before = Int64(text), before > 0, String(before) == text else {
            throw .invalid("?cursor", "must be a next_cursor that this list gave")
        }
        return (limit, before)
    }

    private static func page(_ items: [JSONObject], next: Int64?) -> Response {
        .json([
            "data": .array(items.map { .object($0) }),
            "next_cursor": next.map { .string("\($0)") } ?? .null,
        ])
    }
}
