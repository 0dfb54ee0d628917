// Sources: put under the client's name, read, listed, changed, removed.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// The endpoints of sources.
final class SourceEndpoints: EndpointGroup {
    let sources: Sources
    let looks: LookBuilder
    let downloads: DownloadEndpoints
    private let zone: @Sendable (String) -> TimeZoneRules?
    private let leastInterval: Int64

    var worker: WorkerAccess { downloads.worker }

    /// The members of a source for a key that may change it but not read it.
    static let unread = ["identifier", "state"]

    /// Creates the group with the values that its endpoints use.
    ///
    /// - Parameters:
    ///   - sources: the store.
    ///   - looks: the builder of looks, by which templates are judged.
    ///   - downloads: the endpoints of downloads, which store those of items.
    ///   - zone: the rules of a time zone; nil for an unknown name.
    ///   - leastInterval: the least interval of a schedule, in seconds.
    init(
        sources: Sources, looks: LookBuilder, downloads: DownloadEndpoints,
        zone: @escaping @Sendable (String) -> TimeZoneRules?, leastInterval: Int64
    ) {
        (self.sources, self.looks, self.downloads) = (sources, looks, downloads)
        (self.zone, self.leastInterval) = (zone, leastInterval)
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/sources", "listSources", scope: .readDownloads,
                query: ["limit", "cursor"], answers: [.json()], .later(list)),
            Route(
                "GET", "/v1/sources/{identifier}", "getSource", scope: .readDownloads,
                headers: .conditions, answers: [.json(), .notModified], .later(get)),
            Route(
                "PUT", "/v1/sources/{identifier}", "putSource", scope: .writeDownloads,
                headers: .conditions, body: [MediaType.json],
                answers: [.json(200), .json(201)], unread: SourceEndpoints.unread, .later(put)),
            Route(
                "PATCH", "/v1/sources/{identifier}", "changeSource", scope: .writeDownloads,
                headers: .conditions, body: [MediaType.mergePatch, MediaType.json],
                answers: [.json()], unread: SourceEndpoints.unread + ["dropped"], .later(change)),
            Route(
                "DELETE", "/v1/sources/{identifier}", "deleteSource", scope: .writeDownloads,
                headers: .conditions, answers: [.empty(204)], unread: SourceEndpoints.unread,
                .later(remove)),
        ] + lookRoutes
    }

    /// `PUT /v1/sources/{identifier}`.
    func put(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sourceIdentifier(call)
        let spec = try read(try call.document())
        let conditions = call.conditions
        let known = try await known(identifier, call)
        let response = try await store(
            spec, SourceTemplate(spec.template), as: identifier, call
        ) {
            conditions.judge($0.map { known.representation($0) }) == .holds
        }
        guard let response else {
            let current = try await find(identifier, call)
            throw conditions.problem(known.representation(current))
        }
        return response
    }

    /// `PATCH /v1/sources/{identifier}`: a merge patch of the document.
    ///
    /// Secrets that it does not name are kept, unless the URL gets another origin.
    func change(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sourceIdentifier(call)
        let patch = try call.document()
        guard let given = patch.objectValue else { throw .invalid("#", "must be an object") }
        // If another change is committed first, this one is applied again to its result.
        for _ in 0..<8 {
            let old = try await find(identifier, call)
            let known = try await known(identifier, call)
            _ = try call.conditions.check(known.representation(old))
            guard
                let template = SourceTemplate(
                    old.spec, sealed: old.sealed, of: identifier, app: call.app,
                    with: looks.secrets)
            else {
                throw .invalid(
                    "#/template",
                    "cannot be kept, because no encryption key of this service opens it; PUT the "
                        + "whole source")
            }
            var document = old.spec.json
            document["template"] = .object(template.members)
            let spec = try await call.quoting { () throws(Problem) in
                try read(JSON.object(document).merging(patch))
            }
            var merged = SourceTemplate(spec.template)
            let dropped = merged.rebind(
                from: old.spec.url, to: spec.url, given: given["template"]?.objectValue)
            let step = old.step
            let response = try await store(
                spec, merged, as: identifier, call, dropped: dropped
            ) { $0?.step == step }
            if let response { return response }
        }
        throw Problem(
            .preconditionFailed,
            "Nothing was changed, because other requests kept changing the source. Send the "
                + "request again.")
    }

    /// Stores a document; nil if the condition does not hold.
    private func store(
        _ new: SourceSpec, _ template: SourceTemplate, as identifier: String, _ call: Call,
        dropped: [String] = [], where condition: @escaping @Sendable (SourceRecord?) -> Bool
    ) async throws(Problem) -> Response? {
        try template.check(new)
        var download = try await looks.build(template, new, of: identifier, version: 1, call)
        if new.kind == .feed {
            // The items are judged as well, as far as they are known.
            download = try await looks.item(
                template, new.url, new, of: identifier, number: 1, call)
        }
        try call.grant.expectUploads(for: download.download.shared.value.relay)
        var spec = new
        let sealed = template.seal(
            into: &spec, of: identifier, app: call.app, with: looks.secrets)
        let (stored, id) = (spec, looks.makeIdentifier(call.now))
        let outcome = try await call.stored { () throws(StoreError) in
            try await sources.put(
                stored, as: identifier, app: call.app, id: id, sealed: sealed, where: condition)
        }
        switch outcome {
        case .refused: return nil
        case .otherKind(let record):
            throw Problem(
                .sourceConflict,
                "The source \"\(identifier)\" is of the kind \(record.spec.kind.rawValue), which "
                    + "cannot change. DELETE it, or use another name.")
        case .tooMany:
            throw Problem(
                .sourceConflict,
                "This app has \(Sources.countAtMost) sources, which is the limit. Delete one.")
        case .made(let record):
            worker.looksChanged()
            var response = try await resource(record, call, status: 201)
            response.headers.append(("Location", "/v1/sources/" + identifier))
            return response
        case .kept(let record):
            worker.looksChanged()
            return try await resource(record, call, status: 200, dropped: dropped)
        }
    }

    private func read(_ document: JSON) throws(Problem) -> SourceSpec {
        switch SourceSpec.parse(document, leastInterval: leastInterval, zone: zone) {
        case .success(let spec): return spec
        case .failure(let errors): throw .invalid(errors)
        }
    }

    /// `GET /v1/sources`.
    func list(_ call: Call) async throws(Problem) -> Response {
        let limit = try call.query.integer("limit", in: 1...200) ?? 50
        let after = call.query["cursor"]
        if let after, !SessionIdentifier.isValid(after) {
            throw .invalid("?cursor", "must be a next_cursor that this list gave")
        }
        let records = try await call.stored { () throws(StoreError) in
            try await sources.list(app: call.app, after: after, limit: limit)
        }
        let next = records.count == limit ? records.last?.identifier : nil
        return .json([
            "data": .array(records.map { .object(ShownSource(record: $0).json) }),
            "next_cursor": next.map { .string($0) } ?? .null,
        ])
    }

    /// `GET /v1/sources/{identifier}`.
    func get(_ call: Call) async throws(Problem) -> Response {
        let shown = try await shown(try await find(try sourceIdentifier(call), call), call)
        let current = shown.representation
        if try call.conditions.check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return .json(shown.json, headers: [("ETag", current.tag.text)])
    }

    /// `DELETE /v1/sources/{identifier}`: its downloads stay.
    func remove(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sourceIdentifier(call)
        let conditions = call.conditions
        let change = try await call.stored { () throws(StoreError) in
            try await sources.remove(identifier, app: call.app) {
                conditions.judge(ShownSource.representation($0)) == .holds
            }
        }
        _ = try done(change, identifier, call)
        return Response(status: 204)
    }

    /// The source of a change that was done.
    ///
    /// - Throws: `not-found` or `precondition-failed`.
    func done(
        _ change: SourceMove, _ identifier: String, _ call: Call
    ) throws(Problem) -> SourceRecord {
        switch change {
        case .done(let record): return record
        case .refused(let record):
            throw call.conditions.problem(ShownSource.representation(record))
        case .notFound: throw SourceEndpoints.noSource(identifier)
        }
    }

    /// A source of the call's app.
    ///
    /// - Throws: `not-found`.
    func find(_ identifier: String, _ call: Call) async throws(Problem) -> SourceRecord {
        let record = try await call.stored { () throws(StoreError) in
            try await sources.find(app: call.app, identifier: identifier)
        }
        guard let record else { throw SourceEndpoints.noSource(identifier) }
        return record
    }

    private static func noSource(_ identifier: String) -> Problem {
        Problem(.notFound, "There is no source \"\(identifier)\". PUT it here to make it.")
    }

    /// The identifier in the path.
    ///
    /// - Throws: `not-found`.
    func sourceIdentifier(_ call: Call) throws(Problem) -> String {
        let identifier = call.parameters[0]
        guard SessionIdentifier.isValid(identifier) else {
            throw Problem(.notFound, "A source's identifier \(SessionIdentifier.rule).")
        }
        return identifier
    }

    /// A source with its last look.
    func shown(_ record: SourceRecord, _ call: Call) async throws(Problem) -> ShownSource {
        let looks = try await call.stored { () throws(StoreError) in
            try await sources.looks(of: record.number, before: nil, limit: 1)
        }
        return ShownSource(record: record, lastLook: looks.first)
    }

    /// An answer with a source.
    func resource(
        _ record: SourceRecord, _ call: Call, status: Int, dropped: [String] = []
    ) async throws(Problem) -> Response {
        let shown = try await shown(record, call)
        var object = shown.json
        if !dropped.isEmpty { object.append("dropped", .array(dropped.map { .string($0) })) }
        return .json(
            object, status: status, headers: [("ETag", shown.representation.tag.text)])
    }

    /// A source as it was shown right before a change.
    struct KnownSource: Sendable {
        var version: Int64?
        var shown: Representation?

        /// The values with which conditions are compared: the shown ones, as long as the version is
        /// unchanged.
        func representation(_ record: SourceRecord) -> Representation {
            guard record.version == version, let shown else {
                return ShownSource.representation(record)
            }
            return shown
        }
    }

    /// The present form of a source, read only if a condition needs it.
    private func known(
        _ identifier: String, _ call: Call
    ) async throws(Problem) -> KnownSource {
        guard !call.fields(.ifNoneMatch).isEmpty else { return KnownSource() }
        let record = try await call.stored { () throws(StoreError) in
            try await sources.find(app: call.app, identifier: identifier)
        }
        guard let record else { return KnownSource() }
        return KnownSource(
            version: record.version, shown: try await shown(record, call).representation)
    }
}
