/// How many downloads may run at once.
package struct PolicyLimits: Equatable, Sendable {
    /// In all replicas together; nil for no limit.
    package var running: Int?
    /// In one replica; nil for its settings' number.
    package var perReplica: Int?
    /// From one origin, over all replicas, where no pattern is narrower.
    package var perOrigin: Int
    /// Of one session, over all replicas, where no pattern is narrower; nil for no limit.
    package var perSession: Int?
    /// Of one app, over all replicas, where no pattern is narrower; nil for no limit.
    package var perApp: Int?
    /// Of apps by patterns.
    var apps = PatternTable<Int>()
    /// Of sessions by patterns.
    var sessions = PatternTable<Int>()
    /// Of origins by patterns.
    var origins = PatternTable<Int>()

    /// Sets what holds without patterns.
    package init(
        running: Int? = nil, perReplica: Int? = nil, perOrigin: Int, perSession: Int? = nil,
        perApp: Int? = nil
    ) {
        self.running = running
        self.perReplica = perReplica
        self.perOrigin = perOrigin
        self.perSession = perSession
        self.perApp = perApp
    }

    /// The limit of an app by its name; nil for none.
    package func app(_ name: String) -> Int? { apps.value(of: name) ?? perApp }

    /// The limit of a session by its identifier; nil for none.
    package func session(_ identifier: String) -> Int? {
        sessions.value(of: identifier) ?? perSession
    }

    /// The limit of an origin as `SourceURL.origin` spells it; nil for one that is not known.
    package func origin(_ origin: String?) -> Int {
        origin.flatMap { origins.value(ofOrigin: $0) } ?? perOrigin
    }

    /// Those of one download, without patterns of origins and sessions.
    package func of(origin: String?, session: String) -> PolicyLimits {
        PolicyLimits(
            running: running, perReplica: perReplica, perOrigin: self.origin(origin),
            perSession: self.session(session), perApp: ofEveryApp)
    }

    /// The limit of every app at least; nil where an app may have none.
    package var ofEveryApp: Int? {
        perApp.map { apps.values.reduce($0) { max($0, $1) } }
    }

    /// The limit of every session at least; nil where a session may have none.
    package var ofEverySession: Int? {
        perSession.map { sessions.values.reduce($0) { max($0, $1) } }
    }
}
