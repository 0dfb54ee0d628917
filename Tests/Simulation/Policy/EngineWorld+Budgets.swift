// The counters of budgets in a world: every download counts the same number of bytes.
import Base
import Scheduling

extension EngineWorld {
    /// The bytes of a download, unless it transfers none.
    static let size: Int64 = 1 << 20

    /// A reservation of a run in a counter.
    struct Hold {
        let key: BudgetKey
        let period: Range<Timestamp>
    }

    /// Lowers an order to the remaining bytes of the budgets, as the claim's statement does.
    ///
    /// - Returns: what is held for each download of a lane.
    mutating func reserve(_ order: inout ClaimOrder) -> [Int64: [Hold]] {
        guard policy.hasBudgets else { return [:] }
        var holds: [Int64: [Hold]] = [:]
        for place in order.quotas.indices {
            let lane = order.quotas[place].head.lane
            let candidate = store.head(store.lanes[Int(lane - 1)]).candidate
            let demands = Admission.budgetDemands(candidate, in: situation)
            let left = demands.map { ($0.budget.bytes - $0.used) / EngineWorld.size }.min()
            let count = Int64(order.quotas[place].count)
            order.quotas[place].count = Int(max(0, min(count, left ?? count)))
            holds[lane] = demands.map { Hold(key: $0.key, period: $0.period) }
            note(holds[lane] ?? [], reserved: Int64(order.quotas[place].count))
        }
        return holds
    }

    /// Changes counters by a number of downloads that are reserved, and that were transferred.
    mutating func note(_ holds: [Hold], reserved: Int64, spent: Int64 = 0) {
        for hold in holds {
            var reading =
                ledger[hold.key]
                ?? BudgetReading(period: hold.period, spent: 0, reserved: 0)
            if reading.period.lowerBound < hold.period.lowerBound {
                reading = BudgetReading(period: hold.period, spent: 0, reserved: 0)
            }
            // A run of an earlier period does not count any more.
            guard reading.period == hold.period else { continue }
            reading.reserved += reserved * EngineWorld.size
            reading.spent += spent * EngineWorld.size
            if reading.used > policy.budget(hold.key.budget)?.bytes ?? .max, reserved > 0 {
                violation = violation ?? "nothingBeyondABudget: \(hold.key) at \(now)"
            }
            ledger[hold.key] = reading
        }
        counters.take(ledger.map { (key: $0.key, reading: $0.value) })
    }

    /// The readings as a faulty engine gets them.
    var readings: [(key: BudgetKey, reading: BudgetReading)] {
        ledger.map { key, reading in
            var reading = reading
            switch mutant {
            case .takesBudgetsForSpent: reading.spent += 100 * EngineWorld.size
            case .countsBudgetsTwice:
                reading.reserved *= 2
                reading.spent *= 2
            default: break
            }
            return (key, reading)
        }
    }
}
