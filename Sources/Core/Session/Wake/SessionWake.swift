// When a session is woken, and how long what it creates in the background is delayed.

/// What is known of a session's wakes: a machine over the facts of each look.
package struct SessionWake: Equatable, Sendable {
    /// A look after this time finds a webhook that ended without a word.
    private static let sendingPause = Duration.seconds(10)
    /// How often a listener that has not got everything is looked at.
    private static let listeningPause = Duration.seconds(1)

    /// How long after the last wake a download that is created in the background begins.
    package var delay = Duration.zero
    /// When the session was woken last, without deliveries of the same wake.
    package var lastWakeAt: Timestamp?
    /// Since when it was not woken and had no live download that was created in the background.
    package var quietSince: Timestamp?
    /// Whether one was live at the last look, or was created since.
    package var hadBackground = false
    /// No wakes between `force_quit` and `foreground`.
    package var isMuted = false
    /// What happened and was not announced.
    package var news: WakeReasons = []
    /// The last wake.
    package var wake: Wake?
    /// When the session is to be looked at; nil for when something happens.
    package private(set) var nextLookAt: Timestamp?

    /// A session that was never woken.
    package init() {}

    /// Until when a download that is created in the background now is delayed; nil for not at all.
    package var delayedUntil: Timestamp? {
        guard delay > .zero, let lastWakeAt else { return nil }
        return lastWakeAt + delay
    }

    /// Takes what was found, and answers what follows.
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
        // What happens while the client is awake is announced when it has completed its wake.
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

    /// The delay is over when it has passed without wakes and without downloads that were created
    /// in the background.
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

    /// The client is used by a person: the delay ends, and wakes are sent again.
    package mutating func foreground(at now: Timestamp) {
        delay = .zero
        isMuted = false
        news = []
        plan(at: now)
    }

    /// The person ended the client: no wakes until `foreground`.
    package mutating func forceQuit(at now: Timestamp) {
        isMuted = true
        news = []
        plan(at: now)
    }
}
