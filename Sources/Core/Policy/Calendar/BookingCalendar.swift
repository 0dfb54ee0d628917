// Which hours are worth waiting for: what the hours cost, and how many of them the work needs.

/// The costs of the next hours for every preference of a policy, and what was booked of them.
///
/// It is model predictive control of load that can be put off (Gan, Wierman, Topcu, Chen and Low,
/// e-Energy 2013): made anew every quarter of an hour from what waits then.
package struct BookingCalendar: Equatable, Sendable {
    /// After so long it is made anew.
    package static let interval = Duration.seconds(900)
    /// Demands beyond these are not booked together; each of their downloads books for itself.
    package static let demandsAtMost = 4096
    /// A booking counts for downloads that have to end so much later.
    private static let reach = Duration.seconds(6 * 3600)

    /// A booking and the end that it was made for.
    private struct Booked: Equatable {
        let end: Timestamp
        let booking: Booking
    }

    /// What rules prefer.
    package private(set) var preferences: Set<Preference> = []
    /// What the hours cost, by preference; none where the condition has no value.
    package private(set) var curves: [Preference: PriceCurve] = [:]
    /// By preference and origin, in the order of their ends.
    private var bookings: [Preference: [String: [Booked]]] = [:]

    /// Without preferences.
    package init() {}

    /// How many bookings there are.
    package var bookingCount: Int {
        bookings.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    }

    /// Takes what the rules of a policy prefer; what else was booked is forgotten.
    mutating func keep(_ preferences: Set<Preference>) {
        self.preferences = preferences
        curves = curves.filter { preferences.contains($0.key) }
        bookings = bookings.filter { preferences.contains($0.key) }
    }

    /// Takes what the hours from now on cost.
    mutating func price(_ preference: Preference, by track: ConditionTrack?, at now: Timestamp) {
        curves[preference] = PriceCurve(preference, track, at: now)
    }

    /// Books hours for demands under a preference: the most urgent first, each the best hours that
    /// are left.
    ///
    /// - Parameters:
    ///   - demands: what waits and runs; those beyond `demandsAtMost` are left out.
    ///   - preference: one of the policy's.
    ///   - room: what they share.
    ///   - now: the instant.
    mutating func book(
        _ demands: [CalendarDemand], under preference: Preference, in room: CalendarRoom,
        at now: Timestamp
    ) {
        guard let curve = curves[preference] else { return }
        let urgent = demands.map { (slack: $0.end - now - $0.need, demand: $0) }
            .sorted { ($0.slack, $0.demand.origin) < ($1.slack, $1.demand.origin) }
        var ledger = HourLedger(curve, room, at: now)
        var booked: [String: [Booked]] = [:]
        for (_, demand) in urgent.prefix(BookingCalendar.demandsAtMost) {
            let booking = ledger.book(demand)
            booked[demand.origin, default: []].append(Booked(end: demand.end, booking: booking))
        }
        bookings[preference] = booked.mapValues { $0.sorted { $0.end < $1.end } }
    }

    /// What was booked for a download.
    ///
    /// - Parameters:
    ///   - preference: one of the policy's.
    ///   - origin: its origin.
    ///   - end: when it should be complete.
    /// - Returns: nil where nothing was booked for the like of it.
    func booking(_ preference: Preference, origin: String, end: Timestamp) -> Booking? {
        guard let list = bookings[preference]?[origin] else { return nil }
        let found = list.last { $0.end <= end }
        guard let found, end - found.end < BookingCalendar.reach else { return nil }
        return found.booking
    }
}
