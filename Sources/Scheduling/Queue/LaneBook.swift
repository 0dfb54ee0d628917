// All lanes that a replica knows: each stands where fairness chooses from, or under what opens it.
internal import Base
internal import Downloads

/// The known lanes of a replica.
///
/// A lane that is due and open is in the queue. A lane that rules close is in the index, which
/// finds it when they open; a lane that is not due yet, whose origin asked for a pause or that is
/// left alone waits for an instant; flows at a full gate sleep in the queue until the gate wakes
/// them.
///
/// The book only proposes and the claim decides, so an outdated reading costs a claim and breaks no
/// limit. Runs that begin and end here are counted at once.
struct LaneBook: Sendable {
    /// The most lanes that are kept; those that were read longest ago make room for others.
    static let lanesAtMost = LaneIndex.lanesAtMost
    /// The most lanes that rest because no download of theirs fits before a closing; further ones
    /// rest as all others that were asked in vain.
    private static let unfitAtMost = 1024
    /// The most flows that are woken at once when gates open.
    private static let wokenAtOnce = 512
    /// After this time a lane of which no download fitted is claimed again if there was a hint: it
    /// may have got one that fits.
    private static let unfitRest = Duration.seconds(10)

    /// A lane of which no download fits before a closing.
    private struct UnfitLane {
        /// The lane as it was claimed: a change of it ends the pause.
        let head: LaneHead
        let since: Timestamp
        var until: Timestamp
    }

    /// A class and app, by which flows at a gate are woken in turn.
    private struct Turn: Hashable, Comparable {
        let servingClass: ServingClass
        let app: Int64

        static func < (left: Turn, right: Turn) -> Bool {
            (left.servingClass.rawValue, left.app) < (right.servingClass.rawValue, right.app)
        }
    }

    /// A sleeping branch, and the lane that found the gate full.
    private struct Parked {
        let branch: LaneQueue.Branch
        let lane: Int64
    }

    /// The key of a pause: an origin asks an app for no requests.
    private struct Pause: Hashable {
        let origin: Int64
        let app: Int64
    }

    var index: LaneIndex
    var queue = LaneQueue()
    private var gates: [GateKey: GateReading] = [:]
    /// The number of lanes and runs here that use each gate.
    private var users: [GateKey: Int] = [:]
    private var lanesOf: [Int64: Set<Int64>] = [:]
    /// The sleeping branches of each gate, by turn.
    private var waiting: [GateKey: [Turn: [Parked]]] = [:]
    /// Gates that may have places for branches that sleep there.
    private var opened: Set<GateKey> = []
    /// Lanes that wait for an instant.
    private var openings = LaneAlarms()
    /// The instants at which lanes in the queue reach their next rank.
    private var steps = LaneAlarms()
    /// The ticket of each lane's valid alarm.
    private var tickets: [Int64: Int] = [:]
    private var lastTicket = 0
    private var resting = RestingLanes()
    private var unfit: [Int64: UnfitLane] = [:]
    /// The times at which the pauses of origins end, as they were read last.
    private var pauses: [Pause: Timestamp] = [:]
    /// Lanes whose instant to wait for may have changed.
    private var unsettled: Set<Int64> = []
    /// The gate with which the next reading of full gates begins.
    private var gateTurn = 0

    init(_ situation: Situation) { index = LaneIndex(situation) }

    /// The number of known lanes.
    var count: Int { index.count }

    /// The lanes of an origin.
    func lanes(ofOrigin origin: Int64) -> Set<Int64> { lanesOf[origin] ?? [] }

    // MARK: lanes

    /// Takes a lane as it was read, with its gates.
    ///
    /// - Returns: whether rules let it begin, and lanes of its origin for which that has changed
    ///   what is known of the origin.
    mutating func enter(_ head: LaneHead) -> (isOpen: Bool, others: Set<Int64>) {
        for key in keys(of: head) { use(key, by: 1) }
        if let old = index.head(head.lane) {
            for key in keys(of: old) { use(key, by: -1) }
            if old.originKey != head.originKey { lanesOf[old.originKey]?.remove(head.lane) }
        }
        let before = gates[.origin(head.originKey)]
        note(head.origin, of: .origin(head.originKey))
        note(head.sessionGate, of: .session(head.sessionKey))
        note(head.appGate, of: .app(head.app))
        if let connections = head.connections { note(connections, of: head.connectionsKey) }
        lanesOf[head.originKey, default: []].insert(head.lane)
        let isOpen = index.enter(head, isOut: true)
        var others = takePause(of: head)
        if let before, before.outage != head.origin.outage {
            others.formUnion(lanes(ofOrigin: head.originKey))
        }
        others.remove(head.lane)
        return (isOpen, others)
    }

    /// Takes the pause of a lane's origin, which applies to the app's other lanes there too.
    private mutating func takePause(of head: LaneHead) -> Set<Int64> {
        let key = Pause(origin: head.originKey, app: head.app)
        let pause = head.origin.notBefore
        guard pauses[key] != pause else { return [] }
        pauses[key] = pause
        let others = lanes(ofOrigin: head.originKey)
            .filter { index.head($0)?.app == head.app }
        for lane in others { index.note(lane, pause: pause) }
        return others
    }

    /// Forgets a lane.
    mutating func remove(_ lane: Int64) {
        withdraw(lane)
        guard let head = index.head(lane) else { return }
        index.remove(lane)
        lanesOf[head.originKey]?.remove(lane)
        if lanesOf[head.originKey]?.isEmpty ?? false {
            lanesOf[head.originKey] = nil
            pauses[Pause(origin: head.originKey, app: head.app)] = nil
        }
        for key in keys(of: head) { use(key, by: -1) }
    }

    private func keys(of head: LaneHead) -> [GateKey] {
        [
            .origin(head.originKey), .session(head.sessionKey), .app(head.app),
            head.connectionsKey,
        ]
    }

    /// Makes room for lanes that are read, where it is needed.
    ///
    /// - Returns: whether there was too little.
    mutating func makeRoom(for more: Int) -> Bool {
        guard count + more > LaneBook.lanesAtMost else { return false }
        for lane in index.readLongestAgo(more + LaneBook.lanesAtMost / 8) { remove(lane) }
        return true
    }

    /// Puts a lane into the queue.
    mutating func seat(_ lane: Int64, _ seat: LaneQueue.Seat, nextStep: Timestamp?) {
        queue.insert(lane, seat)
        lastTicket += 1
        tickets[lane] = lastTicket
        guard let nextStep else { return }
        steps.add(LaneAlarms.Alarm(at: nextStep, lane: lane, ticket: lastTicket))
    }

    /// Leaves a lane out until an instant.
    mutating func postpone(_ lane: Int64, until instant: Timestamp) {
        queue.remove(lane)
        lastTicket += 1
        tickets[lane] = lastTicket
        openings.add(LaneAlarms.Alarm(at: instant, lane: lane, ticket: lastTicket))
    }

    /// Takes a lane out of the queue; the index keeps it.
    mutating func withdraw(_ lane: Int64) {
        queue.remove(lane)
        tickets[lane] = nil
    }

    /// The lanes whose instant has come.
    mutating func ring(at now: Timestamp) -> Set<Int64> {
        var found = unsettled.filter { index.isOut($0) }
        unsettled = []
        while let alarm = openings.first, alarm.at <= now {
            openings.removeFirst()
            if tickets[alarm.lane] == alarm.ticket { found.insert(alarm.lane) }
        }
        while let alarm = steps.first, alarm.at <= now {
            steps.removeFirst()
            if tickets[alarm.lane] == alarm.ticket { found.insert(alarm.lane) }
        }
        let tickets = tickets
        let most = 2 * tickets.count + 1024
        if openings.count > most { openings.keep { tickets[$0.lane] == $0.ticket } }
        if steps.count > most { steps.keep { tickets[$0.lane] == $0.ticket } }
        return found
    }

    /// The instant of the first lane that waits for one.
    mutating func nextOpening() -> Timestamp? {
        while let alarm = openings.first, tickets[alarm.lane] != alarm.ticket {
            openings.removeFirst()
        }
        return openings.first?.at
    }

    // MARK: lanes that gave nothing

    /// Lets a lane that was asked in vain rest for a time.
    mutating func rest(_ head: LaneHead, at now: Timestamp) {
        resting.add(head.lane, origin: head.originKey, at: now)
    }

    /// Lets a lane of which no download fits before a closing rest until then, or until the lane
    /// changes.
    mutating func rest(unfit head: LaneHead, until closing: Timestamp, at now: Timestamp) {
        guard unfit.count < LaneBook.unfitAtMost else { return rest(head, at: now) }
        unfit[head.lane] = UnfitLane(head: head, since: now, until: closing)
    }

    /// Notes that any lane may have a new download.
    mutating func hint(at now: Timestamp) {
        for (lane, entry) in unfit {
            let next = max(now, entry.since + LaneBook.unfitRest)
            unfit[lane]?.until = min(entry.until, next)
        }
    }

    /// Notes that there is more room on the volume.
    mutating func noteRoom() { unsettled.formUnion(resting.endSome()) }

    /// Ends the pauses that are over; all of them if the clock was set back.
    ///
    /// - Returns: their lanes.
    mutating func expire(at now: Timestamp) -> [Int64] {
        var lanes = resting.expire(at: now)
        for (lane, entry) in unfit where entry.until <= now || entry.since > now {
            unfit[lane] = nil
            lanes.append(lane)
        }
        return lanes.sorted()
    }

    /// Some of the lanes that rest, those that rest longest among them.
    func restingLanes(_ most: Int) -> [Int64] { resting.some(most) + unfit.keys.prefix(most) }

    /// The time at which the first lane that rests may be claimed again.
    var nextAttempt: Timestamp? {
        [resting.nextEnd, unfit.values.map(\.until).min()].compactMap(\.self).min()
    }

    /// The time until which a lane rests; nil if it may be claimed.
    func restsUntil(_ head: LaneHead) -> Timestamp? {
        let closing = unfit[head.lane].flatMap { $0.head == head ? $0.until : nil }
        return [resting.until(head.lane), closing].compactMap(\.self).max()
    }

    // MARK: gates

    /// Notes the use of a gate.
    mutating func note(_ reading: GateReading, of key: GateKey) {
        let before = gates.updateValue(reading, forKey: key)
        guard waiting[key] != nil else { return }
        if reading.running < before?.running ?? .max || reading.limit != before?.limit {
            opened.insert(key)
        }
    }

    /// Counts a run that begins, with 1, or ends, with -1.
    mutating func count(_ flow: LaneFlow, by change: Int) {
        if change < 0, let lane = resting.endOne(ofOrigin: flow.origin) { unsettled.insert(lane) }
        count(.origin(flow.origin), by: change)
        count(.session(flow.session), by: change)
        count(.app(flow.app), by: change)
        count(.deployment, by: change)
        count(.connections(session: flow.session, origin: flow.origin), by: change)
    }

    /// Written without an accessor that yields, which would allocate its frame.
    private mutating func count(_ key: GateKey, by change: Int) {
        if change < 0, waiting[key] != nil { opened.insert(key) }
        if var reading = gates[key] {
            reading.running = max(0, reading.running + change)
            gates.updateValue(reading, forKey: key)
        }
        use(key, by: change)
    }

    /// Counts the lanes and runs of a gate; it is known while there are any.
    private mutating func use(_ key: GateKey, by change: Int) {
        guard key != .deployment else { return }
        let count = (users[key] ?? 0) + change
        guard count <= 0 else { return _ = users.updateValue(count, forKey: key) }
        users[key] = nil
        gates[key] = nil
        // No lane is left that would sleep there.
        if waiting[key] != nil { opened.insert(key) }
    }

    /// Notes the outage of an origin, nil if it is reached; the instants of its lanes change.
    mutating func note(_ outage: Outage?, of origin: Int64) {
        gates[.origin(origin), default: GateReading()].outage = outage
        unsettled.formUnion(lanes(ofOrigin: origin))
    }

    /// The reading of a gate; nil if unknown.
    func knownGate(_ key: GateKey) -> GateReading? { gates[key] }

    /// The reading of a gate; an empty one if unknown.
    func gate(_ key: GateKey) -> GateReading { gates[key] ?? GateReading() }

    /// Lets branches that a plan found at full gates sleep until these open.
    mutating func park(_ found: [SlotPlan.Waiting]) {
        for item in found {
            opened.remove(item.gate)
            guard queue.sleep(item.branch, app: item.app) else { continue }
            let turn = Turn(servingClass: item.branch.servingClass, app: item.app)
            waiting[item.gate, default: [:]][turn, default: []].append(
                Parked(branch: item.branch, lane: item.lane))
        }
    }

    /// Wakes branches at gates that may have places: a bounded number, higher classes first and
    /// apps in turn.
    mutating func openGates() {
        var budget = LaneBook.wokenAtOnce
        for key in opened {
            guard budget > 0, var turns = waiting[key] else { continue }
            for kind in ServingClass.allCases where budget > 0 {
                var own = turns.keys.filter { $0.servingClass == kind }.sorted()
                while budget > 0, !own.isEmpty {
                    own = own.filter { turn in
                        guard budget > 0, let parked = turns[turn]?.popLast() else { return false }
                        budget -= 1
                        queue.wake(parked.branch, app: turn.app)
                        if turns[turn]?.isEmpty ?? true { turns[turn] = nil }
                        return turns[turn] != nil
                    }
                }
            }
            waiting[key] = turns.isEmpty ? nil : turns
            if turns.isEmpty { opened.remove(key) }
        }
        opened = opened.filter { waiting[$0] != nil }
    }

    /// Whether there are gates with branches that may still be woken.
    var hasOpenGates: Bool { !opened.isEmpty }

    /// Notes that any limit may have changed.
    mutating func openAllGates() { opened = Set(waiting.keys) }

    /// Whether branches sleep at gates.
    var hasFullGates: Bool { !waiting.isEmpty }

    /// A lane of each gate with sleeping branches, of some gates in turn.
    mutating func lanesOfFullGates(_ most: Int) -> [Int64] {
        guard !waiting.isEmpty else { return [] }
        // In order where all of them are read: a simulated world is the same each time.
        let keys = waiting.count <= most ? waiting.keys.sorted() : Array(waiting.keys)
        var found: [Int64] = []
        for step in 0..<min(most, keys.count) {
            let key = keys[(gateTurn + step) % keys.count]
            let parked = waiting[key]?.min { $0.key < $1.key }?.value.first
            guard let parked else { continue }
            let known = index.has(parked.lane) ? parked.lane : queue.anyLane(of: parked.branch)
            if let known { found.append(known) }
        }
        gateTurn = (gateTurn + most) % max(1, keys.count)
        return found
    }
}
