// All keys, which an operator lists, makes, changes and revokes.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension KeyEndpoints {
    /// `GET /v1/keys`: the newest first, revoked ones too.
    func list(_ call: Call) async throws(Problem) -> Response {
        let limit = try call.query.integer("limit", in: 1...200) ?? 50
        var before: Int64?
        if let text = call.query["cursor"] {
            before = KeyEndpoints.number(text)
            guard before != nil else {
                throw .invalid("?cursor", "must be a next_cursor that this list gave")
            }
        }
        let (app, last) = (call.query["app"], before)
        guard app?.unicodeScalars.count ?? 0 <= 128 else {
            throw .invalid("?app", "must have at most 128 characters")
        }
        let records = try await call.stored { () throws(StoreError) in
            try await keys.page(app: app, before: last, limit: limit)
        }
        let next = records.count == limit ? records.last?.number : nil
        return .json([
            "data": .array(records.map { .object($0.shown) }),
            "next_cursor": next.map { .string("\($0)") } ?? .null,
        ])
    }

    /// `POST /v1/keys`: the answer alone has the text of the key.
    func create(_ call: Call) async throws(Problem) -> Response {
        guard case .object(let object) = try call.document() else {
            throw .invalid("#", "must be an object")
        }
        var reader = FieldReader(object)
        let app = reader.string("app", maximumLength: 128) ?? ""
        if object["app"]?.isNull ?? true {
            reader.refuse("app", "is required: the app whose downloads and sessions it may use")
        } else if object["app"]?.stringValue != nil, !SessionIdentifier.isValid(app) {
            reader.refuse("app", SessionIdentifier.rule)
        }
        let scopes = KeyEndpoints.scopes(&reader) ?? KeyScope.standard
        let limits = KeyEndpoints.limits(&reader)
        let errors = reader.finish()
        guard errors.isEmpty else { throw .invalid(errors) }
        let text = APIKeyText.make()
        let number = try await call.stored { () throws(StoreError) in
            try await keys.create(
                app: app, digest: APIKeyText.digest(text), scopes: scopes, limits: limits)
        }
        let found = try await call.stored { () throws(StoreError) in
            try await keys.find(number)
        }
        guard let record = found else { throw KeyEndpoints.noKey("\(number)") }
        note(.created, record, call)
        var shown = record.shown
        shown.append("key", .string(text))
        return .json(
            shown, status: 201,
            headers: [("Location", "/v1/keys/\(number)"), ("Cache-Control", "no-store")])
    }

    /// `PATCH /v1/keys/{id}`: its scopes, and the limits of its app.
    func change(_ call: Call) async throws(Problem) -> Response {
        let number = try keyNumber(call)
        guard case .object(let object) = try call.document() else {
            throw .invalid("#", "must be an object")
        }
        var reader = FieldReader(object)
        if object["scopes"]?.isNull == true {
            reader.refuse("scopes", "must be a list; a key without scopes would open nothing")
        }
        let scopes = KeyEndpoints.scopes(&reader)
        let limits = KeyEndpoints.limits(&reader)
        let errors = reader.finish()
        guard errors.isEmpty else { throw .invalid(errors) }
        let isLastAllowed = try call.query.bool("last") ?? false
        let change = try await call.stored { () throws(StoreError) in
            try await keys.change(
                number, scopes: scopes, limits: limits, isLastAllowed: isLastAllowed)
        }
        return .json(try done(change, .changed, call).shown)
    }

    /// `DELETE /v1/keys/{id}`: revokes it.
    func delete(_ call: Call) async throws(Problem) -> Response {
        let number = try keyNumber(call)
        let isLastAllowed = try call.query.bool("last") ?? false
        let change = try await call.stored { () throws(StoreError) in
            try await keys.revoke(number, isLastAllowed: isLastAllowed)
        }
        _ = try done(change, .revoked, call)
        return Response(status: 204)
    }

    private func done(
        _ change: APIKeys.Change, _ kind: KeyChange.Kind, _ call: Call
    ) throws(Problem) -> APIKeyRecord {
        switch change {
        case .done(let record):
            note(kind, record, call)
            return record
        case .notFound: throw KeyEndpoints.noKey(call.parameters[0])
        case .lastAdmin:
            throw Problem(
                .lastAdminKey,
                "Nothing was done: no valid key with the scope admin would be left, and without "
                    + "one only lull keys on the machine of the service makes keys. Make another "
                    + "one first, or send this with ?last=true.")
        }
    }

    private func note(_ kind: KeyChange.Kind, _ record: APIKeyRecord, _ call: Call) {
        changed(
            KeyChange(
                kind: kind, number: record.number, app: record.app, scopes: record.scopes,
                by: call.grant.number, requestID: call.id))
    }

    private func keyNumber(_ call: Call) throws(Problem) -> Int64 {
        guard let number = KeyEndpoints.number(call.parameters[0]) else {
            throw KeyEndpoints.noKey(call.parameters[0])
        }
        return number
    }

    private static func number(_ text: String) -> Int64? {
        guard text.utf8.count <= 18, let number = Int64(text), number > 0, "\(number)" == text
        else { return nil }
        return number
    }

    private static func noKey(_ id: String) -> Problem {
        Problem(.notFound, "There is no valid key \(id). It was revoked or never made.")
    }

    /// The scopes of a body; nil without that member.
    private static func scopes(_ reader: inout FieldReader) -> Set<KeyScope>? {
        guard let names = reader.strings("scopes", maximumCount: KeyScope.allCases.count) else {
            return nil
        }
        var scopes: Set<KeyScope> = []
        for (place, name) in names.enumerated() {
            guard let scope = KeyScope(rawValue: name) else {
                let known = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
                reader.refuse("scopes", at: place, "must be one of \(known)")
                continue
            }
            scopes.insert(scope)
        }
        if names.isEmpty { reader.refuse("scopes", "must name one scope at least") }
        return scopes
    }

    /// The change to the limits of the app: a member that is not there leaves its limit, null
    /// removes it; null for all removes all.
    private static func limits(_ reader: inout FieldReader) -> AppLimitChange {
        if reader.isNull("limits") {
            _ = reader.value("limits")
            return AppLimitChange(to: AppLimits())
        }
        guard let value = reader.value("limits") else { return AppLimitChange() }
        guard let object = value.objectValue else {
            reader.refuse("limits", "must be an object")
            return AppLimitChange()
        }
        var inner = FieldReader(object, at: reader.pointer("limits"))
        var change = AppLimitChange()
        if let most = inner.number("requests_per_second", in: 0...1_000_000) {
            change.requestsPerSecond = .most(most)
            if most == 0 { inner.refuse("requests_per_second", "must be above 0") }
        }
        if let most = inner.integer("queued", in: 0...(1 << 53)) { change.queued = .most(most) }
        if let most = inner.integer("running", in: 0...10_000) {
            change.running = .most(Int32(most))
        }
        if let most = inner.integer("staged_bytes", in: 0...(1 << 53)) {
            change.stagedBytes = .most(most)
        }
        if inner.isNull("requests_per_second") { change.requestsPerSecond = .none }
        if inner.isNull("queued") { change.queued = .none }
        if inner.isNull("running") { change.running = .none }
        if inner.isNull("staged_bytes") { change.stagedBytes = .none }
        reader.adopt(inner.finish())
        return change
    }
}

extension APIKeyRecord {
    /// The key as the API shows it.
    fileprivate var shown: JSONObject {
        var limits = JSONObject()
        limits.append(
            "requests_per_second", self.limits.requestsPerSecond.map { .number($0) } ?? .null)
        limits.append("queued", self.limits.queued.map { .integer($0) } ?? .null)
        limits.append("running", self.limits.running.map { .integer(Int64($0)) } ?? .null)
        limits.append("staged_bytes", self.limits.stagedBytes.map { .integer($0) } ?? .null)
        var object = JSONObject()
        object.append("id", .string("\(number)"))
        object.append("app", .string(app))
        object.append("scopes", .array(scopes.map { .string($0) }))
        object.append("limits", .object(limits))
        object.append("created_at", .string(createdAt.rfc3339))
        object.append("last_used_at", lastUsedAt.map { .string($0.rfc3339) } ?? .null)
        object.append("revoked_at", revokedAt.map { .string($0.rfc3339) } ?? .null)
        return object
    }
}
