// What is wrong with a text that is not JSON, and where.

/// The first fault in a JSON text.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Bytes before the fault.
    package let offset: Int
    /// The line of the fault, from 1.
    package let line: Int
    /// The column of the fault, from 1, in code points.
    package let column: Int
    /// What is wrong, in words for the author of the text.
    package let message: String
    /// Whether the text is more than is read, rather than wrong.
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

/// What a text may not exceed.
package struct JSONLimits: Sendable {
    /// How many arrays and objects may stand in each other, 1 or more.
    package var depth: Int
    /// How many bytes the text may have.
    package var bytes: Int
    /// How many values the text may have, arrays and objects counted with what they hold.
    package var values: Int
    /// How many members one object may have.
    package var members: Int
    /// How many bytes of memory the values may take, about; long texts take little more than they
    /// have, short ones many times that.
    package var memory: Int

    /// 64 levels, 16 MiB of text, 200,000 values, 1,000 members and 8 MiB of memory unless given
    /// otherwise.
    package init(
        depth: Int = 64, bytes: Int = 16 << 20, values: Int = 200_000, members: Int = 1000,
        memory: Int = 8 << 20
    ) {
        precondition(depth >= 1 && depth <= 512, "each level costs stack")
        self.depth = depth
        self.bytes = bytes
        self.values = values
        self.members = members
        self.memory = memory
    }

    /// The limits for requests.
    package static let `default` = JSONLimits()
}
