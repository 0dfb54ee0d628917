internal import Glibc

/// How much a message matters.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// For those who look for a fault.
    case debug
    /// The normal course.
    case info
    /// A condition that an operator may want to change.
    case warn
    /// Something that did not work and will not mend itself.
    case error

    /// The order of urgency.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Its name in lines and in the configuration.
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
