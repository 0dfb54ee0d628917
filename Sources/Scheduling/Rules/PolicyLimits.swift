internal import Base

/// Limits of downloads that run at once.
package struct PolicyLimits: Equatable, Sendable {
    /// The limit of all replicas together; nil for no limit.
    package var running: Int?
    /// The limit of one replica; nil for the number from its settings.
    package var perReplica: Int?
    /// The limit of one origin, over all replicas, where no pattern is narrower.
    package var perOrigin: Int
    /// The limit of one session, over all replicas, where no pattern is narrower; nil for no limit.
    package var perSession: Int?
    /// The limit of one app, over all replicas, where no pattern is narrower; nil for no limit.
    package var perApp: Int?
    /// Limits of apps by patterns.
    var apps = PatternTable<Int>()
    /// Limits of sessions by patterns.
    var sessions = PatternTable<Int>()
    /// Limits of origins by patterns.
    var origins = PatternTable<Int>()

    /// The limits from the apps' own policies.
    var ofApps: [KeyText: PolicyLimits] = [:]

    /// Creates limits without patterns.
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
    package func app(_ name: String) -> Int? {
        Self.least(apps.value(of: name) ?? perApp, ofApps[KeyText(name)]?.app(name))
    }

    /// The limit of a session by its identifier and its app's name; nil for none.
    package func session(_ identifier: String, app: String = "") -> Int? {
        Self.least(
            sessions.value(of: identifier) ?? perSession,
            ofApps[KeyText(app)]?.session(identifier, app: ""))
    }

    /// The limit of an origin, as `SourceURL.origin` spells it or nil if unknown, for the downloads
    /// of an app.
    package func origin(_ origin: String?, app: String = "") -> Int {
        let limit = origin.flatMap { origins.value(ofOrigin: $0) } ?? perOrigin
        guard let own = ofApps[KeyText(app)] else { return limit }
        return min(limit, own.origin(origin, app: ""))
    }

    /// The limits of one download, without patterns of origins and sessions.
    package func of(origin: String?, session: String, app: String) -> PolicyLimits {
        PolicyLimits(
            running: running, perReplica: perReplica, perOrigin: self.origin(origin, app: app),
            perSession: self.session(session, app: app), perApp: self.app(app) ?? ofEveryApp)
    }

    /// The highest limit of any app; nil where an app may have none.
    package var ofEveryApp: Int? {
        perApp.map { apps.values.reduce($0) { max($0, $1) } }
    }

    /// The highest limit of any session; nil where a session may have none.
    package var ofEverySession: Int? {
        perSession.map { sessions.values.reduce($0) { max($0, $1) } }
    }

    /// The lower of two limits, nil for none.
    package static func least(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
