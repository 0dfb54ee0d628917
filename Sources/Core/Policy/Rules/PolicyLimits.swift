/// How many downloads may run at once.
package struct PolicyLimits: Equatable, Sendable {
    /// Of the deployment.
    package var running: Int
    /// From one origin, over all replicas, where no pattern is narrower.
    package var perOrigin: Int
    /// Of one session, over all replicas, where no pattern is narrower.
    package var perSession: Int
    /// In one replica; nil where only its slots bound it.
    package var perReplica: Int?
    /// Of one app, over all replicas.
    var apps = PatternTable<Int>()
    /// Of sessions by patterns.
    var sessions = PatternTable<Int>()
    /// Of origins by patterns.
    var origins = PatternTable<Int>()

    /// Sets the three that every policy has.
    package init(running: Int, perOrigin: Int, perSession: Int) {
        self.running = running
        self.perOrigin = perOrigin
        self.perSession = perSession
    }

    /// The limit of an app by its name; nil without one.
    package func perApp(_ name: String) -> Int? { apps.value(of: name) }

    /// The limit of a session by its identifier.
    package func perSession(_ identifier: String) -> Int {
        sessions.value(of: identifier) ?? perSession
    }

    /// The limit of an origin as `SourceURL.origin` spells it; nil for one that is not known.
    package func perOrigin(_ origin: String?) -> Int {
        origin.flatMap { origins.value(ofOrigin: $0) } ?? perOrigin
    }
}
