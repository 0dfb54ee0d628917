// The effects of the store's statements, each at one instant; migrations/functions has the real
// ones.
import Base
import Downloads
import Scheduling

/// A model of the tables that claims and ends touch.
struct ModelStore {
    struct Lane {
        let number: Int64
        let key: ModelKey
        /// A lower bound of the first waiting `runAt` in the lane; nil for an empty lane.
        var nextAt: Timestamp?
        /// The last change that made a row of the lane begin earlier.
        var changed: Int
    }

    struct Limits {
        var deployment: Int
        var origin: Int
        var session: Int
        var app: Int
    }

    let limits: Limits
    let lease: Duration
    var mutant: Mutant?
    var rows: [Identifier: ModelRow] = [:]
    /// The order of creation, in which all rows are read.
    var order: [Identifier] = []
    var lanes: [Lane] = []
    /// The number of changes that made a row of a lane begin earlier.
    private(set) var changes = 0
    var running: [GateKey: Int] = [:]
    /// The end of each replica's lease.
    var leases: [Int64: Timestamp] = [:]
    /// Origins that asked for a pause, with its end.
    var notBefore: [Int64: Timestamp] = [:]
    /// Unreachable origins.
    var outages: [Int64: ModelOutage] = [:]
    /// The registrations of each data directory, with the clock that was read before each.
    private var instances: [Int: [Int64: Timestamp]] = [:]
    private var replicaCount: Int64 = 0

    init(limits: Limits, lease: Duration) {
        self.limits = limits
        self.lease = lease
    }

    // MARK: rows

    mutating func create(_ row: ModelRow, at now: Timestamp) {
        rows[row.id] = row
        order.append(row.id)
        let late = mutant == .createWakesTooLate ? row.runAt + .seconds(3600) : row.runAt
        enter(row, at: mutant == .createWakesNoLane ? nil : late)
    }

    /// Lowers the bound of a row's lane, which is created if it is missing.
    private mutating func enter(_ row: ModelRow, at instant: Timestamp?) {
        let place = lanes.firstIndex { $0.key == row.key }
        guard let place else {
            changes += 1
            lanes.append(
                Lane(
                    number: Int64(lanes.count + 1), key: row.key, nextAt: instant,
                    changed: changes))
            return
        }
        guard let instant, lanes[place].nextAt.map({ $0 > instant }) ?? true else { return }
        changes += 1
        lanes[place].nextAt = instant
        lanes[place].changed = changes
    }

    private mutating func count(_ row: ModelRow, _ change: Int) {
        for gate in row.gates { running[gate, default: 0] += change }
    }

    // MARK: replicas

    /// Registers a process on a data directory, and releases the runs of earlier ones there.
    ///
    /// - Returns: its number; nil where a request that was made later has been carried out.
    mutating func register(_ instance: Int, asked: Timestamp, at now: Timestamp) -> Int64? {
        let own = (instances[instance] ?? [:]).filter { leases[$0.key] != nil }
        if mutant != .lateRegistrationHolds,
            own.contains(where: { $0.value > asked && $0.value <= now })
        {
            return nil
        }
        for old in own.keys.sorted() where mutant != .registerKeepsOldRuns {
            release(replica: old, at: now)
        }
        replicaCount += 1
        leases[replicaCount] = now + lease
        instances[instance, default: [:]][replicaCount] = asked
        return replicaCount
    }

    /// Whether a registration of a data directory holds a download.
    func holdsRuns(_ instance: Int, but number: Int64) -> Bool {
        let own = instances[instance] ?? [:]
        return rows.values.contains { row in
            row.replica.map { $0 != number && own[$0] != nil } ?? false
        }
    }

    /// Renews a lease.
    ///
    /// - Returns: orders for what the replica runs; nil where the lease is over.
    mutating func heartbeat(_ replica: Int64, at now: Timestamp) -> [(Identifier, RunOrder)]? {
        guard let until = leases[replica], until > now else { return nil }
        leases[replica] = now + lease
        guard mutant != .cancelIsNotPassedOn else { return [] }
        return order.compactMap { id in
            guard let row = rows[id], row.replica == replica, let order = row.control else {
                return nil
            }
            return (id, order)
        }
    }

    /// Releases the runs of replicas whose lease is over.
    ///
    /// - Returns: whether there was any.
    mutating func reap(at now: Timestamp) -> Bool {
        guard mutant != .reapTakesNobody else { return false }
        let count = leases.count
        let early: Duration = mutant == .reapTakesLivingReplicas ? lease * 0.7 : .zero
        for (replica, until) in leases.sorted(by: { $0.key < $1.key }) where until < now + early {
            release(replica: replica, at: now)
        }
        return leases.count < count
    }

    private mutating func release(replica: Int64, at now: Timestamp) {
        for id in order where rows[id]?.replica == replica { release(id, at: now) }
        leases[replica] = nil
    }

    /// Releases runs that a replica did not know when it asked: the statement may arrive late.
    mutating func releaseUnknown(_ replica: Int64, _ known: KnownRuns, at now: Timestamp) {
        for id in order where rows[id]?.replica == replica && !known.ids.contains(id) {
            guard let row = rows[id],
                row.claimedAt < known.at || mutant == .unknownRunsAreJudgedLate
            else { continue }
            release(id, at: now)
        }
    }

    private mutating func release(_ id: Identifier, at now: Timestamp) {
        guard var row = rows[id], row.state == .running else { return }
        if mutant != .releaseForgetsTheGate { count(row, -1) }
        row.replica = nil
        row.isProbe = false
        row.fence += 1
        if row.control == .cancel || mutant == .releaseEndsIt {
            row.state = .ended
            row.ends += 1
        } else {
            row.state = row.control == .suspend ? .suspended : .waiting
            row.runAt = max(now, row.runAt)
        }
        row.control = nil
        row.orderedAt = nil
        rows[id] = row
        if row.state == .waiting, mutant != .releaseWakesNoLane { enter(row, at: row.runAt) }
    }

    // MARK: runs

    /// Takes due downloads from lanes in their order.
    ///
    /// - Returns: the runs, and when lanes that were asked are due next; nil where the lease is
    ///   over.
    mutating func claim(
        _ order: ClaimOrder, room: Int64?, by replica: Int64, at now: Timestamp
    ) -> (runs: [ClaimedRun], due: [Int64: Timestamp])? {
        guard (leases[replica].map { $0 > now } ?? false) || mutant == .claimIgnoresTheLease
        else { return nil }
        var runs: [ClaimedRun] = []
        var due: [Int64: Timestamp] = [:]
        var room = mutant == .claimIgnoresTheRoom ? .max : room ?? .max
        for quota in order.quotas {
            guard let place = lanes.firstIndex(where: { $0.number == quota.head.lane }) else {
                continue
            }
            let lane = lanes[place]
            var left = mutant == .claimTakesMoreThanAsked ? 100 : quota.count
            for id in waiting(in: lane.key) {
                guard left > 0, runs.count < order.total || mutant == .claimTakesMoreThanAsked
                else { break }
                guard let row = rows[id], row.runAt <= now || mutant == .claimTakesTooEarly,
                    row.runAt >= lane.nextAt ?? row.runAt, hasRoom(row, order, now),
                    row.bytes <= room
                else { continue }
                let probes = order.probes - runs.count { $0.isProbe }
                let passage = passage(row.key.origin, probes: probes, at: now)
                guard passage != .closed else { continue }
                room -= row.bytes
                var run = take(row, by: replica, lane: lane.number, at: now)
                run.isProbe = passage == .probe
                rows[id]?.isProbe = run.isProbe
                if run.isProbe { probe(row.key.origin, at: now) }
                runs.append(run)
                left -= 1
            }
            settle(place, at: now)
            due[lane.number] = lanes[place].nextAt
        }
        return (runs, due)
    }

    private mutating func take(
        _ row: ModelRow, by replica: Int64, lane: Int64, at now: Timestamp
    ) -> ClaimedRun {
        var row = row
        if mutant != .claimForgetsTheGate { count(row, 1) }
        row.state = .running
        row.replica = replica
        row.claimedAt = now
        if mutant != .claimKeepsTheFence { row.fence += 1 }
        rows[row.id] = row
        var run = ClaimedRun(id: row.id, fence: row.fence, order: row.control, need: row.bytes)
        run.flow = LaneFlow(
            app: row.key.app, session: row.key.session, origin: row.key.origin)
        run.schedulingClass = row.key.schedulingClass
        run.lane = lane
        return run
    }

    private func hasRoom(_ row: ModelRow, _ order: ClaimOrder, _ now: Timestamp) -> Bool {
        func isFree(_ key: GateKey, _ limit: Int?, _ blind: Mutant) -> Bool {
            limit.map { running[key, default: 0] < $0 } ?? true || mutant == blind
        }
        // Checked again here, because the directory may be old.
        guard notBefore[row.key.origin].map({ $0 <= now }) ?? true else { return false }
        return isFree(.origin(row.key.origin), limits.origin, .claimIgnoresTheOrigin)
            && isFree(.session(row.key.session), limits.session, .claimIgnoresTheSession)
            && isFree(.app(row.key.app), order.appLimits[row.key.app], .claimIgnoresTheApp)
            && isFree(.deployment, limits.deployment, .claimIgnoresTheDeployment)
    }

    /// The waiting downloads of a lane, the earliest begin first.
    private func waiting(in key: ModelKey) -> [Identifier] {
        order.filter { id in
            guard let row = rows[id], row.key == key else { return false }
            return row.state == .waiting
                || mutant == .claimTakesWhatRuns && row.state == .running
        }.sorted { (rows[$0]?.runAt ?? .epoch, $0) < (rows[$1]?.runAt ?? .epoch, $1) }
    }

    private mutating func settle(_ place: Int, at now: Timestamp) {
        var heads = waiting(in: lanes[place].key).compactMap { rows[$0]?.runAt }
        if mutant == .settleRaisesTooFar, heads.count > 1 { heads.removeFirst() }
        lanes[place].nextAt = heads.first
    }

    /// Records the end of a run, or its retry.
    mutating func finish(_ end: RunReport, by replica: Int64, at now: Timestamp) {
        guard var row = rows[end.id],
            row.state == .running && row.fence == end.fence && row.replica == replica
                || mutant == .finishIgnoresTheFence && row.state != .ended
        else { return }
        if mutant != .finishForgetsTheGate, row.state == .running { count(row, -1) }
        row.replica = nil
        row.isProbe = false
        learn(end.reach, of: row.key.origin, at: now)
        switch (row.control, end.outcome) {
        case (.cancel, _), (_, .done), (_, .canceled):
            row.isDone = end.outcome == .done
            if row.isDone { row.contentFence = end.fence }
            row.state = .ended
            row.ends += mutant == .finishCountsTwice ? 2 : 1
        case (.suspend, _), (_, .suspended): row.state = .suspended
        case (_, .failed): (row.state, row.runAt) = (.waiting, now + end.backoff)
        case (_, .released): (row.state, row.runAt) = (.waiting, now)
        case (_, .unreached): row.state = .waiting
        }
        if end.outcome == .failed { row.failuresLeft -= 1 }
        if end.outcome == .failed || end.outcome == .unreached && mutant == .missCostsAnAttempt {
            row.attempts += 1
        }
        row.control = nil
        row.orderedAt = nil
        rows[end.id] = row
        if row.state == .waiting, mutant != .finishWakesNoLane { enter(row, at: row.runAt) }
    }

    // MARK: clients

    mutating func order(_ order: RunOrder, _ id: Identifier, at now: Timestamp) {
        guard var row = rows[id] else { return }
        row.isCanceled = row.isCanceled || order == .cancel && row.state != .ended
        switch (row.state, order) {
        case (.running, _):
            row.control = row.control == .cancel ? .cancel : order
            row.orderedAt = row.orderedAt ?? now
        case (.waiting, .cancel), (.suspended, .cancel):
            if mutant == .cancelForgetsWhatWaits { return }
            row.state = .ended
            row.ends += 1
        case (.waiting, .suspend): row.state = .suspended
        default: break
        }
        rows[id] = row
    }

    mutating func resume(_ id: Identifier, at now: Timestamp) {
        guard var row = rows[id], row.state == .suspended else { return }
        row.state = .waiting
        row.runAt = max(now, row.runAt)
        rows[id] = row
        if mutant != .resumeWakesNoLane { enter(row, at: row.runAt) }
    }
}
