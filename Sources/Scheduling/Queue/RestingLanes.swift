// Lanes that gave no download although they were due: each is asked again only after a pause, so
// that those behind it have their turn.
internal import Base

/// Lanes that a claim asked in vain.
///
/// A claim does not say why a lane gave nothing: its downloads may be too large for the disk, or a
/// gate may be full that the book shows as open. The end of a run of the same origin ends the pause
/// of one lane, since it may have made room at such a gate.
struct RestingLanes: Sendable {
    /// The shortest pause.
    static let shortest = Duration.seconds(1)
    /// The pause grows by this for each lane that rests, so that however many there are, no more
    /// than 50 are asked again in a second.
    static let spacing = Duration.milliseconds(20)
    /// The most lanes that are asked again at once because there is more room on the volume.
    static let askedForRoom = 64
    /// Pauses end together, at multiples of these microseconds, so that one claim asks several
    /// lanes again.
    private static let grid: Int64 = 250_000
    /// The most lanes; a further one is asked again at once.
    static let most = LaneIndex.lanesAtMost

    private struct Rest {
        let origin: Int64
        let until: Timestamp
        let ticket: Int
    }

    private var rests: [Int64: Rest] = [:]
    private var lanesOf: [Int64: Set<Int64>] = [:]
    private var alarms = LaneAlarms()
    private var lastTicket = 0
    /// The instant at which a pause began last; a clock before it was set back.
    private var lastBegin = Timestamp.epoch

    /// The instant at which the first pause ends.
    var nextEnd: Timestamp? { alarms.first?.at }

    /// The end of a lane's pause; nil if it does not rest.
    func until(_ lane: Int64) -> Timestamp? { rests[lane]?.until }

    /// Some of the lanes, those whose pauses end soonest among them.
    func some(_ most: Int) -> [Int64] {
        alarms.some(most).filter { rests[$0.lane]?.ticket == $0.ticket }.map(\.lane)
    }

    /// Lets a lane rest.
    mutating func add(_ lane: Int64, origin: Int64, at now: Timestamp) {
        end(lane)
        guard rests.count < RestingLanes.most else { return }
        lastBegin = now
        lastTicket += 1
        let end = now + RestingLanes.shortest + RestingLanes.spacing * rests.count
        let grid = RestingLanes.grid
        let until = Timestamp(microseconds: (end.microseconds + grid - 1) / grid * grid)
        rests[lane] = Rest(origin: origin, until: until, ticket: lastTicket)
        lanesOf[origin, default: []].insert(lane)
        alarms.add(LaneAlarms.Alarm(at: until, lane: lane, ticket: lastTicket))
        if alarms.count > 2 * rests.count + 64 {
            let rests = rests
            alarms.keep { rests[$0.lane]?.ticket == $0.ticket }
        }
    }

    /// Ends the pause of one lane of an origin, of which a run has ended.
    ///
    /// - Returns: the lane; nil if none of the origin rests.
    mutating func endOne(ofOrigin origin: Int64) -> Int64? {
        guard let lane = lanesOf[origin]?.first else { return nil }
        end(lane)
        return lane
    }

    /// Ends the pauses of some lanes, since there is more room on the volume.
    ///
    /// - Returns: the lanes.
    mutating func endSome() -> [Int64] {
        let lanes = some(RestingLanes.askedForRoom)
        for lane in lanes { end(lane) }
        return lanes
    }

    /// Ends the pauses that are over; all of them if the clock was set back.
    ///
    /// - Returns: their lanes.
    mutating func expire(at now: Timestamp) -> [Int64] {
        if now < lastBegin {
            let lanes = rests.keys.sorted()
            self = RestingLanes()
            return lanes
        }
        var lanes: [Int64] = []
        while let alarm = alarms.first, alarm.at <= now {
            lanes.append(alarm.lane)
            end(alarm.lane)
        }
        return lanes
    }

    private mutating func end(_ lane: Int64) {
        guard let rest = rests.removeValue(forKey: lane) else { return }
        lanesOf[rest.origin]?.remove(lane)
        if lanesOf[rest.origin]?.isEmpty ?? false { lanesOf[rest.origin] = nil }
        // Outdated alarms are removed where they come first, so that `nextEnd` holds.
        while let alarm = alarms.first, rests[alarm.lane]?.ticket != alarm.ticket {
            alarms.removeFirst()
        }
    }
}
