// The part of a paced budget that may be used by a given time.
package import Base

/// The share of a period's budget that is free at an instant: a tenth at once, the rest in
/// proportion to the time in which the budget's downloads may run.
package struct BudgetPace: Equatable, Sendable {
    /// The share that is free at the begin of a period.
    static let atOnce = 0.1
    /// The most openings of a window in one period that are followed.
    private static let spansAtMost = 2048

    /// The period.
    package let period: Range<Timestamp>
    /// The spans in which its downloads may run, in order; not empty.
    private let spans: [Range<Timestamp>]
    private let whole: Double

    /// Computes the pace of a budget in a period.
    ///
    /// - Parameters:
    ///   - budget: the budget.
    ///   - period: its period.
    ///   - policy: whose rules hold for everything that it counts.
    ///   - zone: the policy's zone.
    init(
        of budget: Budget, in period: Range<Timestamp>, _ policy: Policy, zone: TimeZoneRules
    ) {
        self.period = period
        var open = [period]
        for rule in policy.rules(of: budget.owner) {
            guard rule.match == Match() || rule.match == budget.match else { continue }
            for case .window(let name, let isNegated) in rule.requirements.map(\.subject) {
                guard let hours = policy.window(name) else { continue }
                let spans = BudgetPace.spans(of: hours, isNegated, in: period, zone)
                open = BudgetPace.intersection(open, spans)
            }
        }
        // If the windows are never open, the whole period counts.
        spans = open.isEmpty ? [period] : open
        whole = spans.reduce(0) { $0 + BudgetPace.length($1.lowerBound, $1.upperBound) }
    }

    /// Bytes that may be used up to an instant.
    func allowance(of bytes: Int64, at now: Timestamp) -> Int64 {
        var passed = 0.0
        for span in spans where span.lowerBound < now {
            passed += BudgetPace.length(span.lowerBound, min(now, span.upperBound))
        }
        let part = BudgetPace.atOnce + (1 - BudgetPace.atOnce) * min(1, passed / max(1, whole))
        return part >= 1 ? bytes : Int64(Double(bytes) * part)
    }

    /// The first instant from `start` on at which this number of bytes may be used; nil for none in
    /// the period.
    func instant(for used: Int64, of bytes: Int64, from start: Timestamp) -> Timestamp? {
        guard used <= bytes else { return nil }
        if allowance(of: bytes, at: start) >= used { return start }
        let part = (Double(used) / Double(max(1, bytes)) - BudgetPace.atOnce)
        var left = part / (1 - BudgetPace.atOnce) * whole
        for span in spans {
            let length = BudgetPace.length(span.lowerBound, span.upperBound)
            if left <= length {
                // Rounding up may miss the first instant by a microsecond or two.
                var instant = span.lowerBound + .microseconds(Int64(left.rounded(.up)) + 1)
                for _ in 0..<2 where allowance(of: bytes, at: instant - .microseconds(1)) >= used {
                    instant = instant - .microseconds(1)
                }
                return instant < period.upperBound ? max(start, instant) : nil
            }
            left -= length
        }
        return nil
    }

    private static func length(_ from: Timestamp, _ to: Timestamp) -> Double {
        Double((to - from).wholeMicroseconds)
    }

    private static func spans(
        of hours: WeeklyWindows, _ isNegated: Bool, in period: Range<Timestamp>,
        _ zone: TimeZoneRules
    ) -> [Range<Timestamp>] {
        var found: [Range<Timestamp>] = []
        var instant = period.lowerBound
        for _ in 0..<spansAtMost where instant < period.upperBound {
            let next: Timestamp
            let isOpen: Bool
            switch hours.state(at: instant, in: zone) {
            case .open(let until): (next, isOpen) = (until ?? period.upperBound, !isNegated)
            case .closed(_, let until): (next, isOpen) = (until ?? period.upperBound, isNegated)
            }
            let end = max(instant + .microseconds(1), min(next, period.upperBound))
            if isOpen { found.append(instant..<end) }
            instant = end
        }
        return found
    }

    private static func intersection(
        _ one: [Range<Timestamp>], _ other: [Range<Timestamp>]
    ) -> [Range<Timestamp>] {
        var found: [Range<Timestamp>] = []
        var (left, right) = (one.startIndex, other.startIndex)
        while left < one.endIndex, right < other.endIndex {
            let common = one[left].clamped(to: other[right])
            if !common.isEmpty { found.append(common) }
            if one[left].upperBound <= other[right].upperBound { left += 1 } else { right += 1 }
        }
        return found
    }
}
