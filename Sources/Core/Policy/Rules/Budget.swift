/// Bytes that may be transferred in a period.
package struct Budget: Equatable, Sendable {
    /// How long a period is, by the clock of the policy's zone.
    package enum Period: String, Sendable, CaseIterable {
        case hour, day, week, month
    }

    /// What has a counter of its own.
    package enum Scope: String, Sendable, CaseIterable {
        case deployment, app, session, origin
    }

    /// Which bytes count.
    package enum Direction: String, Sendable, CaseIterable {
        case received, sent, both
    }

    /// The app whose policy has it; empty for the deployment's.
    package var owner = ""
    /// Its name.
    package var name: String
    /// Which downloads it counts.
    package var match: Match
    /// How much a period has.
    package var bytes: Int64
    /// The period.
    package var period: Period
    /// What has a counter of its own.
    package var scope: Scope
    /// Which bytes count.
    package var counts: Direction
    /// Whether running downloads stop when it is spent.
    package var isHard: Bool
    /// Whether no more of it is spent than of the period has passed.
    package var isPaced: Bool
}
