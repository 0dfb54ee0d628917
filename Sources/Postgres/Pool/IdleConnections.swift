// The idle connections of a pool, in a list with a lock, so that no call of the pool's actor is
// needed.
internal import Synchronization

/// Keeps idle connections while no task waits for one.
final class IdleConnections: Sendable {
    private struct State {
        var connections: [PostgresConnection] = []
        /// Whether a returned connection goes to the pool, which passes it to a waiter or closes
        /// it.
        var isBypassed = false
    }

    private let state = Mutex(State())
    private let gauge: PoolGauge

    /// Creates an empty list.
    ///
    /// - Parameter gauge: shows how many there are.
    init(gauge: PoolGauge) { self.gauge = gauge }

    /// The number of idle connections.
    var count: Int { state.withLock { $0.connections.count } }

    /// Takes the connection that was used last.
    func take() -> PostgresConnection? {
        state.withLock { state in
            let connection = state.connections.popLast()
            gauge.setIdle(state.connections.count)
            return connection
        }
    }

    /// Takes all connections.
    func takeAll() -> [PostgresConnection] {
        state.withLock { state in
            defer { state.connections = [] }
            gauge.setIdle(0)
            return state.connections
        }
    }

    /// Adds a connection, unless the list is bypassed.
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

    /// Sets whether returned connections go to the pool from now on.
    func bypass(_ isBypassed: Bool) { state.withLock { $0.isBypassed = isBypassed } }
}
