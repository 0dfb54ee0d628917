// Which names are being looked up and what is known: the pure half of the resolver.
internal import Core

/// What is known about a name.
enum LookupAnswer: Sendable {
    /// Its addresses, at least one.
    case addresses([IPAddress])
    /// Why there are none.
    case failed(FailureCode)
}

/// A bounded set of look-ups with a short memory; one look-up serves all that wait for the name.
struct AddressLookups<Waiter> {
    /// What a question leads to.
    enum Step {
        /// Known.
        case answered(LookupAnswer)
        /// The waiter comes back from ``finish(_:with:now:)``.
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

    /// The next name to look up, while there is a lane for it.
    mutating func next() -> String? {
        guard busyLanes < TransferLimits.lookupLanesMax, !queue.isEmpty else { return nil }
        busyLanes += 1
        return queue.removeFirst()
    }

    /// Stores an answer and returns those that waited for it.
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
