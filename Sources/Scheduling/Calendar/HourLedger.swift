// The free capacity of the hours while a calendar is filled.
internal import Base

/// The hours of a calendar with the free capacity of slots, of the link and of origins.
struct HourLedger {
    /// Time that stays free before an end: a quarter of the largest transfer's time, and half an
    /// hour.
    private static let reserve = (part: 4, time: Duration.seconds(1800))

    private let curve: PriceCurve
    private let begin: Timestamp
    /// Free slot time by hour, in hours of one transfer.
    private var slots: [Double]?
    /// Free bytes of the link by hour.
    private var link: [Double]?
    /// Free time by origin and hour, in hours of one transfer.
    private var origins: [String: [Double]] = [:]

    init(_ curve: PriceCurve, _ room: CalendarCapacity, at now: Timestamp) {
        self.curve = curve
        begin = now
        let places = curve.costs.indices
        slots = room.slots.map { count in places.map { _ in Double(count) } }
        link = room.link.map { rates in places.map { rates[$0] * 3600 } }
        // A part of the first hour has passed.
        guard let first = places.first else { return }
        let share = curve.share(of: first, from: now, to: curve.instant(first + 1))
        slots?[first] *= share
        link?[first] *= share
    }

    /// The time at which a transfer has to be complete in the plan: some time before its end.
    static func lastHour(before end: Timestamp, need: Duration) -> Timestamp {
        end - need / reserve.part - reserve.time
    }

    /// Takes the best hours for a demand.
    mutating func book(_ demand: CalendarDemand) -> Booking {
        let end = HourLedger.lastHour(before: demand.end, need: demand.need)
        let whole = Array(repeating: Double(demand.perOrigin), count: curve.costs.count)
        var mine = origins[demand.origin] ?? whole
        var left = demand.bytes
        var longest = demand.largest / max(1, demand.rate) / 3600
        var cap = -Double.infinity
        for place in curve.order where left > 0 || longest > 0 {
            let share = curve.share(of: place, from: begin, to: end)
            guard share > 0 else { continue }
            var hours = min(Double(demand.count) * share, mine[place] * share)
            if let slots { hours = min(hours, slots[place]) }
            var bytes = min(left, hours * demand.rate * 3600)
            if let link { bytes = min(bytes, link[place]) }
            guard bytes > 0 || left <= 0 else { continue }
            cap = max(cap, curve.costs[place])
            left -= bytes
            longest -= share
            let taken = bytes / max(1, demand.rate) / 3600
            mine[place] -= taken
            slots?[place] -= taken
            link?[place] -= bytes
        }
        origins[demand.origin] = mine
        // A demand that does not fit runs at once.
        return left > 1 || longest > 1e-6 ? .now : Booking(cap: cap)
    }
}
