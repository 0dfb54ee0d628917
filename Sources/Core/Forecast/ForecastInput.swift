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
    /// The shares of each flow so far, as the replica that forecasts has counted them.
    package var shares: FairShares

    /// Names all of it.
    package init(
        situation: Situation, lanes: [ForecastLane], runs: [ForecastRun], slots: Int,
        replicas: Int = 1, isWhole: Bool = true, shares: FairShares = FairShares()
    ) {
        self.situation = situation
        self.lanes = lanes
        self.runs = runs
        self.slots = slots
        self.replicas = replicas
        self.isWhole = isWhole
        self.shares = shares
    }

    /// How many wait.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.count } }
}
