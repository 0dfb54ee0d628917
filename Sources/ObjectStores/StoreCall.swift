// The bounds of a piece of work at a store, and its end from outside.
package import Downloads
package import Scheduling
internal import Synchronization
internal import Transfers

/// The bounds and the cancellation that the requests of one piece of work share.
package final class StoreCall: Sendable {
    /// Bounds of each request.
    package struct Bounds: Sendable {
        /// The scopes of shared rate limits.
        package var rateScopes: [RateScope] = []
        /// The rank at a shared limit: 0, the most urgent, to 3.
        package var rank = 0
        /// The limit of each request in bytes a second; nil for none.
        package var maximumBytesPerSecond: Int64?
        /// The longest time without a byte.
        package var idleTimeout: Duration = .seconds(60)
        /// The speed below which a request fails; nil for none.
        package var lowSpeed: LowSpeed?
        /// The longest time of a request; nil for no bound.
        package var totalTimeout: Duration?

        /// Creates bounds with their defaults.
        package init() {}
    }

    private struct State {
        var bounds: Bounds
        var isCancelled = false
        var running: [TransferID: TransferEngine] = [:]
    }

    private let state: Mutex<State>

    /// Creates a call.
    package init(_ bounds: Bounds = Bounds()) { state = Mutex(State(bounds: bounds)) }

    /// Whether it was cancelled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the requests that run, and refuses further ones.
    package func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return state.running
        }
        for (id, engine) in running { engine.cancel(id) }
    }

    /// Changes the limit of running and later requests in bytes a second; nil for none.
    package func limit(to rate: Int64?) {
        let running = state.withLock { state in
            state.bounds.maximumBytesPerSecond = rate
            return state.running
        }
        for (id, engine) in running { engine.limit(id, to: rate) }
    }

    /// The bounds as they are.
    var current: Bounds { state.withLock { $0.bounds } }

    /// Notes a transfer that is about to run.
    ///
    /// - Returns: its bounds; nil if it must not run.
    func begin(_ id: TransferID, on engine: TransferEngine) -> Bounds? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.running[id] = engine
            return state.bounds
        }
    }

    /// Notes the end of a transfer.
    func end(_ id: TransferID) { state.withLock { $0.running[id] = nil } }
}
