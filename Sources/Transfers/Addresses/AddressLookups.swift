// The state of name look-ups and their answers: the pure half of the resolver.
internal import Base
internal import Downloads

/// The answer to a look-up.
enum LookupAnswer: Sendable {
    /// The addresses, at least one.
    case addresses([IPAddress])
    /// The failure for which there are none.
    case failed(FailureCode)
}

/// A bounded set of look-ups with a short memory; one look-up serves all waiters for its name.
struct AddressLookups<Waiter> {
    /// The result of a question.
    enum Step {
        /// The answer is known.
        case answered(LookupAnswer)
        /// The waiter is returned by ``finish(_:with:now:)``.
        case waiting
        /// Too many names wait already.
        case refused
    }

    private var known: [String: (answer: LookupAnswer, until: Int64)] = [:]
    private var waiters: [String: [Waiter]] = [:]
    private var queue: [String] = []
    private var busyLanes = 0

    /// Asks for a name.
    ///
    /// - Parameters:
    ///   - host: a lower-case name.
    ///   - waiter: comes back with the answer when the step is `waiting`.
    ///   - now: nanoseconds since boot.
    /// - Returns: the answer, or what happens instead.
    mutating func ask(_ host: String, for waiter: Waiter, now: Int64) -> Step {
        if let entry = known[host], entry.until > now { return .answered(entry.answer) }
        if waiters[host] != nil {
            waiters[host]?.append(waiter)
            return .waiting
        }
        guard waiters.count < TransferLimits.lookupQueueMax else { return .refused }
        waiters[host] = [waiter]
        queue.append(host)
        return .waiting
    }

    /// The next name to look up, if a lane is free.
    mutating func next() -> String? {
        guard busyLanes < TransferLimits.lookupLanesMax, !queue.isEmpty else { return nil }
        busyLanes += 1
        return queue.removeFirst()
    }

    /// Stores an answer and returns its waiters.
    mutating func finish(_ host: String, with answer: LookupAnswer, now: Int64) -> [Waiter] {
        busyLanes -= 1
        if known.count >= TransferLimits.lookupCacheMax {
            known = known.filter { $0.value.until > now }
            if known.count >= TransferLimits.lookupCacheMax { known = [:] }
        }
        let lifetime =
            if case .addresses = answer {
                TransferLimits.lookupTTL
            } else {
                TransferLimits.lookupFailureTTL
            }
        known[host] = (answer, now + lifetime)
        return waiters.removeValue(forKey: host) ?? []
    }
}
