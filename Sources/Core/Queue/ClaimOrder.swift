/// What a claim is to take.
package struct ClaimOrder: Equatable, Sendable {
    /// From which lanes, in this order; together at most twice the total.
    package var quotas: [LaneQuota]
    /// At most so many in all.
    package var total: Int
    /// How many may run of apps that are limited, over all replicas.
    package var appLimits: [Int64: Int]
    /// For each of `quotas` the budgets that count its lane; empty where the policy has none.
    package var budgets: [[BudgetDemand]] = []

    /// At most so many of them to try whether their origins are reached.
    package var probes = Int.max

    /// The names of the lanes' apps.
    package var appNames: [Int64: String] {
        Dictionary(quotas.map { ($0.head.lane, $0.head.appName) }, uniquingKeysWith: { $1 })
    }

    /// When each lane is due, as a claim answers that was not made: its lanes are as they were.
    package var instants: [Int64: Timestamp] {
        Dictionary(quotas.map { ($0.head.lane, $0.head.runAt) }, uniquingKeysWith: { $1 })
    }

    /// The lanes whose downloads are not claimed: their begin hooks are asked instead.
    package var hooked: [LaneQuota] { quotas.filter(\.head.isHooked) }

    /// The same without those lanes.
    package var withoutHooked: ClaimOrder {
        var order = self
        order.quotas = []
        order.budgets = []
        for (place, quota) in quotas.enumerated() where !quota.head.isHooked {
            order.quotas.append(quota)
            if !budgets.isEmpty { order.budgets.append(budgets[place]) }
        }
        return order
    }

    /// Creates a value with all its members.
    package init(_ quotas: [LaneQuota], total: Int, appLimits: [Int64: Int] = [:]) {
        self.quotas = quotas
        self.total = total
        self.appLimits = appLimits
    }
}
