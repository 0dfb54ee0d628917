// The log of the service, whose level and format SIGHUP can change.
internal import Platform
internal import Synchronization

/// A log that passes messages to a replaceable log.
final class LiveLog: Sendable {
    private let current: Mutex<Log>

    /// Creates a log on standard error with the format of the settings.
    init(_ configuration: Configuration) { current = Mutex(LiveLog.log(configuration)) }

    /// Uses the level and format of these settings from now on.
    func follow(_ configuration: Configuration) {
        let log = LiveLog.log(configuration)
        current.withLock { $0 = log }
    }

    /// The log for all parts of the program.
    var log: Log {
        Log(following: { self.current.withLock { $0 } })
    }

    private static func log(_ configuration: Configuration) -> Log {
        .standardError(threshold: configuration.logLevel, json: configuration.logsJSON)
    }
}
