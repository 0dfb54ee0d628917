internal import Base

/// A wait that an origin asked for, and the downloads to which it applies.
package struct ToldWait: Equatable, Sendable {
    /// The wait as told, not bounded.
    package var time: Duration
    /// Whether all downloads of the app from the origin wait; if not, only the one that was
    /// answered.
    package var holdsOrigin: Bool

    /// Creates a value with both members.
    package init(time: Duration, holdsOrigin: Bool = true) {
        self.time = time
        self.holdsOrigin = holdsOrigin
    }

    /// The shortest and the longest told time that is obeyed: a second, a day.
    package static let bounds: ClosedRange<Duration> = .seconds(1)...(.seconds(86_400))
    /// The most time that is added, so that downloads with one told time are not all repeated at
    /// one instant.
    private static let mostExtra = Duration.seconds(60)

    /// The wait within the bounds.
    package var bounded: Duration {
        min(max(time, ToldWait.bounds.lowerBound), ToldWait.bounds.upperBound)
    }

    /// The wait of one download: the told time and up to a tenth of it more.
    package func spread(using random: inout some RandomNumberGenerator) -> Duration {
        bounded + ToldWait.extra(bounded, using: &random)
    }

    /// Up to a tenth of a wait, at most a minute.
    static func extra(
        _ wait: Duration, using random: inout some RandomNumberGenerator
    ) -> Duration {
        let most = min(wait / 10, mostExtra).wholeMicroseconds
        return .microseconds(Int64.random(in: 0...most, using: &random))
    }
}
