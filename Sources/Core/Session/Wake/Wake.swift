// One wake of a session: sent, answered, completed, or sent again.

/// One wake, from its first delivery to its end.
package struct Wake: Equatable, Sendable {
    /// Where it stands; the raw value is the number in the store.
    package enum State: Int16, Sendable, CaseIterable {
        /// Its webhook is on its way, or no answer came yet.
        case sending = 0
        /// It was answered with 202: the client works.
        case open = 1
        /// The client has completed it.
        case completed = 2
        /// It was never completed.
        case abandoned = 3
    }

    /// What came of completing or extending it.
    package enum Outcome: Equatable, Sendable {
        /// It holds.
        case done
        /// It was completed before.
        case already
        /// It was abandoned.
        case expired
    }

    /// The answer of a client that goes on working; every other 2xx completes the wake.
    package static let opens = 202
    /// Deliveries of one wake, the first among them.
    package static let deliveriesAtMost = 5
    /// Seconds that extensions add, all together.
    package static let extensionAtMost: Int64 = 300

    /// What names it; whoever has it may complete the wake.
    package let token: Identifier
    /// When it was sent first.
    package let sentAt: Timestamp
    /// Why.
    package let reasons: WakeReasons
    /// Where it stands.
    package var state = State.sending
    /// The number of its delivery, from 1.
    package var delivery = 1
    /// Until when it is open; nil before an answer came, unless it was extended.
    package var expiresAt: Timestamp?
    /// Seconds that extensions have added.
    package var extended: Int64 = 0

    /// A wake that is about to be sent.
    package init(token: Identifier, sentAt: Timestamp, reasons: WakeReasons) {
        self.token = token
        self.sentAt = sentAt
        self.reasons = reasons
    }

    /// Whether it has not ended.
    package var isUnfinished: Bool { state == .sending || state == .open }

    /// The client has done its work.
    package mutating func complete() -> Outcome {
        switch state {
        case .completed: return .already
        case .abandoned: return .expired
        case .sending, .open:
            state = .completed
            expiresAt = nil
            return .done
        }
    }

    /// The client asks for more time, of which it gets what is left of `extensionAtMost`.
    package mutating func extend(
        by seconds: Int64, at now: Timestamp, timeout: Duration
    ) -> Outcome {
        switch state {
        case .completed: return .already
        case .abandoned: return .expired
        case .sending, .open:
            let granted = min(seconds, Wake.extensionAtMost - extended)
            extended += granted
            expiresAt = max(expiresAt ?? now + timeout, now) + .seconds(granted)
            return .done
        }
    }

    /// Takes what became of its webhook, and its time; true if it is to be sent again.
    mutating func advance(
        _ delivery: WakeFacts.Delivery, at now: Timestamp, timeout: Duration
    ) -> Bool {
        switch (state, delivery) {
        case (.sending, .answered(status: Wake.opens, let instant)):
            state = .open
            expiresAt = max(expiresAt ?? instant, instant + timeout)
        case (.sending, .answered): _ = complete()
        case (.sending, .givenUp): state = .abandoned
        default: break
        }
        guard state == .open, let end = expiresAt, end <= now else { return false }
        expiresAt = nil
        guard self.delivery < Wake.deliveriesAtMost else {
            state = .abandoned
            return false
        }
        self.delivery += 1
        state = .sending
        return true
    }
}
