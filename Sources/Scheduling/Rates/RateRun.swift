package import Downloads

/// The values of a run that rate limits depend on.
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
    /// Its scheduling class.
    package var schedulingClass = SchedulingClass.normal

    /// The scopes of shared limits that it belongs to, the narrow ones first.
    package var scopes: [RateScope] {
        [
            .session(sessionKey), .origin(originKey), .app(appKey),
            .schedulingClass(schedulingClass), .deployment,
        ]
    }

    /// Creates a run with the values that every one has.
    package init(sessionKey: Int64, session: String, originKey: Int64, host: String, port: Int) {
        self.sessionKey = sessionKey
        self.session = session
        self.originKey = originKey
        self.host = host
        self.port = port
    }
}
