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
        Log { level, message, fields in
            let log = self.current.withLock { $0 }
            switch level {
            case .debug: log.debug(message, fields)
            case .info: log.info(message, fields)
            case .warn: log.warn(message, fields)
            case .error: log.error(message, fields)
            }
        }
    }

    private static func log(_ configuration: Configuration) -> Log {
        .standardError(threshold: configuration.logLevel, json: configuration.logsJSON)
    }
}
