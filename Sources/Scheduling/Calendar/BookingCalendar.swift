// The hours that are worth waiting for, by their costs and by the hours that the work needs.
internal import Base

/// The costs of the next hours for every preference of a policy, and the bookings of them.
///
/// It is model predictive control of deferrable load (Gan, Wierman, Topcu, Chen and Low, e-Energy
/// 2013): planned anew every quarter of an hour from the downloads that wait then.
package struct BookingCalendar: Equatable, Sendable {
    /// The time after which the plan is made anew.
    package static let interval = Duration.seconds(900)
    /// The most demands that are booked together; further downloads book for themselves.
    package static let demandsAtMost = 4096
    /// The time after its end for which a booking still applies to a download.
    private static let reach = Duration.seconds(6 * 3600)

    /// A booking and the end that it was made for.
    private struct Booked: Equatable {
        let end: Timestamp
        let booking: Booking
    }

    /// The preferences of the rules.
    package private(set) var preferences: Set<Preference> = []
    /// The costs of the hours, by preference; none while the condition has no value.
    package private(set) var curves: [Preference: PriceCurve] = [:]
    /// The bookings by preference and origin, in the order of their ends.
    private var bookings: [Preference: [String: [Booked]]] = [:]

    /// Creates a calendar without preferences.
    package init() {}

    /// The number of bookings.
    package var bookingCount: Int {
        bookings.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    }

    /// Takes the preferences of a policy; bookings for others are dropped.
    mutating func keep(_ preferences: Set<Preference>) {
        self.preferences = preferences
        curves = curves.filter { preferences.contains($0.key) }
        bookings = bookings.filter { preferences.contains($0.key) }
    }

    /// Takes the costs of the hours from now on.
    mutating func price(_ preference: Preference, by track: ConditionTrack?, at now: Timestamp) {
        curves[preference] = PriceCurve(preference, track, at: now)
    }

    /// Books hours for demands under a preference: the most urgent first, each with the best hours
    /// that are left.
    ///
    /// - Parameters:
    ///   - demands: what waits and runs; those beyond `demandsAtMost` are left out.
    ///   - preference: one of the policy's.
    ///   - room: what they share.
    ///   - now: the instant.
    mutating func book(
        _ demands: [CalendarDemand], under preference: Preference, in room: CalendarCapacity,
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

    /// The booking that applies to a download.
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
