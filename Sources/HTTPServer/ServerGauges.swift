// How busy the server is, readable from any thread.
internal import Synchronization

/// Counts of what is open right now.
package final class ServerGauges: Sendable {
    private let openConnections = Atomic(0)
    private let openStreams = Atomic(0)
    private let runningRequests = Atomic(0)

    /// Nothing is open.
    package init() {}

    /// Clients that are connected.
    package var connections: Int { openConnections.load(ordering: .relaxed) }
    /// Streamed bodies.
    package var streams: Int { openStreams.load(ordering: .relaxed) }
    /// Requests without a complete answer, long polls and streams included.
    package var requests: Int { runningRequests.load(ordering: .relaxed) }

    func setConnections(_ count: Int) { openConnections.store(count, ordering: .relaxed) }

    func addStreams(_ count: Int) { openStreams.add(count, ordering: .relaxed) }

    func addRequests(_ count: Int) { runningRequests.add(count, ordering: .relaxed) }
}
