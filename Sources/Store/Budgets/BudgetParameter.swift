// The counters of budgets for the lanes of a claim, or the runs of a report, as one parameter.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// Demands on budgets in the form of functions/budgets.sql.
struct BudgetParameter {
    /// The document.
    let text: JSONText
    /// The counters, each once, in the order of their indices.
    let counters: [(key: BudgetKey, period: Range<Timestamp>)]

    /// Encodes the demands of each lane or run.
    init(_ demands: [[BudgetDemand]]) {
        struct Counter: Hashable {
            let key: BudgetKey
            let period: Range<Timestamp>
        }
        var places: [Counter: Int] = [:]
        var counters: [(key: BudgetKey, period: Range<Timestamp>)] = []
        var list = JSONWriter(capacity: 256)
        var pairs = JSONWriter(capacity: 256)
        list.beginArray()
        pairs.beginArray()
        for (place, demands) in demands.enumerated() {
            for demand in demands {
                let counter = Counter(key: demand.key, period: demand.period)
                if places[counter] == nil {
                    counters.append((demand.key, demand.period))
                    places[counter] = counters.count
                    BudgetParameter.write(demand, to: &list)
                }
                pairs.beginArray()
                pairs.write(Int64(place + 1))
                pairs.write(Int64(places[counter] ?? 0))
                pairs.write(demand.allowance)
                pairs.write(demand.most)
                pairs.endArray()
            }
        }
        list.endArray()
        pairs.endArray()
        var whole = JSONWriter(capacity: list.bytes.count + pairs.bytes.count + 32)
        whole.beginObject()
        whole.key("counters")
        whole.write(verbatim: list.bytes)
        whole.key("of")
        whole.write(verbatim: pairs.bytes)
        whole.member("chunk", BudgetDemand.leastChunk)
        whole.endObject()
        text = JSONText(whole.text)
        self.counters = counters
    }

    private static func write(_ demand: BudgetDemand, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("owner", demand.key.owner)
        writer.member("budget", demand.key.budget)
        writer.member("value", demand.key.value)
        writer.member("from", demand.period.lowerBound.rfc3339Microseconds)
        writer.member("to", demand.period.upperBound.rfc3339Microseconds)
        writer.member("bytes", demand.budget.bytes)
        writer.member("counts", demand.budget.counts.rawValue)
        writer.member("hard", demand.budget.isHard)
        writer.endObject()
    }
}
