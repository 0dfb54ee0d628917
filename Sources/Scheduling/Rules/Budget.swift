/// A budget: bytes that may be transferred in a period.
package struct Budget: Equatable, Sendable {
    /// The length of a period, in the policy's time zone.
    package enum Period: String, Sendable, CaseIterable {
        case hour, day, week, month
    }

    /// The things of which each has a counter of its own.
    package enum Scope: String, Sendable, CaseIterable {
        case deployment, app, session, origin
    }

    /// The direction of the bytes that count.
    package enum Direction: String, Sendable, CaseIterable {
        case received, sent, both
    }

    /// The app whose policy has the budget; empty for the deployment's.
    package var owner = ""
    /// Its name.
    package var name: String
    /// The downloads that it counts.
    package var match: Match
    /// The bytes of a period.
    package var bytes: Int64
    /// The period.
    package var period: Period
    /// The things of which each has a counter of its own.
    package var scope: Scope
    /// The direction of the bytes that count.
    package var counts: Direction
    /// Whether running downloads stop when it is spent.
    package var isHard: Bool
    /// Whether its bytes become free with the time of the period that has passed.
    package var isPaced: Bool
}
