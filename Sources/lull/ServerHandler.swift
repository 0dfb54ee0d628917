// The handler of the server: it answers for the starting service, then passes requests to the API.
internal import API
internal import Base
internal import Crypto
internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Synchronization

/// Answers that the service is starting, until the API is ready.
final class ServerHandler: Sendable {
    private let handlers = Mutex<Serve.Handlers?>(nil)
    private let startup: StartupAnswers

    init() {
        var random = SecureRandom()
        startup = StartupAnswers(seed: random.next())
    }

    /// Passes requests to the API from now on.
    func open(_ handlers: Serve.Handlers) { self.handlers.withLock { $0 = handlers } }

    /// Whether requests go to the API.
    var isOpen: Bool { handlers.withLock { $0 != nil } }

    /// Answers a request.
    func answer(_ request: Request) -> Answer {
        guard let handlers = handlers.withLock({ $0 }), isWhole(request, for: handlers) else {
            return .now(startup.answer(request, at: ServerHandler.now))
        }
        return handlers.answer(request)
    }

    /// Whether the content of a request is not collected before its answer.
    ///
    /// Until the API is ready nothing is collected: its endpoints would take a collected body for
    /// none where they read it while it arrives.
    func streamsBody(_ request: Request) -> Bool {
        handlers.withLock { $0 }?.streamsBody(request) ?? true
    }

    /// Whether a request has its content as its endpoint reads it; false if the API became ready
    /// between both questions.
    private func isWhole(_ request: Request, for handlers: Serve.Handlers) -> Bool {
        request.incoming == nil || handlers.streamsBody(request)
    }

    /// Answers bytes that are not a request.
    func refuse(_ rejection: Rejection, of outline: RequestOutline) -> Response {
        guard let handlers = handlers.withLock({ $0 }) else {
            return startup.refuse(rejection, of: outline, at: ServerHandler.now)
        }
        return handlers.refuse(rejection, outline)
    }

    private static var now: Timestamp {
        Timestamp(microseconds: SystemClock.wallMicroseconds())
    }
}
