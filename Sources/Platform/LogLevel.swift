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

    /// The level's name as in the configuration, or nil.
    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }
}
