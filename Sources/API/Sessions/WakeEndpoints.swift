// Completes and extends wakes, for whoever has their token.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints below `/v1/wakes`.
final class WakeEndpoints: EndpointGroup {
    private let wakes: Wakes
    private let timeout: Duration
    private let worker: WorkerAccess

    /// Creates the group with the values that its endpoints use.
    init(wakes: Wakes, settings: APISettings, worker: WorkerAccess) {
        self.wakes = wakes
        timeout = settings.wakes.timeout
        self.worker = worker
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/v1/wakes/{token}/complete", "completeWake", scope: nil,
                body: [MediaType.json], answers: [.json()], .later(complete)),
            Route(
                "POST", "/v1/wakes/{token}/extend", "extendWake", scope: nil,
                body: [MediaType.json], answers: [.json()], .later(extend)),
        ]
    }

    /// `POST /v1/wakes/{token}/complete`.
    func complete(_ call: Call) async throws(Problem) -> Response {
        try call.expectNoDocument()
        let wake = try await change(call, repeats: true) { wake, _ in wake.complete() }
        return .json([
            "wake_token": .string(wake.token.text(.wake)), "state": "completed",
        ])
    }

    /// `POST /v1/wakes/{token}/extend`.
    func extend(_ call: Call) async throws(Problem) -> Response {
        guard let object = try call.document().objectValue else {
            throw .invalid("#", "must be an object")
        }
        var reader = FieldReader(object)
        let seconds = reader.integer("seconds", in: 1...30)
        if seconds == nil, reader.errors.isEmpty { reader.refuse("seconds", "is required") }
        let errors = reader.finish()
        guard errors.isEmpty, let seconds else { throw .invalid(errors) }
        let timeout = timeout
        let wake = try await change(call, repeats: false) { wake, now in
            wake.extend(by: seconds, at: now, timeout: timeout)
        }
        return .json([
            "wake_token": .string(wake.token.text(.wake)),
            "expires_at": wake.expiresAt.map { .string($0.rfc3339) } ?? .null,
        ])
    }

    private func change(
        _ call: Call, repeats: Bool,
        _ body: @escaping @Sendable (inout Wake, Timestamp) -> Wake.Outcome
    ) async throws(Problem) -> Wake {
        guard let token = Identifier(call.parameters[0], kind: .wake) else {
            throw WakeEndpoints.noWake
        }
        let change = try await call.stored { () throws(StoreError) in
            try await wakes.change(token, body)
        }
        guard let change else { throw WakeEndpoints.noWake }
        switch change.outcome {
        case .done: worker.sessionsChanged()
        case .already where repeats: break
        case .already:
            throw Problem(.wakeExpired, "This wake was completed, so it cannot be extended.")
        case .expired:
            throw Problem(
                .wakeExpired,
                "This wake was sent \(Wake.deliveriesAtMost) times and never completed, so it was "
                    + "given up. GET /v1/events has the events that it announced.")
        }
        return change.wake
    }

    private static var noWake: Problem {
        Problem(
            .notFound,
            "There is no such wake. Its token is in the data of the event session.wake: wk_ and 26 "
                + "letters and digits.")
    }
}
