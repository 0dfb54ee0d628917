internal import Glibc

/// The urgency of a log message.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Details for finding a fault.
    case debug
    /// Normal operation.
    case info
    /// A condition that an operator may want to change.
    case warn
    /// A failure that does not end by itself.
    case error

    /// Orders levels by urgency.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The name of the level in lines and in the configuration.
    package var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warn: "warn"
        case .error: "error"
        }
    }

    /// The level of a name, or nil.
    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }
}
