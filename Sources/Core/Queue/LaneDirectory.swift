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
        ] where gates[key] == nil {
            gates[key] = GateReading(limit: reading.limit, notBefore: reading.notBefore)
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

    /// Forgets which lanes were to be left alone up to an instant, or, after the clock was set
    /// back, for longer than a time.
    ///
    /// - Returns: whether there were any.
    package mutating func expire(at now: Timestamp, longest: Duration) -> Bool {
        let before = barren.count
        barren = barren.filter { $0.value > now && $0.value <= now + longest }
        return barren.count < before
    }

    /// Whether so many gave nothing that none is asked for a time.
    package var isBarren: Bool { barren.count >= LaneDirectory.lanesAtMost }

    /// When the first lane that is left alone is asked again.
    package var nextAttempt: Timestamp? { barren.values.min() }

    /// Counts a run that begins, with 1, or ends, with -1.
    package mutating func count(_ flow: LaneFlow, by change: Int) {
        for key in [
            GateKey.origin(flow.origin), .session(flow.session), .app(flow.app), .deployment,
        ] {
            guard let running = gates[key]?.running else { continue }
            gates[key]?.running = max(0, running + change)
        }
    }

    /// How a thing is used, as far as is known.
    package func gate(_ key: GateKey) -> GateReading { gates[key] ?? GateReading() }

    /// Whether a lane may be asked.
    package func mayAsk(_ lane: Int64) -> Bool { barren[lane] == nil }
}
