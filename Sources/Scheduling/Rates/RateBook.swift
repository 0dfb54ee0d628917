// The rate limits of this replica: its share of the policy's and of the sessions' limits.
package import Base
internal import Downloads

/// Computes the rate limits of this replica from policy, sessions, and runs.
///
/// A rate of the deployment is divided by the runs that share it: a replica with three of four runs
/// gets three quarters. While the runs of other replicas are unknown, replicas get equal parts.
package struct RateBook: Sendable {
    private struct Shared {
        var name: String
        var app = ""
        var host = ""
        var port = 0
        var here = 0
        var everywhere: Int?
        var own: Int64?
    }

    private var bandwidth: Bandwidth
    private var zone: TimeZoneRules
    private var runs: [Identifier: RateRun] = [:]
    private var sessions: [Int64: Shared] = [:]
    private var origins: [Int64: Shared] = [:]
    private var apps: [Int64: Shared] = [:]
    private var classes: [SchedulingClass: Shared] = [:]
    private var replicas = 1
    private var runningEverywhere: Int?

    /// Creates the book of a replica without runs.
    package init(_ bandwidth: Bandwidth, zone: TimeZoneRules) {
        self.bandwidth = bandwidth
        self.zone = zone
    }

    /// Whether any rate is 0 at some time.
    package var canStop: Bool { bandwidth.canStop }

    /// Whether a rate of an origin is 0 at some time.
    package var canStopOrigins: Bool { bandwidth.canStopOrigins }

    /// The sessions among the given ones whose limit is unknown.
    package func unknown(_ keys: [Int64]) -> Set<Int64> {
        var unknown: Set<Int64> = []
        for key in keys where sessions[key] == nil { unknown.insert(key) }
        return unknown
    }

    /// The keys that the next census has to cover.
    package var known: (sessions: [Int64], origins: [Int64], apps: [Int64], downloads: [Identifier])
    {
        (sessions.keys.sorted(), origins.keys.sorted(), apps.keys.sorted(), runs.keys.sorted())
    }

    /// Adds a run.
    ///
    /// - Returns: whether the limits may have changed.
    package mutating func begin(_ id: Identifier, _ run: RateRun) -> Bool {
        end(id)
        runs[id] = run
        let known = sessions[run.sessionKey]
        // Taken out and put back, because an access in place costs three allocations.
        var session = known ?? Shared(name: run.session)
        (session.name, session.app) = (run.session, run.app)
        session.here += 1
        sessions.updateValue(session, forKey: run.sessionKey)
        let isNew = known?.here ?? 0 == 0
        let isNewOrigin = countOrigin(of: run)
        return count(run, by: 1) || isNew || isNewOrigin
    }

    /// Counts a run at its origin if an origin has a rate, because there may be very many origins.
    ///
    /// - Returns: whether the origin was not known.
    private mutating func countOrigin(of run: RateRun) -> Bool {
        guard bandwidth.hasOrigins else { return false }
        let known = origins[run.originKey]
        var origin = known ?? Shared(name: run.host, host: run.host, port: run.port)
        origin.here += 1
        origins.updateValue(origin, forKey: run.originKey)
        return known == nil
    }

    /// Counts a run in its app and its class if one of these has a rate.
    ///
    /// - Returns: whether one of them had no run here.
    private mutating func count(_ run: RateRun, by change: Int) -> Bool {
        guard bandwidth.hasAppsOrClasses || !apps.isEmpty else { return false }
        var app = apps[run.appKey] ?? Shared(name: run.app)
        var kind = classes[run.schedulingClass] ?? Shared(name: run.schedulingClass.word)
        let isFirst = app.here == 0 || kind.here == 0
        app.here = max(0, app.here + change)
        kind.here = max(0, kind.here + change)
        apps.updateValue(app, forKey: run.appKey)
        classes.updateValue(kind, forKey: run.schedulingClass)
        return isFirst
    }

    /// Removes a run.
    package mutating func end(_ id: Identifier) {
        guard let run = runs.removeValue(forKey: id) else { return }
        if var session = sessions[run.sessionKey] {
            session.here -= 1
            sessions.updateValue(session, forKey: run.sessionKey)
        }
        if var origin = origins[run.originKey] {
            origin.here -= 1
            origins.updateValue(origin, forKey: run.originKey)
        }
        _ = count(run, by: -1)
    }

    /// Puts another policy in force.
    package mutating func replace(_ bandwidth: Bandwidth, zone: TimeZoneRules) {
        let hadOrigins = self.bandwidth.hasOrigins
        self.bandwidth = bandwidth
        self.zone = zone
        (apps, classes) = ([:], [:])
        if !bandwidth.hasOrigins { origins = [:] }
        for run in runs.values {
            _ = count(run, by: 1)
            if !hadOrigins { _ = countOrigin(of: run) }
        }
    }

    /// Sets the limit of a session; nil for none.
    package mutating func limitSession(_ key: Int64, to limit: Int64?) {
        sessions[key, default: Shared(name: "")].own = limit
    }

    /// Takes a census, and removes sessions and origins without a run here.
    package mutating func apply(_ census: RateCensus) {
        replicas = max(1, census.replicas)
        runningEverywhere = census.running
        for key in Array(sessions.keys) {
            guard sessions[key]?.here != 0 else {
                sessions[key] = nil
                continue
            }
            sessions[key]?.own = census.limitsOfSessions[key]
            sessions[key]?.everywhere = census.runningOfSessions[key]
        }
        for key in Array(origins.keys) {
            guard origins[key]?.here != 0 else {
                origins[key] = nil
                continue
            }
            origins[key]?.everywhere = census.runningOfOrigins[key]
        }
        apps = apps.filter { $0.value.here != 0 }
        for key in Array(apps.keys) { apps[key]?.everywhere = census.runningOfApps[key] }
        for kind in Array(classes.keys) {
            classes[kind]?.everywhere = census.runningOfClasses.map { $0[kind] ?? 0 }
        }
    }

    /// The limits at an instant.
    package func order(at now: Timestamp) -> RateOrder {
        var order = RateOrder()
        func set(_ scope: RateScope, _ rate: ByteRate, _ share: Double) {
            guard let bytes = rate.bytesPerSecond else { return }
            order.limits[scope] = bytes == 0 ? 0 : max(1, Int64(Double(bytes) * share))
        }
        func look(_ timetable: Timetable?) -> ByteRate {
            guard let state = timetable?.state(at: now, in: zone) else { return .unlimited }
            if let until = state.until { order.until = min(order.until ?? until, until) }
            return state.rate
        }
        set(
            .deployment, look(bandwidth.deployment),
            share(here: runs.count, everywhere: runningEverywhere))
        for (key, session) in sessions where session.here > 0 {
            let rate = look(bandwidth.session(session.name)).tighter(ByteRate(session.own))
                .tighter(look(bandwidth.ofApps[KeyText(session.app)]?.session(session.name)))
            set(.session(key), rate, share(here: session.here, everywhere: session.everywhere))
        }
        for (key, origin) in origins where origin.here > 0 {
            let rate = look(bandwidth.origin(host: origin.host, port: origin.port))
            set(.origin(key), rate, share(here: origin.here, everywhere: origin.everywhere))
        }
        for (key, app) in apps where app.here > 0 {
            set(
                .app(key),
                look(bandwidth.app(app.name)).tighter(
                    look(bandwidth.ofApps[KeyText(app.name)]?.deployment)),
                share(here: app.here, everywhere: app.everywhere))
        }
        for (kind, runs) in classes where runs.here > 0 {
            set(
                .schedulingClass(kind), look(bandwidth.timetable(of: kind)),
                share(here: runs.here, everywhere: runs.everywhere))
        }
        return order
    }

    /// The runs whose rate is 0 at an instant.
    package func stopped(at now: Timestamp) -> [Identifier] {
        guard bandwidth.canStop else { return [] }
        let limits = order(at: now).limits
        return runs.filter { _, run in run.scopes.contains { limits[$0] == 0 } }.keys.sorted()
    }

    private func share(here: Int, everywhere: Int?) -> Double {
        guard replicas > 1 else { return 1 }
        guard let everywhere else { return 1 / Double(replicas) }
        return Double(max(1, here)) / Double(max(1, here, everywhere))
    }
}
