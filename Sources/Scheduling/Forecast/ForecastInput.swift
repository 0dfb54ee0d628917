// The input of a forecast.

/// The facts and the queue at one instant.
package struct ForecastInput: Sendable {
    /// The facts on which the policy's judgement depends.
    package var situation: Situation
    /// The waiting downloads, by lane.
    package var lanes: [ForecastLane]
    /// The running downloads.
    package var runs: [ForecastRun]
    /// The most downloads that may run at once, over all replicas.
    package var slots: Int
    /// The number of replicas that share the work, each with a link of its own.
    package var replicas: Int
    /// Whether `lanes` has all waiting downloads.
    package var isWhole: Bool
    /// The share of each flow so far, as counted by the replica that makes the forecast.
    package var shares: FairShares

    /// Creates a value with all its members.
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

    /// The number of waiting downloads.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.count } }
}
