/// A run as its limits see it.
package struct RateRun: Sendable, Equatable {
    /// Its session's key.
    package var sessionKey: Int64
    /// Its session's identifier.
    package var session: String
    /// Its origin's key.
    package var originKey: Int64
    /// Its origin's host, as `SourceURL.host` spells it.
    package var host: String
    /// Its origin's port.
    package var port: Int
    /// Its app's key.
    package var appKey: Int64 = 1
    /// Its app's name; empty where it is not known.
    package var app = ""
    /// Its class.
    package var schedulingClass = SchedulingClass.normal

    /// What it belongs to as far as shared limits go, the narrow ones first.
    package var scopes: [RateScope] {
        [
            .session(sessionKey), .origin(originKey), .app(appKey),
            .schedulingClass(schedulingClass), .deployment,
        ]
    }

    /// Names what every run has.
    package init(sessionKey: Int64, session: String, originKey: Int64, host: String, port: Int) {
        self.sessionKey = sessionKey
        self.session = session
        self.originKey = originKey
        self.host = host
        self.port = port
    }
}
