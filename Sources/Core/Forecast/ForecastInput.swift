// All that a forecast begins with.

/// The facts and the queue at one instant.
package struct ForecastInput: Sendable {
    /// What decides.
    package var situation: Situation
    /// What waits, by lane.
    package var lanes: [ForecastLane]
    /// What runs.
    package var runs: [ForecastRun]
    /// How many may run at once, over all replicas.
    package var slots: Int
    /// Whether `lanes` has all that waits.
    package var isWhole: Bool

    /// Names all of it.
    package init(
        situation: Situation, lanes: [ForecastLane], runs: [ForecastRun], slots: Int,
        isWhole: Bool = true
    ) {
        self.situation = situation
        self.lanes = lanes
        self.runs = runs
        self.slots = slots
        self.isWhole = isWhole
    }

    /// How many wait.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.count } }
}
