/// The minimum speed of a stream, as curl's `--speed-limit` and `--speed-time`.
package struct LowSpeed: Equatable, Sendable {
    /// The default: 100 bytes a second over 5 minutes.
    package static let standard = LowSpeed(bytesPerSecond: 100, window: .seconds(300))

    /// Bytes a second, above 0.
    package let bytesPerSecond: Int64
    /// The time over which they are counted.
    package let window: Duration

    /// Creates a value with both members.
    package init(bytesPerSecond: Int64, window: Duration) {
        precondition(bytesPerSecond > 0 && window > .zero, "a floor is above the ground")
        self.bytesPerSecond = bytesPerSecond
        self.window = window
    }

    /// The rule with a window of at least this length: a client that allows a long silence wants
    /// it.
    package func over(atLeast silence: Duration) -> LowSpeed {
        LowSpeed(bytesPerSecond: bytesPerSecond, window: max(window, silence))
    }
}
