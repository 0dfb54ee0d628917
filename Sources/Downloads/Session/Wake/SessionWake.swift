// Decides when a session is woken, and how long downloads that it creates in the background are
// delayed.
package import Base

/// The state of a session's wakes: a machine over the facts of each look.
package struct SessionWake: Equatable, Sendable {
    /// The time after which a look finds a webhook that ended without a report.
    private static let sendingPause = Duration.seconds(10)
    /// The interval at which a session is looked at while its listener has not received everything.
    private static let listeningPause = Duration.seconds(1)

    /// The time after the last wake at which a download created in the background may begin.
    package var delay = Duration.zero
    /// The time at which the session was woken last; repeated deliveries of a wake do not count.
    package var lastWakeAt: Timestamp?
    /// The time since which it was not woken and had no live download created in the background.
    package var quietSince: Timestamp?
    /// Whether there was a live one at the last look, or one was created since.
    package var hadBackground = false
    /// Whether wakes are off: between `force_quit` and `foreground`.
    package var isMuted = false
    /// Reasons for a wake that were not announced yet.
    package var news: WakeReasons = []
    /// The last wake.
    package var wake: Wake?
    /// The time at which the session has to be looked at; nil if only an event makes that
    /// necessary.
    package private(set) var nextLookAt: Timestamp?

    /// Creates the state of a session that was never woken.
    package init() {}

    /// The time at which the delay of a download created in the background at this moment ends; nil
    /// for no delay.
    package var delayedUntil: Timestamp? {
        guard delay > .zero, let lastWakeAt else { return nil }
        return lastWakeAt + delay
    }

    /// Takes the facts of a look, and returns the actions that follow.
    ///
    /// - Parameters:
    ///   - facts: what was found.
    ///   - now: the instant of the look.
    ///   - settings: the operator's numbers.
    ///   - token: names the next wake, if there is one.
    /// - Returns: what is to be done, in this order.
    package mutating func look(
        _ facts: WakeFacts, at now: Timestamp, _ settings: WakeSettings, token: Identifier
    ) -> [WakeAction] {
        var actions: [WakeAction] = []
        news.formUnion(facts.news)
        if facts.hasEnded, !facts.isLive { actions.append(.drained) }
        if var wake, wake.isUnfinished {
            let isAgain = wake.advance(facts.delivery, at: now, timeout: settings.timeout)
            self.wake = wake
            if isAgain { actions.append(.send(wake)) }
            if wake.state == .abandoned { actions.append(.abandoned(wake)) }
        }
        lower(facts, at: now)
        nextLookAt = nil
        if isDue(facts, at: now) {
            delay = settings.raised(delay)
            (lastWakeAt, quietSince) = (now, now)
            let wake = Wake(token: token, sentAt: now, reasons: news)
            self.wake = wake
            news = []
            actions.append(.send(wake))
        }
        plan(at: now)
        return actions
    }

    /// Whether the session is to be woken now.
    private mutating func isDue(_ facts: WakeFacts, at now: Timestamp) -> Bool {
        guard !news.isEmpty else { return false }
        guard facts.canWake, !isMuted else {
            news = []
            return false
        }
        // News that come while the client works on a wake are announced after it has completed
        // that.
        guard wake?.isUnfinished != true else { return false }
        guard !facts.isLive || news.contains(.attentionRequired) else { return false }
        guard let listening = facts.listening else { return true }
        if listening.hasHeard {
            news = []
            return false
        }
        guard listening.until > now else { return true }
        nextLookAt = min(listening.until, now + SessionWake.listeningPause)
        return false
    }

    /// Ends the delay after it has passed without wakes and without downloads created in the
    /// background.
    private mutating func lower(_ facts: WakeFacts, at now: Timestamp) {
        if facts.isBackgroundLive || hadBackground {
            quietSince = now
            hadBackground = facts.isBackgroundLive
        }
        guard let since = quietSince, !facts.isBackgroundLive, now >= since + delay else { return }
        delay = .zero
    }

    private mutating func plan(at now: Timestamp) {
        var instants = [nextLookAt]
        if delay > .zero, let quietSince { instants.append(quietSince + delay) }
        switch wake?.state {
        case .sending: instants.append(now + SessionWake.sendingPause)
        case .open: instants.append(wake?.expiresAt)
        case .completed, .abandoned, nil: break
        }
        nextLookAt = instants.compactMap(\.self).min()
    }

    /// Notes that a person uses the client: the delay ends, and wakes are sent again.
    package mutating func foreground(at now: Timestamp) {
        delay = .zero
        isMuted = false
        news = []
        plan(at: now)
    }

    /// Notes that a person ended the client: no wakes until `foreground`.
    package mutating func forceQuit(at now: Timestamp) {
        isMuted = true
        news = []
        plan(at: now)
    }
}
