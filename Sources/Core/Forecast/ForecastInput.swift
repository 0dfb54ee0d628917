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
    /// How many replicas share the work, each with a link of its own.
    package var replicas: Int
    /// Whether `lanes` has all that waits.
    package var isWhole: Bool

    /// Names all of it.
    package init(
        situation: Situation, lanes: [ForecastLane], runs: [ForecastRun], slots: Int,
        replicas: Int = 1, isWhole: Bool = true
    ) {
        self.situation = situation
        self.lanes = lanes
        self.runs = runs
        self.slots = slots
        self.replicas = replicas
        self.isWhole = isWhole
    }

    /// How many wait.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.count } }
}
