import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request on its way: what has come of its answer, and who waits for it.
final class Exchange: Sendable {
    /// How an exchange ends.
    typealias End = Result<Answer, LullError>

    private struct State {
        var head: HTTPURLResponse?
        var body = Data()
        var end: (@Sendable (End) -> Void)?
    }

    /// The most bytes of an answer that is kept in memory.
    static let bytesAtMost = 256 << 20

    private let state: Mutex<State>
    /// Takes the bytes of an answer as they come; false ends the exchange.
    ///
    /// Without it, and of
    /// answers that are no 2xx, the bytes are kept for the end.
    private let take: (@Sendable (HTTPURLResponse, Data) -> Bool)?

    private let begin: (@Sendable (Int) -> Void)?

    init(
        take: (@Sendable (HTTPURLResponse, Data) -> Bool)?, begin: (@Sendable (Int) -> Void)?,
        end: @escaping @Sendable (End) -> Void
    ) {
        self.take = take
        self.begin = begin
        state = Mutex(State(end: end))
    }

    func receive(_ head: HTTPURLResponse) {
        state.withLock { $0.head = head }
        begin?(head.statusCode)
    }

    /// Whether the exchange goes on.
    func receive(_ data: Data) -> Bool {
        let (head, isOpen) = state.withLock { ($0.head, $0.end != nil) }
        guard let head, isOpen else { return false }
        if let take, 200..<300 ~= head.statusCode {
            if take(head, data) { return true }
            finish(.failure(.canceled))
            return false
        }
        let isTooLong = state.withLock { state in
            state.body.append(data)
            return state.body.count > Exchange.bytesAtMost
        }
        if isTooLong { finish(.failure(.unreadable("an answer of more than 256 MiB"))) }
        return !isTooLong
    }

    /// Ends it with what came, or with the failure of the connection.
    func complete(_ error: (any Error)?) {
        if let error {
            let isTimeout = (error as? URLError)?.code == .timedOut
            finish(
                .failure(
                    .unreachable(
                        isTimeout ? "no byte came in time" : "\(error.localizedDescription)")))
            return
        }
        let (head, body) = state.withLock { ($0.head, $0.body) }
        guard let head else {
            finish(.failure(.unreachable("an answer that is no HTTP")))
            return
        }
        finish(.success(Answer(head, body: body)))
    }

    /// Ends it once; later ends change nothing.
    func finish(_ result: End) {
        let end = state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
        end?(result)
    }
}
