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

    /// The pause before the next probe: 5 s, doubling to 5 min.
    ///
    /// `lull_probe_pause` has equal pauses for origins, whose outages the store keeps.
    ///
    /// - Parameter probes: how many have failed.
    /// - Returns: the pause.
    package static func pause(afterProbes probes: Int) -> Duration {
        min(longestPause, firstPause * (1 << min(max(probes, 0), 6)))
    }
}
