package import Base

/// An origin, or the whole network, that is not reached.
package struct Outage: Equatable, Sendable {
    /// The time at which the outage began.
    package var since: Timestamp
    /// The time at which one download may probe again; it may have passed while that download runs.
    package var probeAt: Timestamp

    /// Creates a value with both members.
    package init(since: Timestamp, probeAt: Timestamp) {
        self.since = since
        self.probeAt = probeAt
    }

    /// Reads the stored columns: nil without a beginning; without a time of the probe, the first
    /// one is due at once.
    package init?(since: Timestamp?, probeAt: Timestamp?) {
        guard let since else { return nil }
        self.init(since: since, probeAt: probeAt ?? since)
    }

    /// The pause before the first probe.
    package static let firstPause = Duration.seconds(5)
    /// The longest pause, and the time after which a probe without a result counts as lost.
    package static let longestPause = Duration.seconds(300)

    /// The pauses before the first probe, and after each one that failed: 5 s, doubling to 5 min,
    /// which stays.
    package static let pauses = (0...6).map { min(longestPause, firstPause * (1 << $0)) }

    /// The pause before the next probe.
    ///
    /// - Parameter probes: how many have failed.
    /// - Returns: the pause.
    package static func pause(afterProbes probes: Int) -> Duration {
        pauses[min(max(probes, 0), pauses.count - 1)]
    }
}
