// The error of a text that is not JSON, with its position.

/// The first fault in a JSON text.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of bytes before the fault.
    package let offset: Int
    /// The line of the fault, from 1.
    package let line: Int
    /// The column of the fault, from 1, in code points.
    package let column: Int
    /// A description for the author of the text.
    package let message: String
    /// Whether the text exceeds a limit, although its syntax may be right.
    package let isBeyondLimits: Bool

    init(_ message: String, at offset: Int, in bytes: [UInt8], isBeyondLimits: Bool = false) {
        self.isBeyondLimits = isBeyondLimits
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        self.offset = offset
        self.line = before.count(where: { $0 == 0x0a }) + 1
        self.column = before[start...].count(where: { $0 & 0xc0 != 0x80 }) + 1
        self.message = message
    }

    /// The message with its place.
    package var description: String { "\(message) (line \(line), column \(column))" }
}
