/// An origin, or the whole network, that is not reached.
package struct Outage: Equatable, Sendable {
    /// Since when.
    package var since: Timestamp
    /// When one download is let through to try again; it may be over while that one tries.
    package var probeAt: Timestamp

    /// Names both.
    package init(since: Timestamp, probeAt: Timestamp) {
        self.since = since
        self.probeAt = probeAt
    }

    /// As the store has it: nil without a beginning; what has no probe yet is tried at once.
    package init?(since: Timestamp?, probeAt: Timestamp?) {
        guard let since else { return nil }
        self.init(since: since, probeAt: probeAt ?? since)
    }

    /// The pause before the first probe.
    package static let firstPause = Duration.seconds(5)
    /// The longest pause, and the time after which a probe that says nothing counts as lost.
    package static let longestPause = Duration.seconds(300)

    /// The pause before the next probe: 5 s, doubling to 5 min.
    ///
    /// `lull_probe_pause` is the same for origins, whose outages the store keeps.
    ///
    /// - Parameter probes: how many have failed.
    /// - Returns: the pause.
    package static func pause(afterProbes probes: Int) -> Duration {
        min(longestPause, firstPause * (1 << min(max(probes, 0), 6)))
    }
}
