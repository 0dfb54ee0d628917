// The idle connections of a pool, taken and given back under a lock, without a call of its actor.
internal import Synchronization

/// Holds idle connections as long as no task waits for one.
final class IdleConnections: Sendable {
    private struct State {
        var connections: [PostgresConnection] = []
        /// Whether what is given back is for the pool to hand on, or to close.
        var isBypassed = false
    }

    private let state = Mutex(State())
    private let gauge: PoolGauge

    /// None.
    ///
    /// - Parameter gauge: shows how many there are.
    init(gauge: PoolGauge) { self.gauge = gauge }

    /// How many there are.
    var count: Int { state.withLock { $0.connections.count } }

    /// Takes the one that was used last.
    func take() -> PostgresConnection? {
        state.withLock { state in
            let connection = state.connections.popLast()
            gauge.setIdle(state.connections.count)
            return connection
        }
    }

    /// Takes all of them.
    func takeAll() -> [PostgresConnection] {
        state.withLock { state in
            defer { state.connections = [] }
            gauge.setIdle(0)
            return state.connections
        }
    }

    /// Gives one back.
    ///
    /// - Returns: false where a task waits for it or the pool is closed, so that it was not taken.
    func put(_ connection: PostgresConnection) -> Bool {
        state.withLock { state in
            guard !state.isBypassed else { return false }
            state.connections.append(connection)
            gauge.setIdle(state.connections.count)
            return true
        }
    }

    /// Says whether what is given back is for the pool from now on.
    func bypass(_ isBypassed: Bool) { state.withLock { $0.isBypassed = isBypassed } }
}
