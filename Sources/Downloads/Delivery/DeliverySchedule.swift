// The times of the repeated tries of a failed webhook.
package import Base

/// The waits between the attempts of a delivery.
package struct DeliverySchedule: Equatable, Sendable {
    /// The wait after each failed attempt; one more attempt than waits is made.
    package var waits: [Duration]

    /// Creates a schedule with these waits.
    package init(waits: [Duration]) { self.waits = waits }

    /// Ten attempts over 75 h 35 m, as Standard Webhooks 1.0 suggests.
    package static let standard = DeliverySchedule(
        waits: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map { .seconds($0) })

    /// The longest time over which a delivery is tried, jitter included.
    package var lifetime: Duration { waits.reduce(.zero, +) * 1.2 }

    /// The time of the next try.
    ///
    /// - Parameters:
    ///   - attempt: the number of the attempt that failed, from 1.
    ///   - type: progress and pings are tried once.
    ///   - retryAfter: what the receiver asked for; obeyed when later, up to a day.
    ///   - now: the instant of the failure.
    ///   - random: where the 20 % of jitter come from.
    /// - Returns: nil when the delivery is given up.
    package func next(
        afterAttempt attempt: Int, of type: EventType, retryAfter: Duration?, now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) -> Timestamp? {
        guard type != .progress, type != .endpointPing, attempt >= 1, attempt <= waits.count else {
            return nil
        }
        let wait = waits[attempt - 1].wholeMicroseconds
        let jittered = wait - wait / 5 + Int64.random(in: 0...(wait / 5 * 2), using: &random)
        let asked = min(retryAfter ?? .zero, .seconds(86_400)).wholeMicroseconds
        return now + .microseconds(max(jittered, asked))
    }
}
