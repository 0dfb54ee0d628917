// The reason why a time zone cannot be used.

/// The error of a TZif file or a rule that cannot be read.
package struct TimeZoneError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The fault.
    package let description: String

    init(_ description: String) { self.description = description }
}
