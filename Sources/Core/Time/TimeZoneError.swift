// Why a time zone cannot be used.

/// A TZif file or a rule that is not understood.
package struct TimeZoneError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package let description: String

    init(_ description: String) { self.description = description }
}
