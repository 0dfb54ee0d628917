internal import Glibc

/// A value in a log line.
package enum LogValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringInterpolation
{
    /// Text; control characters are escaped when written.
    case string(String)
    /// A number.
    case integer(Int64)
    /// A number with a fraction, written with three digits.
    case decimal(Double)

    /// Creates a text.
    package init(stringLiteral value: String) { self = .string(value) }
    /// Creates a number.
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
