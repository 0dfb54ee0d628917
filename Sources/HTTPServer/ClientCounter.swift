// The connected clients of all lanes of a server.
internal import Synchronization

/// Counts the clients of a server in total and by address; for any thread.
final class ClientCounter: Sendable {
    private struct State {
        var count = 0
        var ofAddress: [ClientAddress: Int] = [:]
        /// Whether the first lane waits for a client to leave.
        var isAwaited = false
    }

    private let state = Mutex(State())
    private let gauges: ServerGauges

    init(_ gauges: ServerGauges) { self.gauges = gauges }

    /// Counts a client, unless its address is at its limit.
    func enter(_ address: ClientAddress?, atMost limit: Int) -> Bool {
        state.withLock { state in
            if let address {
                let known = state.ofAddress[address] ?? 0
                guard known < limit else { return false }
                state.ofAddress[address] = known + 1
            }
            state.count += 1
            gauges.setConnections(state.count)
            return true
        }
    }

    /// Counts a client that has left.
    ///
    /// - Returns: whether the first lane waited for that.
    func leave(_ address: ClientAddress?) -> Bool {
        state.withLock { state in
            if let address {
                let left = (state.ofAddress[address] ?? 1) - 1
                state.ofAddress[address] = left > 0 ? left : nil
            }
            state.count -= 1
            gauges.setConnections(state.count)
            defer { state.isAwaited = false }
            return state.isAwaited
        }
    }

    /// Whether another client fits below the limit; if not, the next call of `leave` returns true.
    func hasRoom(below limit: Int) -> Bool {
        state.withLock { state in
            state.isAwaited = state.count >= limit
            return !state.isAwaited
        }
    }
}
