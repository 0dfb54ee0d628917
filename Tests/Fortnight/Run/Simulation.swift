// Runs a world minute by minute under one scheduler.

/// The results of a world under one scheduler.
struct Outcome: Sendable {
    let name: String
    let jobs: [Job]
    /// Bytes of discretionary downloads that came in each hour.
    let discretionaryBytes: [Double]
    /// Bytes of all other downloads that came in each hour.
    let normalBytes: [Double]
}

/// Runs a world; a transfer's rate is its origin's, cut to a fair share of the link.
struct Simulation {
    /// The minutes for which the run continues after the world's end, for the remaining downloads.
    private static let tail = 5 * 24 * 60

    private var yard: Yard
    private var discretionaryBytes: [Double]
    private var normalBytes: [Double]
    private var nextArrival = 0

    init(_ world: World) {
        yard = Yard(world: world, jobs: world.downloads.map(Job.init))
        let hours = (World.minutes + Simulation.tail) / 60
        discretionaryBytes = Array(repeating: 0, count: hours)
        normalBytes = discretionaryBytes
    }

    /// Runs the world to its end.
    static func run(_ world: World, _ scheduler: some Scheduler) -> Outcome {
        var simulation = Simulation(world)
        var scheduler = scheduler
        for minute in 0..<World.minutes + tail {
            simulation.arrive(minute)
            if simulation.yard.live.isEmpty, minute >= World.minutes { break }
            simulation.choose(&scheduler, minute)
            simulation.move(&scheduler, minute)
        }
        return Outcome(
            name: scheduler.name, jobs: simulation.yard.jobs,
            discretionaryBytes: simulation.discretionaryBytes,
            normalBytes: simulation.normalBytes)
    }

    /// Continues from a minute whose downloads have come, until all downloads that wait then have
    /// begun.
    ///
    /// - Parameters:
    ///   - world: the world, with other downloads from then on.
    ///   - jobs: all its downloads.
    ///   - yard: the waiting and running downloads.
    ///   - scheduler: its state before it decides in that minute.
    ///   - now: the minute.
    ///   - limit: the last minute that is simulated.
    /// - Returns: the downloads.
    static func rollOut(
        _ world: World, _ jobs: [Job], _ yard: Yard, _ scheduler: some Scheduler, from now: Int,
        to limit: Int
    ) -> [Job] {
        var simulation = Simulation(world)
        var scheduler = scheduler
        simulation.yard = Yard(
            world: world, jobs: jobs, live: yard.live, due: [], running: yard.running)
        simulation.nextArrival = world.downloads.count { $0.created <= now }
        var waiting = yard.live.filter { jobs[$0].began == nil }
        for minute in now..<limit {
            if minute > now { simulation.arrive(minute) }
            simulation.choose(&scheduler, minute)
            waiting.removeAll { simulation.yard.jobs[$0].began != nil }
            if waiting.isEmpty { break }
            simulation.move(&scheduler, minute)
        }
        return simulation.yard.jobs
    }

    private mutating func arrive(_ minute: Int) {
        let downloads = yard.world.downloads
        while nextArrival < downloads.count, downloads[nextArrival].created <= minute {
            yard.live.append(nextArrival)
            nextArrival += 1
        }
    }

    private mutating func choose(_ scheduler: inout some Scheduler, _ minute: Int) {
        let mayStop = scheduler.isPreemptive
        yard.due = yard.live.filter {
            yard.jobs[$0].runAt <= minute && (mayStop || !yard.jobs[$0].isRunning)
        }
        guard mayStop || yard.running.count < World.slots else { return }
        let order = yard.due.isEmpty ? [] : scheduler.order(yard, at: minute)
        var chosen = mayStop ? [] : yard.running
        var perOrigin = Array(repeating: 0, count: World.origins)
        for number in chosen { perOrigin[yard.jobs[number].download.origin] += 1 }
        for number in order where chosen.count < World.slots {
            let origin = yard.jobs[number].download.origin
            guard perOrigin[origin] < World.perOrigin else { continue }
            perOrigin[origin] += 1
            chosen.append(number)
        }
        if mayStop { for number in yard.running { yard.jobs[number].isRunning = false } }
        for number in chosen where !yard.jobs[number].isRunning { begin(number, minute) }
        yard.running = chosen
    }

    private mutating func begin(_ number: Int, _ minute: Int) {
        yard.jobs[number].isRunning = true
        yard.jobs[number].began = yard.jobs[number].began ?? minute
        // A download that was only stopped continues its attempt.
        guard !yard.jobs[number].isAttempting else { return }
        yard.jobs[number].isAttempting = true
        let luck = yard.world.luck(of: number, attempt: yard.jobs[number].attempts)
        yard.jobs[number].attempts += 1
        yard.jobs[number].factor = luck.factor
        let job = yard.jobs[number]
        yard.jobs[number].attempt = (0, 0, job.rest)
        yard.jobs[number].breaksAt = luck.breaksAt.map { job.done + $0 * job.rest }
    }

    private mutating func move(_ scheduler: inout some Scheduler, _ minute: Int) {
        let caps = yard.running.map { number in
            let job = yard.jobs[number]
            return yard.world.rate(ofOrigin: job.download.origin, minute) * job.factor
        }
        let rates = Flow.shares(of: yard.world.link(minute), caps: caps)
        for (place, number) in yard.running.enumerated() {
            let rate = min(rates[place], yard.jobs[number].rest)
            yard.jobs[number].done += rate
            yard.jobs[number].cost += rate / 1e9 * yard.world.price(minute)
            if World.isPeak(minute) { yard.jobs[number].peakBytes += rate }
            let hour = minute / 60
            if yard.jobs[number].download.isDiscretionary {
                discretionaryBytes[hour] += rate
            } else {
                normalBytes[hour] += rate
            }
            yard.jobs[number].rate = rates[place]
            yard.jobs[number].attempt.bytes += rate
            yard.jobs[number].attempt.minutes += rates[place] > 0 ? rate / rates[place] : 1
            settle(number, &scheduler, minute)
        }
        let total = rates.reduce(0, +)
        scheduler.observe(total: total, running: rates.count, at: minute)
        yard.running.removeAll { !yard.jobs[$0].isRunning }
        yard.live.removeAll { yard.jobs[$0].ended != nil }
    }

    private mutating func settle(
        _ number: Int, _ scheduler: inout some Scheduler, _ minute: Int
    ) {
        if let breaksAt = yard.jobs[number].breaksAt, yard.jobs[number].done >= breaksAt {
            yard.jobs[number].breaksAt = nil
            yard.jobs[number].isAttempting = false
            yard.jobs[number].isRunning = false
            scheduler.learn(yard.jobs[number], at: minute)
            if !yard.jobs[number].download.isResumable { yard.jobs[number].done = 0 }
            yard.jobs[number].runAt = minute + 1 + min(60, 1 << yard.jobs[number].attempts)
        } else if yard.jobs[number].rest < 1 {
            yard.jobs[number].isRunning = false
            yard.jobs[number].ended = minute + 1
            scheduler.learn(yard.jobs[number], at: minute)
        }
    }
}
