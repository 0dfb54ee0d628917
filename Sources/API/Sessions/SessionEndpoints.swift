// Sessions: put under the client's name, read, listed, changed.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints of sessions.
final class SessionEndpoints: EndpointGroup {
    let lookup: SessionLookup
    let sealer: RequestSealer
    let answers: DownloadAnswers
    let worker: WorkerAccess
    private let targets: TargetRules
    private let defaults: DeploymentDefaults

    /// The members of a session for a key that may change it but not read it.
    static let unread = ["identifier", "state"]

    /// The downloads of the sessions.
    var downloads: Downloads { sealer.reader.downloads }

    /// Creates the group with the values that its endpoints use.
    init(
        lookup: SessionLookup, targets: TargetRules, sealer: RequestSealer,
        answers: DownloadAnswers, defaults: DeploymentDefaults, worker: WorkerAccess
    ) {
        self.lookup = lookup
        self.targets = targets
        self.sealer = sealer
        self.answers = answers
        self.defaults = defaults
        self.worker = worker
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/sessions", "listSessions", scope: .readDownloads,
                answers: [.json()], .later(list)),
            Route(
                "GET", "/v1/sessions/{identifier}", "getSession", scope: .readDownloads,
                headers: .conditions, answers: [.json(), .notModified], .later(get)),
            Route(
                "PUT", "/v1/sessions/{identifier}", "putSession", scope: .writeDownloads,
                headers: .conditions, body: [MediaType.json],
                answers: [.json(200), .json(201)], unread: SessionEndpoints.unread,
                .later(put)),
            Route(
                "PATCH", "/v1/sessions/{identifier}", "changeSession", scope: .writeDownloads,
                headers: .conditions, body: [MediaType.mergePatch, MediaType.json],
                answers: [.json()], unread: SessionEndpoints.unread + ["dropped"], .later(change)),
        ] + lifeRoutes
    }

    /// `PUT /v1/sessions/{identifier}`.
    func put(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        let configuration = try read(try call.document())
        let conditions = call.conditions
        let known = try await known(identifier, call)
        let answer = try await store(configuration, as: identifier, call) {
            conditions.judge($0.map { known.representation($0) }) == .holds
        }
        guard let answer else {
            let current = try await lookup.read(identifier, call)
            throw conditions.problem(current.map { known.representation($0) })
        }
        return answer
    }

    /// `PATCH /v1/sessions/{identifier}`: a merge patch of the configuration.
    ///
    /// Secrets that it does not name are kept.
    func change(_ call: Call) async throws(Problem) -> Response {
        let identifier = try sessionIdentifier(call)
        guard let patch = try call.document().objectValue else {
            throw .invalid("#", "must be an object")
        }
        // If another change is committed first, this one is applied again to its result.
        for _ in 0..<8 {
            let old = try await find(identifier, call)
            let known = try await known(identifier, call)
            _ = try call.conditions.check(known.representation(old))
            let (configuration, dropped) = try await call.quoting { () throws(Problem) in
                try await patched(old, by: patch, call)
            }
            let version = old.version
            let answer = try await store(configuration, as: identifier, call, dropped: dropped) {
                $0?.version == version
            }
            if let answer { return answer }
        }
        throw Problem(
            .preconditionFailed,
            "Nothing was changed, because other requests kept changing the session. Send the "
                + "request again.")
    }

    /// The configuration of a session after a patch.
    private func patched(
        _ old: SessionRecord, by patch: JSONObject, _ call: Call
    ) async throws(Problem) -> (SessionConfiguration, dropped: [String]) {
        var shown = JSONObject()
        for (name, value) in patch.members where !SessionEndpoints.secretNames.contains(name) {
            shown.append(name, value)
        }
        if var hook = shown["begin_hook"]?.objectValue {
            for name in ReceiverRequest.members { hook[name] = nil }
            shown["begin_hook"] = .object(hook)
        }
        if var receiver = shown["destination"]?.objectValue {
            for name in ReceiverRequest.members { receiver[name] = nil }
            if var hook = receiver["hook"]?.objectValue {
                for name in ReceiverRequest.members { hook[name] = nil }
                receiver["hook"] = .object(hook)
            }
            shown["destination"] = .object(receiver)
        }
        var merged =
            JSON.object(old.configuration.patchable).merging(.object(shown)).objectValue
            ?? JSONObject()
        var removed: Set<String> = []
        if let headers = patch["http_additional_headers"], !headers.isNull {
            var kept = JSONObject()
            for (name, value) in headers.objectValue?.members ?? [] {
                if value.isNull {
                    removed.insert(name.lowercased())
                } else {
                    kept.append(name, value)
                }
            }
            merged["http_additional_headers"] =
                headers.objectValue == nil ? headers : .object(kept)
        }
        if let tls = patch["tls"], !tls.isNull { merged["tls"] = tls }
        var configuration = try read(.object(merged))
        guard old.configuration.shape != nil else {
            let dropped = try changeReceivers(of: &configuration, from: old, nil, by: patch)
            return (configuration, dropped)
        }
        let bound = try await opened(old, call)
        let reach = SecretReach(configuration.secretOrigins)
        if bound.kept(for: reach) == nil { try expectAnew(old, in: patch) }
        // If an origin is added, the secrets are those of the patch only.
        var secrets = bound.kept(for: reach) ?? SessionSecrets()
        secrets.tls.caPEM = bound.caPEM
        if let headers = patch["http_additional_headers"] {
            let kept = headers.isNull ? [] : secrets.headers
            secrets.headers =
                kept.filter { !removed.contains($0.name.lowercased()) }
                .overridden(by: configuration.secrets?.headers ?? [])
        }
        if patch["tls"] != nil { secrets.tls = configuration.secrets?.tls ?? TLSMaterial() }
        configuration.secrets = secrets.isEmpty ? nil : secrets
        let dropped = try changeReceivers(of: &configuration, from: old, bound, by: patch)
        return (configuration, dropped)
    }

    /// Applies a patch to the headers and credentials for the session's receivers.
    ///
    /// - Returns: the members that were given for another origin and are gone.
    private func changeReceivers(
        of configuration: inout SessionConfiguration, from old: SessionRecord,
        _ bound: BoundSessionSecrets?, by patch: JSONObject
    ) throws(Problem) -> [String] {
        var secrets = configuration.secrets ?? SessionSecrets()
        var dropped: [String] = []
        for receiver in SessionReceiver.allCases {
            switch receiver.changed(
                by: patch, old: old.configuration,
                secrets: bound?[receiver], to: configuration)
            {
            case .failure(let errors): throw .invalid(errors)
            case .success(let changed):
                secrets[receiver] = changed.secrets
                dropped += changed.dropped
            }
        }
        configuration.secrets = secrets.isEmpty ? nil : secrets
        return dropped
    }

    /// Refuses to add an origin for the session's secrets unless the patch gives the secrets again.
    private func expectAnew(_ old: SessionRecord, in patch: JSONObject) throws(Problem) {
        guard let shape = old.configuration.shape else { return }
        let headers = patch["http_additional_headers"]
        let given = Set(headers?.objectValue?.members.map { $0.key.lowercased() } ?? [])
        var missing: [String] = []
        if headers?.isNull != true {
            missing = shape.headerNames.filter { !given.contains($0.lowercased()) }
        }
        if shape.hasClientCertificate, patch["tls"] == nil { missing.append("tls") }
        guard !missing.isEmpty else { return }
        throw .invalid(
            "#/" + SessionConfiguration.originsName,
            "adds an origin for which the secrets of this session were not given: send "
                + "\(missing.joined(separator: ", ")) again in this request, or null to remove "
                + "them")
    }

    private static let secretNames =
        ["http_additional_headers", "tls"] + SessionReceiver.members

    /// The secrets of a session.
    private func opened(
        _ record: SessionRecord, _ call: Call
    ) async throws(Problem) -> BoundSessionSecrets {
        let sealed = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.secrets(of: record.key, version: record.version)
        }
        let associatedData = SessionSecrets.associatedData(
            app: call.app, session: record.identifier)
        guard let plain = sealed.flatMap({ sealer.secrets.open($0, for: associatedData) }),
            let secrets = BoundSessionSecrets(plain: plain)
        else {
            throw .invalid(
                "#/http_additional_headers",
                "cannot be kept, because no encryption key of this service opens it; PUT the whole "
                    + "session")
        }
        return secrets
    }

    private func read(_ document: JSON) throws(Problem) -> SessionConfiguration {
        switch SessionConfiguration.parse(document) {
        case .success(let configuration):
            if let url = configuration.webhookURL { try targets.webhook().check(url) }
            if let hook = configuration.beginHook { try targets.beginHook().check(hook.url) }
            if let relay = configuration.relay { try targets.check(relay) }
            try configuration.retryRule?.check(defaults)
            return configuration
        case .failure(let errors): throw .invalid(errors)
        }
    }

    /// Stores a configuration; nil if the condition does not hold.
    private func store(
        _ new: SessionConfiguration, as identifier: String, _ call: Call, dropped: [String] = [],
        where condition: @escaping @Sendable (SessionRecord?) -> Bool
    ) async throws(Problem) -> Response? {
        try call.grant.expectUploads(for: new.relay)
        var configuration = new
        let sealed = sealer.seal(&configuration, of: identifier, app: call.app)
        let stored = configuration
        let outcome = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.put(
                app: call.app, identifier: identifier, configuration: stored, sealed: sealed,
                where: condition)
        }
        if stored.endsWithClient != nil { worker.clientsChanged() }
        let record: SessionRecord
        let isNew: Bool
        switch outcome {
        case .refused: return nil
        case .closing(let old): throw .invalidated(identifier, old.state)
        case .otherKind(let old):
            throw call.shown(
                Problem(
                    .sessionConflict,
                    "The kind of this session is "
                        + "\((old.configuration.kind ?? .background).rawValue), which cannot be "
                        + "changed. PUT a session of another name."))
        case .made(let made): (record, isNew) = (made, true)
        case .kept(let kept): (record, isNew) = (kept, false)
        }
        lookup.cache.forget(app: call.app, identifier: identifier)
        worker.rateChanged(.session(record.key, configuration.maxBytesPerSecond))
        var response = try await resource(
            record, call, status: isNew ? 201 : 200, dropped: dropped)
        if isNew { response.headers.append(("Location", "/v1/sessions/" + identifier)) }
        return response
    }

    /// A session as it was shown right before a change.
    struct KnownSession: Sendable {
        var version: Int64?
        var shown: Representation?

        /// The values with which conditions are compared: the shown ones, as long as the version is
        /// unchanged.
        func representation(_ record: SessionRecord) -> Representation {
            guard record.version == version, let shown else {
                return ShownSession.representation(record)
            }
            return shown
        }
    }

    /// The present form of a session, read only if a condition needs it.
    private func known(
        _ identifier: String, _ call: Call
    ) async throws(Problem) -> KnownSession {
        guard !call.fields(.ifNoneMatch).isEmpty,
            let record = try await lookup.read(identifier, call)
        else { return KnownSession() }
        return KnownSession(
            version: record.version, shown: try await shown(record, call).representation)
    }

    /// `GET /v1/sessions/{identifier}`.
    func get(_ call: Call) async throws(Problem) -> Response {
        let shown = try await shown(try await find(try sessionIdentifier(call), call), call)
        let current = shown.representation
        if try call.conditions.check(current) {
            return Response(status: 304, headers: [("ETag", current.tag.text)])
        }
        return .json(shown.json, headers: [("ETag", current.tag.text)])
    }

    /// `GET /v1/sessions`.
    func list(_ call: Call) async throws(Problem) -> Response {
        let records = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.list(app: call.app)
        }
        let page: JSONObject = [
            "data": .array(
                records.map { .object(ShownSession(record: $0, defaults: defaults).json) }),
            "next_cursor": nil,
        ]
        return .json(page)
    }

    /// A session of the call's app.
    ///
    /// - Throws: `not-found`.
    func find(_ identifier: String, _ call: Call) async throws(Problem) -> SessionRecord {
        guard let record = try await lookup.read(identifier, call) else {
            throw Problem(
                .notFound,
                "There is no session \"\(identifier)\". PUT its configuration here to make it.")
        }
        return record
    }

    /// The identifier in the path.
    ///
    /// - Throws: `not-found`.
    func sessionIdentifier(_ call: Call) throws(Problem) -> String {
        let identifier = call.parameters[0]
        guard SessionIdentifier.isValid(identifier) else {
            throw Problem(
                .notFound, "A session's identifier \(SessionIdentifier.rule).")
        }
        return identifier
    }

    /// A session with all values that are shown.
    func shown(_ record: SessionRecord, _ call: Call) async throws(Problem) -> ShownSession {
        let figures = try await call.stored { () throws(StoreError) in
            try await lookup.sessions.figures(of: record.key)
        }
        let wake = try await call.stored { () throws(StoreError) in
            try await downloads.wakes.status(of: record.key)
        }
        return ShownSession(record: record, defaults: defaults, figures: figures, wake: wake)
    }

    /// An answer with a session.
    func resource(
        _ record: SessionRecord, _ call: Call, status: Int, dropped: [String] = [],
        suspended: [String] = []
    ) async throws(Problem) -> Response {
        let shown = try await shown(record, call)
        var object = shown.json
        if !dropped.isEmpty { object.append("dropped", .array(dropped.map { .string($0) })) }
        if !suspended.isEmpty {
            object.append("suspended_sources", .array(suspended.map { .string($0) }))
        }
        return .json(
            object, status: status, headers: [("ETag", shown.representation.tag.text)])
    }
}
