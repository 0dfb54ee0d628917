// A seeded world: replicas over one store, with all the faults that can happen between them.
import Base
import Downloads
import Scheduling

/// Runs a world to its end and reports the first broken rule.
package struct World {
    static let start = Timestamp(seconds: 1_800_000_000)
    static let lease = Duration.seconds(30)
    static let margin = Duration.seconds(5)
    static let beat = Duration.seconds(10)
    static let timeLimit = Duration.seconds(5)
    static let poll = Duration.seconds(5)
    /// The most steps of a world; one with more asks again and again.
    static let stepsAtMost = 400_000
    /// The instant at which faults and clients' orders end.
    static let calm = start + .seconds(600)

    let plan: Plan
    let mutant: Mutant?
    let outages: PlannedOutages
    var misses: [Int64: Misses] = [:]
    var random: SeededRandom
    var store: ModelStore
    var replicas: [SimulatedReplica] = []
    var disks: [SimulatedDisk]
    var agenda = Agenda()
    var now = World.start
    /// The time by which the store's clock is ahead of the world's.
    var storeSkew = Duration.zero
    /// The first broken rule; nil for none.
    package var violation: String?
    /// A sum over all events, equal for equal seeds.
    package private(set) var trace: UInt64 = 0
    /// The number of events.
    package private(set) var count = 0
    var number = 0
    var claimed: Set<Claim> = []
    /// The claims that were let through to try whether an origin is reached.
    var probes: Set<Claim> = []

    struct Claim: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// Creates the world of a seed; a mutant puts a fault in it.
    package init(seed: UInt64, mutant: Mutant? = nil) {
        random = SeededRandom(seed: seed)
        plan = Plan(&random, from: World.start)
        self.mutant = mutant
        outages = PlannedOutages(
            seed: seed, origins: plan.downloads.map(\.key.origin).max() ?? 1,
            replicas: plan.replicas, from: World.start)
        disks = plan.volumes.map { SimulatedDisk(total: $0) }
        store = ModelStore(limits: plan.limits, lease: World.lease)
        store.mutant = mutant
        for place in 0..<plan.replicas {
            replicas.append(
                SimulatedReplica(
                    place: place, conductor: makeConductor(), renewedAt: World.start - World.lease))
        }
    }

    func makeConductor() -> Conductor {
        let limits = PolicyLimits(
            running: plan.limits.deployment, perOrigin: plan.limits.origin,
            perSession: plan.limits.session, perApp: plan.limits.app)
        return Conductor(
            policy: Policy(limits: limits), zone: .fixed(offset: 0), slots: plan.slots,
            pollInterval: mutant == .pollIsForever ? .seconds(86_400) : World.poll)
    }

    /// Runs a world.
    ///
    /// - Returns: the world at its end.
    package static func run(seed: UInt64, mutant: Mutant? = nil) -> World {
        var world = World(seed: seed, mutant: mutant)
        world.run()
        return world
    }

    private mutating func run() {
        schedule()
        let work = plan.lengths.values.reduce(Duration.zero, +)
        // On a small volume one file has to be removed before the next one is written.
        let end = World.calm + work * 4 + .seconds(1800 + 60 * plan.downloads.count)
        while violation == nil, let next = agenda.next() {
            // All work is done, and only clocks are left.
            if next.at > World.calm + .seconds(600), store.rows.count == plan.downloads.count,
                store.rows.values.allSatisfy({ $0.state == .ended })
            {
                break
            }
            guard next.at <= end else { break }
            now = max(now, next.at)
            count += 1
            if count > World.stepsAtMost { fail("it is busy without an end") }
            trace = (trace ^ UInt64(bitPattern: next.at.microseconds)) &* 0x100_0000_01b3
            trace = (trace ^ UInt64(next.number)) &* 0x100_0000_01b3
            happen(next)
            judge()
        }
        if violation == nil { judgeTheEnd() }
    }

    mutating func add(
        _ kind: Happening.Kind, in delay: Duration = .zero, to place: Int? = nil
    ) {
        number += 1
        agenda.add(
            Happening(
                at: now + delay, number: number, replica: place,
                incarnation: place.map { replicas[$0].incarnation } ?? 0, kind: kind))
    }

    private mutating func schedule() {
        for (place, row) in plan.downloads.enumerated() {
            add(.create(place), in: createdAt(row) - now)
            guard random.isOne(0.15) else { continue }
            let order: RunOrder = Bool.random(using: &random) ? .cancel : .suspend
            add(.order(row.id, order), in: createdAt(row) - now + random.span(0...600_000_000))
            guard order == .suspend else { continue }
            add(.resumeDownload(row.id), in: World.calm - now + .seconds(600))
        }
        for origin in plan.cooled { store.notBefore[origin] = World.calm + .seconds(400) }
        for place in replicas.indices {
            register(place)
            add(.heartbeat, in: random.span(0...10_000_000), to: place)
            add(.watch, in: .seconds(1), to: place)
            for minute in 0..<10 where random.isOne(plan.trouble) {
                let delay = Duration.seconds(60 * minute) + random.span(0...60_000_000)
                let kinds: [Happening.Kind] = [
                    .pause, .crash, .drain, .jump(random.span(-3_000_000...3_000_000)),
                ]
                add(kinds[Int.random(in: 0..<4, using: &random)], in: delay, to: place)
            }
        }
        for minute in 0..<10 where random.isOne(plan.trouble / 4) {
            add(.jump(random.span(-2_000_000...2_000_000)), in: .seconds(60 * minute))
        }
        scheduleDisks()
        add(.reap, in: .seconds(5))
    }

    private func createdAt(_ row: ModelRow) -> Timestamp {
        Timestamp(microseconds: Int64(row.id.high >> 16) * 1000)
    }
}
