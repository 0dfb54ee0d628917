// The lanes that looks have brought and that are still worth asking, with their gates.

/// What a replica knows of the lanes that are due.
///
/// It only proposes: a claim decides, so that a reading that is old costs a claim and breaks no
/// limit. Runs that begin and end here are counted at once.
package struct LaneDirectory: Sendable {
    /// At most so many lanes are kept.
    package static let lanesAtMost = 1024

    /// The lanes by number.
    private(set) package var lanes: [Int64: LaneHead] = [:]
    private var gates: [GateKey: GateReading] = [:]
    /// Lanes that gave nothing although they were due, and until when they are left alone.
    private var barren: [Int64: Timestamp] = [:]

    /// A lane of which nothing fitted before a closing.
    private struct Unfit {
        /// The lane as it was asked.
        let head: LaneHead
        let since: Timestamp
        var until: Timestamp
    }

    /// Those lanes: asked again at the closing, or once they are otherwise.
    private var unfit: [Int64: Unfit] = [:]
    /// What came into such a lane may fit: it is asked so long after it was asked last.
    private static let unfitRest = Duration.seconds(10)

    /// Nothing is known yet.
    package init() {}

    /// Takes a page in.
    ///
    /// - Parameters:
    ///   - page: what a look brought.
    ///   - isFirst: whether the look began a sweep; then nothing older is kept.
    package mutating func take(_ page: LanePage, isFirst: Bool) {
        if isFirst {
            lanes = [:]
            gates = [:]
        }
        if lanes.count + page.heads.count > LaneDirectory.lanesAtMost { lanes = [:] }
        for head in page.heads {
            lanes[head.lane] = head
            gates[.origin(head.originKey)] = head.origin
            gates[.session(head.sessionKey)] = head.sessionGate
            gates[.app(head.app)] = head.appGate
            if let connections = head.connections { gates[head.connectionsKey] = connections }
        }
        gates[.deployment] = GateReading(running: page.running)
    }

    /// Takes a lane in that has been known for some time: its places count as free where nothing
    /// newer is known, which a claim sets right.
    package mutating func add(_ head: LaneHead) {
        lanes[head.lane] = head
        for (key, reading) in [
            (GateKey.origin(head.originKey), head.origin),
            (.session(head.sessionKey), head.sessionGate), (.app(head.app), head.appGate),
        ] + (head.connections.map { [(head.connectionsKey, $0)] } ?? []) where gates[key] == nil {
            gates[key] = GateReading(limit: reading.limit, notBefore: reading.notBefore)
            gates[key]?.outage = reading.outage
        }
    }

    /// Forgets all lanes; those that gave nothing stay left alone.
    package mutating func forget() { lanes = [:] }

    /// A lane is asked no more until a look brings it again.
    package mutating func drop(_ lane: Int64) { lanes[lane] = nil }

    /// A lane has other downloads, the first of them due at an instant.
    package mutating func move(_ lane: Int64, to instant: Timestamp) {
        lanes[lane]?.runAt = instant
    }

    /// Leaves a lane alone for a time.
    package mutating func leave(_ lane: Int64, until instant: Timestamp) {
        barren[lane] = instant
        lanes[lane] = nil
    }

    /// Leaves a lane alone of which nothing fits before a closing, until then or until it is
    /// otherwise.
    package mutating func leave(unfit head: LaneHead, until closing: Timestamp, at now: Timestamp) {
        lanes[head.lane] = nil
        guard unfit.count < LaneDirectory.lanesAtMost else { return }
        unfit[head.lane] = Unfit(head: head, since: now, until: closing)
    }

    /// Something may have come into any lane.
    package mutating func hint(at now: Timestamp) {
        for (lane, entry) in unfit {
            let next = max(now, entry.since + LaneDirectory.unfitRest)
            unfit[lane]?.until = min(entry.until, next)
        }
    }

    /// Forgets which lanes were to be left alone up to an instant, or, after the clock was set
    /// back, for longer than a time.
    ///
    /// - Returns: whether there were any.
    package mutating func expire(at now: Timestamp, longest: Duration) -> Bool {
        let before = barren.count + unfit.count
        barren = barren.filter { $0.value > now && $0.value <= now + longest }
        unfit = unfit.filter { $0.value.until > now && $0.value.since <= now }
        return barren.count + unfit.count < before
    }

    /// Whether so many gave nothing that none is asked for a time.
    package var isBarren: Bool { barren.count >= LaneDirectory.lanesAtMost }

    /// When the first lane that is left alone is asked again.
    package var nextAttempt: Timestamp? {
        [barren.values.min(), unfit.values.map(\.until).min()].compactMap(\.self).min()
    }

    /// Counts a run that begins, with 1, or ends, with -1.
    package mutating func count(_ flow: LaneFlow, by change: Int) {
        count(.origin(flow.origin), by: change)
        count(.session(flow.session), by: change)
        count(.app(flow.app), by: change)
        count(.deployment, by: change)
        count(.connections(session: flow.session, origin: flow.origin), by: change)
    }

    /// Without an accessor that yields, whose frame would be allocated.
    private mutating func count(_ key: GateKey, by change: Int) {
        guard var reading = gates[key] else { return }
        reading.running = max(0, reading.running + change)
        gates.updateValue(reading, forKey: key)
    }

    /// What is known now of whether an origin is reached; nil where it is.
    package mutating func note(_ outage: Outage?, of origin: Int64) {
        gates[.origin(origin), default: GateReading()].outage = outage
    }

    /// How a thing is used; nil where that is not known.
    func knownGate(_ key: GateKey) -> GateReading? { gates[key] }

    /// How a thing is used, as far as is known.
    package func gate(_ key: GateKey) -> GateReading { gates[key] ?? GateReading() }

    /// Whether a lane may be asked.
    package func mayAsk(_ head: LaneHead) -> Bool {
        barren[head.lane] == nil && unfit[head.lane]?.head != head
    }
}
