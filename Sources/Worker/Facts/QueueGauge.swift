// The sums of the queue from the last census, for metrics.
package import Base
package import Downloads
package import Store
internal import Synchronization

/// Holds the sums of the queue, which are computed only while metrics are scraped.
package final class QueueGauge: Sendable {
    /// The queue at an instant.
    package struct Census: Sendable {
        /// The time at which it was read.
        package var at: Timestamp
        /// Sums of the store.
        package var figures: QueueFigures
        /// Waiting downloads by their first blocker, of the judged lanes.
        package var blocked: [BlockerCode: Int64]
        /// Waiting downloads of the other lanes.
        package var unjudged: Int64
    }

    private struct State {
        var census: Census?
        /// The time at which the census was asked for last.
        var wantedAt: ContinuousClock.Instant?

        func isWanted(at now: ContinuousClock.Instant) -> Bool {
            wantedAt.map { now - $0 < QueueGauge.interest } ?? false
        }
    }

    /// The time after a scrape for which censuses are taken; metrics that are scraped once a minute
    /// find recent ones.
    private static let interest = Duration.seconds(120)

    private let state = Mutex(State())
    private let bell: @Sendable () -> Void

    /// - Parameter bell: calls the duty that takes the census.
    init(bell: @escaping @Sendable () -> Void) { self.bell = bell }

    /// The last census, nil before the first; the call makes a next one be taken.
    package func read() -> Census? {
        let now = ContinuousClock.now
        let (census, isFirst) = state.withLock { state in
            defer { state.wantedAt = now }
            return (state.census, !state.isWanted(at: now))
        }
        if isFirst { bell() }
        return census
    }

    func set(_ census: Census) { state.withLock { $0.census = census } }

    /// Whether the census was asked for lately.
    var isWanted: Bool {
        let now = ContinuousClock.now
        return state.withLock { $0.isWanted(at: now) }
    }
}
