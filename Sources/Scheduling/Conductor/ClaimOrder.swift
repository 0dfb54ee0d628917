package import Base
internal import Downloads

/// The lanes, limits and budgets of a claim.
package struct ClaimOrder: Equatable, Sendable {
    /// The lanes to claim from, in this order; their counts are together at most twice the total.
    package var quotas: [LaneQuota]
    /// The most downloads in all.
    package var total: Int
    /// The limits of running downloads by app, over all replicas; only apps with a limit.
    package var appLimits: [Int64: Int]
    /// For each of `quotas` the demands on the budgets that count its lane; empty if the policy has
    /// none.
    package var budgets: [[BudgetDemand]] = []

    /// The most downloads that probe whether their origins are reached.
    package var probes = Int.max

    /// The time after which another download may probe an origin, if the first one is lost and
    /// tells no result.
    package static let pauseAfterLostProbe = Duration.seconds(300)

    /// The names of the lanes' apps.
    package var appNames: [Int64: String] {
        Dictionary(quotas.map { ($0.head.lane, $0.head.appName) }, uniquingKeysWith: { $1 })
    }

    /// The times at which the lanes are due, as the answer of a claim that was not made: its lanes
    /// are unchanged.
    package var instants: [Int64: Timestamp] {
        Dictionary(quotas.map { ($0.head.lane, $0.head.runAt) }, uniquingKeysWith: { $1 })
    }

    /// The lanes with begin hooks, which are asked instead of a begin.
    package var hooked: [LaneQuota] { quotas.filter(\.head.isHooked) }

    /// The order without the lanes with begin hooks.
    package var withoutHooked: ClaimOrder { keeping { !$0.isHooked } }

    /// The order of the files that are sent, which need no room on the disk.
    package var ofFilesToSend: ClaimOrder { keeping { $0.laneFlags.contains(.sends) } }

    private func keeping(_ isKept: (LaneHead) -> Bool) -> ClaimOrder {
        var order = self
        order.quotas = []
        order.budgets = []
        for (place, quota) in quotas.enumerated() where isKept(quota.head) {
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
