// Triggers of sources: made, listed and removed by clients, called by whoever has their token.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// The endpoints of triggers.
final class TriggerEndpoints: EndpointGroup {
    /// The path of calls without the token.
    static let callPath = "/v1/triggers/"
    /// The most bytes of a body that the event of a look repeats.
    static let bodyAtMost = 4096

    private let triggers: Triggers
    private let secrets: SecretBox
    private let worker: WorkerAccess
    private let makeIdentifier: @Sendable (Timestamp) -> Identifier
    /// The least time between two looks.
    private let pause: Duration

    /// Creates the group with the values that its endpoints use.
    init(_ dependencies: Dependencies) {
        triggers = Triggers(dependencies.store.downloads.sources)
        secrets = dependencies.secrets
        worker = dependencies.worker
        makeIdentifier = dependencies.makeIdentifier
        pause = .seconds(dependencies.settings.sourceMinInterval)
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/v1/sources/{identifier}/triggers", "createTrigger",
                scope: .writeDownloads, body: [MediaType.json], answers: [.json(201)],
                unread: ["id", "token", "secret"], .later(create)),
            Route(
                "GET", "/v1/sources/{identifier}/triggers", "listTriggers", scope: .readDownloads,
                answers: [.json()], .later(list)),
            Route(
                "DELETE", "/v1/sources/{identifier}/triggers/{id}", "deleteTrigger",
                scope: .writeDownloads, answers: [.empty(204)], unread: [], .later(remove)),
            Route(
                "POST", TriggerEndpoints.callPath + "{token}", "callTrigger", scope: nil,
                body: ["*/*"], answers: [.json(), .json(202)], .later(call)),
        ]
    }

    /// `POST /v1/sources/{identifier}/triggers`: only this answer shows token and secret.
    func create(_ call: Call) async throws(Problem) -> Response {
        let source = try TriggerEndpoints.source(call)
        guard let object = try call.document().objectValue else {
            throw .invalid("#", "must be an object")
        }
        var reader = FieldReader(object)
        let given = reader.word("signature", of: TriggerSignature.self)
        let errors = reader.finish()
        guard errors.isEmpty else { throw .invalid(errors) }
        let signature = given ?? .none
        let id = makeIdentifier(call.now)
        let token = TriggerToken.make()
        guard let digest = TriggerToken.digest(token) else {
            preconditionFailure("a new token has the form of a token")
        }
        let secret = TriggerSecret.make(signature)
        let new = NewTrigger(
            id: id, digest: digest, signature: signature,
            sealed: secret.map {
                secrets.seal(
                    Array($0.text.utf8), for: TriggerSecret.associatedData(of: id, app: call.app))
            })
        let outcome = try await call.stored { () throws(StoreError) in
            try await triggers.make(new, of: source, app: call.app)
        }
        switch outcome {
        case .made(let record):
            var object = TriggerEndpoints.json(record)
            object.append("token", .string(token))
            object.append("secret", secret.map { .string($0.text) } ?? .null)
            return .json(object, status: 201, headers: [("Cache-Control", "no-store")])
        case .noSource: throw TriggerEndpoints.noSource(source)
        case .tooMany:
            throw Problem(
                .sourceConflict,
                "The source \"\(source)\" has \(Triggers.countAtMost) triggers, the limit. Delete "
                    + "one first.")
        }
    }

    /// `GET /v1/sources/{identifier}/triggers`: without tokens and secrets.
    func list(_ call: Call) async throws(Problem) -> Response {
        let source = try TriggerEndpoints.source(call)
        let records = try await call.stored { () throws(StoreError) in
            try await triggers.list(of: source, app: call.app)
        }
        guard let records else { throw TriggerEndpoints.noSource(source) }
        return .json([
            "data": .array(records.map { .object(TriggerEndpoints.json($0)) }),
            "next_cursor": .null,
        ])
    }

    /// `DELETE /v1/sources/{identifier}/triggers/{id}`: its token opens nothing any more.
    func remove(_ call: Call) async throws(Problem) -> Response {
        let source = try TriggerEndpoints.source(call)
        let id = Identifier(call.parameters[1], kind: .trigger)
        let isGone = try await call.stored { () throws(StoreError) in
            guard let id else { return false }
            return try await triggers.remove(id, of: source, app: call.app)
        }
        guard isGone else {
            throw Problem(
                .notFound,
                "The source \"\(source)\" has no such trigger. GET its triggers to list them.")
        }
        return Response(status: 204)
    }

    /// `POST /v1/triggers/{token}`: the content may have changed.
    func call(_ call: Call) async throws(Problem) -> Response {
        let found: TriggerRecord?
        if let digest = TriggerToken.digest(call.parameters[0]) {
            found = try await call.stored { () throws(StoreError) in
                try await triggers.find(digest: digest)
            }
        } else {
            found = nil
        }
        guard let trigger = found else { throw TriggerEndpoints.noTrigger }
        let signed = try check(call, trigger)
        if trigger.signature == .github, call.request.headers.all("X-GitHub-Event") == ["ping"] {
            return .json(["coalesced": false])
        }
        let effect = try await call.stored { () throws(StoreError) in
            try await triggers.call(trigger, signed, pause: pause)
        }
        switch effect {
        case .looks, .coalesced: worker.looksChanged()
        case .repeated: break
        case .replayed:
            throw TriggerEndpoints.unsigned("its bytes came before: a message is sent once")
        case .suspended:
            throw Problem(
                .sourceConflict,
                "The source of this trigger is suspended, perhaps because its session ended. "
                    + "Resume it before it looks.")
        case .gone: throw TriggerEndpoints.noTrigger
        }
        return .json(["coalesced": .bool(effect != .looks)], status: 202)
    }

    /// The call, after the checks of its size and signature.
    private func check(_ call: Call, _ trigger: TriggerRecord) throws(Problem) -> TriggerCall {
        let body = call.request.body
        let isLong = body.count > TriggerEndpoints.bodyAtMost
        guard !isLong || trigger.signature == .github else {
            throw Problem(
                .contentTooLarge,
                "The body of a call has at most \(TriggerEndpoints.bodyAtMost) bytes, and this one "
                    + "has \(body.count).")
        }
        var name: (message: String?, signedAt: Int64) = (nil, 0)
        if trigger.signature != .none {
            let data = TriggerSecret.associatedData(of: trigger.id, app: trigger.app)
            guard let plain = trigger.sealed.flatMap({ secrets.open($0, for: data) }) else {
                call.report("no encryption key of this replica opens the secret of a trigger")
                throw Problem(
                    .internalError,
                    "The secret of the trigger cannot be opened. The log has the cause under the "
                        + "request_id.")
            }
            let secret = TriggerSecret(
                trigger.signature, text: String(decoding: plain, as: UTF8.self))
            do throws(TriggerSecret.Refusal) {
                name = try secret.check(call.request, at: call.now.seconds)
            } catch {
                throw TriggerEndpoints.unsigned(error.reason)
            }
        }
        var signed = TriggerCall(body: nil)
        (signed.message, signed.signedAt) = name
        guard !body.isEmpty, !isLong else { return signed }
        guard let text = String(validating: body, as: UTF8.self), !text.utf8.contains(0) else {
            throw .invalid("#", "must be text in UTF-8 without U+0000")
        }
        signed.body = text
        return signed
    }

    private static func json(_ record: TriggerRecord) -> JSONObject {
        [
            "id": .string(record.id.text(.trigger)),
            "signature": .string(record.signature.rawValue),
            "created_at": .string(record.createdAt.rfc3339),
            "called_at": record.calledAt.map { .string($0.rfc3339) } ?? .null,
        ]
    }

    /// The name of the source in the path.
    ///
    /// - Throws: `not-found`.
    private static func source(_ call: Call) throws(Problem) -> String {
        let name = call.parameters[0]
        guard SessionIdentifier.isValid(name) else {
            throw Problem(.notFound, "A source's identifier \(SessionIdentifier.rule).")
        }
        return name
    }

    private static func noSource(_ name: String) -> Problem {
        Problem(.notFound, "There is no source \"\(name)\". PUT it first.")
    }

    /// The refusal of a token; it does not repeat it.
    private static let noTrigger = Problem(
        .notFound,
        "There is no such trigger. It was deleted, or the last part of the path is not its token.")

    private static func unsigned(_ reason: String) -> Problem {
        var problem = Problem(
            .unauthorized, "The signature of the call was not accepted: \(reason).")
        problem.headers = [("WWW-Authenticate", "Signature")]
        return problem
    }
}
