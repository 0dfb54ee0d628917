/// The operator's settings for wakes.
package struct WakeSettings: Equatable, Sendable {
    /// The first delay of downloads created in the background; it doubles with each wake.
    package var delay: Duration
    /// The longest delay.
    package var cap: Duration
    /// The time for which an answered wake stays open.
    package var timeout: Duration

    /// Creates a value with all its members.
    package init(delay: Duration, cap: Duration, timeout: Duration) {
        self.delay = delay
        self.cap = cap
        self.timeout = timeout
    }

    /// A minute, an hour, ten seconds.
    package static let standard = WakeSettings(
        delay: .seconds(60), cap: .seconds(3600), timeout: .seconds(10))

    /// The delay after one more wake.
    package func raised(_ delay: Duration) -> Duration {
        min(cap, delay == .zero ? self.delay : delay * 2)
    }
}
