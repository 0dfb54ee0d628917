// The load of the server, readable from any thread.
internal import Synchronization

/// Counts of the open connections, streams and requests of a server.
package final class ServerGauges: Sendable {
    private let openConnections = Atomic(0)
    private let openStreams = Atomic(0)
    private let openBodies = Atomic(0)
    private let runningRequests = Atomic(0)

    /// Creates gauges at 0.
    package init() {}

    /// The number of connected clients.
    package var connections: Int { openConnections.load(ordering: .relaxed) }
    /// The number of streamed bodies in progress.
    package var streams: Int { openStreams.load(ordering: .relaxed) }
    /// The number of requests whose content is read while it arrives.
    package var bodies: Int { openBodies.load(ordering: .relaxed) }
    /// The number of requests without a complete answer, long polls and streams included.
    package var requests: Int { runningRequests.load(ordering: .relaxed) }

    func setConnections(_ count: Int) { openConnections.store(count, ordering: .relaxed) }

    func addStreams(_ count: Int) { openStreams.add(count, ordering: .relaxed) }

    func addBodies(_ count: Int) { openBodies.add(count, ordering: .relaxed) }

    func addRequests(_ count: Int) { runningRequests.add(count, ordering: .relaxed) }
}
