// The log of the service, whose level and format SIGHUP changes.
internal import Platform
internal import Synchronization

/// A log over another one that can be replaced.
final class LiveLog: Sendable {
    private let current: Mutex<Log>

    /// A log on standard error, as the settings say.
    init(_ configuration: Configuration) { current = Mutex(LiveLog.log(configuration)) }

    /// Writes as these settings say from now on.
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
