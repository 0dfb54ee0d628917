// A wake of a session: sent, answered, completed, or sent again.
package import Base

/// A wake from its first delivery to its end.
package struct Wake: Equatable, Sendable {
    /// The state of a wake; the raw value is its number in the store.
    package enum State: Int16, Sendable, CaseIterable {
        /// Its webhook is being sent, or was not answered yet.
        case sending = 0
        /// It was answered with 202: the client works.
        case open = 1
        /// The client has completed it.
        case completed = 2
        /// It was never completed.
        case abandoned = 3
    }

    /// The result of completing or extending a wake.
    package enum Outcome: Equatable, Sendable {
        /// It is completed or extended.
        case done
        /// It was completed before.
        case already
        /// It was abandoned.
        case expired
    }

    /// The status by which a client says that it goes on working; every other 2xx completes the
    /// wake.
    package static let opens = 202
    /// The most deliveries of one wake.
    package static let deliveriesAtMost = 5
    /// The most seconds that extensions add in all.
    package static let extensionAtMost: Int64 = 300

    /// The identifier of the wake; whoever has it may complete the wake.
    package let token: Identifier
    /// The time at which it was sent first.
    package let sentAt: Timestamp
    /// The reasons of the wake.
    package let reasons: WakeReasons
    /// The state.
    package var state = State.sending
    /// The number of its delivery, from 1.
    package var delivery = 1
    /// The time until which it is open; nil before an answer, unless it was extended.
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

    /// Notes that the client has completed its work.
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

    /// Grants the client more time, within the rest of `extensionAtMost`.
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

    /// Takes the state of its webhook, and the time; true if it has to be sent again.
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
