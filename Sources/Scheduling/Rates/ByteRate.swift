// A rate in bytes a second, as in timetables and limits.
internal import Base

/// A number of bytes a second, 0 for stopped, or no limit.
package struct ByteRate: Hashable, Sendable {
    /// Bytes a second, 0 or more; nil without a limit.
    package let bytesPerSecond: Int64?

    /// A rate; a negative number counts as 0.
    package init(_ bytesPerSecond: Int64?) {
        self.bytesPerSecond = bytesPerSecond.map { max(0, $0) }
    }

    /// No limit.
    package static let unlimited = ByteRate(nil)
    /// A rate of 0.
    package static let stopped = ByteRate(0)

    /// Whether the rate is 0.
    package var isStopped: Bool { bytesPerSecond == 0 }

    /// The tighter of two rates.
    package func tighter(_ other: ByteRate?) -> ByteRate {
        guard let mine = bytesPerSecond else { return other ?? self }
        guard let theirs = other?.bytesPerSecond else { return self }
        return ByteRate(min(mine, theirs))
    }
}

extension ByteRate: CustomStringConvertible {
    /// The rate as a timetable has it: `off`, `0` or a size such as `512KiB`.
    package var description: String {
        guard let bytesPerSecond else { return "off" }
        return bytesPerSecond == 0 ? "0" : ByteCount.print(bytesPerSecond)
    }
}
