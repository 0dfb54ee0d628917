import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The connections to a service.
final class Wire: Sendable {
    private let delegate = WireDelegate()
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // Streams and held answers each keep a connection.
        configuration.httpMaximumConnectionsPerHost = 256
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(
            configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Begins an exchange; the returned function ends it early.
    ///
    /// - Parameters:
    ///   - request: what is sent.
    ///   - take: gets the bytes of a 2xx as they come; false ends the exchange.
    ///   - begin: gets the status of the answer once its header fields are there.
    ///   - end: is called once, at the end.
    /// - Returns: ends it with a failure, unless it has ended.
    func start(
        _ request: URLRequest,
        take: (@Sendable (HTTPURLResponse, Data) -> Bool)?,
        begin: (@Sendable (Int) -> Void)? = nil,
        end: @escaping @Sendable (Exchange.End) -> Void
    ) -> @Sendable (LullError) -> Void {
        let exchange = Exchange(take: take, begin: begin, end: end)
        let task = session.dataTask(with: request)
        delegate.add(exchange, to: task)
        task.resume()
        return { failure in
            exchange.finish(.failure(failure))
            task.cancel()
        }
    }

    /// As `start`, for an answer that takes long: it comes over a connection that was used before.
    ///
    /// On Linux `URLSession` watches all the time whether a connection can be written to, from its making to
    /// the end of its first answer, and keeps a processor busy with that. So a short request goes first.
    ///
    /// - Parameters:
    ///   - request: what is sent.
    ///   - first: the short request; its failure is that of the exchange.
    ///   - take: gets the bytes of a 2xx as they come; false ends the exchange.
    ///   - begin: gets the status of the answer once its header fields are there.
    ///   - end: is called once, at the end.
    /// - Returns: ends it with a failure, unless it has ended.
    func start(
        _ request: URLRequest, behind first: URLRequest,
        take: @escaping @Sendable (HTTPURLResponse, Data) -> Bool,
        begin: @escaping @Sendable (Int) -> Void,
        end: @escaping @Sendable (Exchange.End) -> Void
    ) -> @Sendable (LullError) -> Void {
        typealias Stop = @Sendable (LullError) -> Void
        let state = Mutex<(stop: Stop?, failure: LullError?)>((nil, nil))
        let stopFirst = start(first, take: nil) { [self] result in
            if case .failure(let failure) = result { return end(.failure(failure)) }
            let stop = start(request, take: take, begin: begin, end: end)
            let failure = state.withLock { state in
                state.stop = stop
                return state.failure
            }
            if let failure { stop(failure) }
        }
        return { failure in
            let stop = state.withLock { state in
                state.failure = failure
                return state.stop
            }
            stopFirst(failure)
            stop?(failure)
        }
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - request: what is sent.
    ///   - time: how long it may take in all; nil for ever.
    ///   - take: gets the bytes of a 2xx as they come; false ends the exchange.
    /// - Returns: the answer of any status.
    /// - Throws: why there was none.
    func send(
        _ request: URLRequest, within time: Duration?,
        take: (@Sendable (HTTPURLResponse, Data) -> Bool)? = nil
    ) async throws(LullError) -> Answer {
        let stop = Mutex<(@Sendable (LullError) -> Void)?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiting: CheckedContinuation<Exchange.End, Never>) in
                let ending = start(request, take: take) { waiting.resume(returning: $0) }
                stop.withLock { $0 = ending }
                if Task.isCancelled { ending(.canceled) }
                if let time {
                    DispatchQueue.global().asyncAfter(deadline: .now() + time.seconds) {
                        ending(.timedOut)
                    }
                }
            }
        } onCancel: {
            stop.withLock { $0 }?(.canceled)
        }
        return try result.get()
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
