// The hours that a calendar books: the cheapest that the work fits into, for the most urgent work
// first.
import Base
import Testing

@testable import Scheduling

@Suite struct BookingCalendarTests {
    private static let start = PriceCurveTests.start
    private static let hour = Duration.seconds(3600)
    private static let rate = 1e6

    /// Four hours that cost 0, four that cost 1 and so on, mixed.
    private static let values = (0..<72).map { Double($0 * 31 % 72 / 4) }

    private static func demand(
        _ origin: String = "https://a.example:443", hours: Double, by end: Int, count: Int = 1
    ) -> CalendarDemand {
        CalendarDemand(
            origin: origin, end: start + hour * end, count: count,
            bytes: hours * rate * 3600 * Double(count), largest: hours * rate * 3600, rate: rate,
            perOrigin: 6)
    }

    /// The price caps of demands that were booked together.
    private static func caps(
        _ demands: [CalendarDemand], _ room: CalendarCapacity = CalendarCapacity(),
        values: [Double] = values
    ) throws -> [Double?] {
        var (_, book, preference) = try PriceCurveTests.book()
        book.take(PriceCurveTests.push(values), of: "price", at: start)
        book.book([preference: demands], in: room, at: start)
        return demands.map { demand in
            book.calendar.booking(preference, origin: demand.origin, end: demand.end)?.cap
        }
    }

    @Test func theCheapestHoursThatItFitsIntoAreBooked() throws {
        #expect(try Self.caps([Self.demand(hours: 4, by: 200)]) == [0])
        #expect(try Self.caps([Self.demand(hours: 5, by: 200)]) == [1])
        let within = Array(Self.values[..<10]).sorted()
        // Of ten hours the last is the reserve, which two hours' quarter and half an hour make.
        let end = try #require(try Self.caps([Self.demand(hours: 2, by: 11)])[0])
        #expect(end == within[1])
    }

    @Test func whatDoesNotFitTakesEveryHour() throws {
        #expect(try Self.caps([Self.demand(hours: 9, by: 10)]) == [.infinity])
        #expect(try Self.caps([Self.demand(hours: 1, by: 0)]) == [.infinity])
        // This holds for a bottleneck that is narrower than one transfer, too.
        let room = CalendarCapacity(link: Array(repeating: Self.rate / 4, count: 72))
        #expect(try Self.caps([Self.demand(hours: 30, by: 200)], room) == [.infinity])
    }

    /// Transfers that may run beside each other share the hours, as many as the origin allows.
    @Test func anOriginsSlotsAreSharedByItsDemands() throws {
        #expect(try Self.caps([Self.demand(hours: 1, by: 200, count: 24)]) == [0])
        #expect(try Self.caps([Self.demand(hours: 1, by: 200, count: 25)]) == [1])
        let both = [
            Self.demand(hours: 1, by: 199, count: 24), Self.demand(hours: 1, by: 210, count: 24),
        ]
        #expect(try Self.caps(both) == [0, 1])
        let apart = [
            Self.demand(hours: 1, by: 199, count: 24),
            Self.demand("https://b.example:443", hours: 1, by: 210, count: 24),
        ]
        #expect(try Self.caps(apart) == [0, 0])
        #expect(try Self.caps(apart, CalendarCapacity(slots: 6)) == [0, 1])
        let link = Array(repeating: 6 * Self.rate, count: 72)
        #expect(try Self.caps(apart, CalendarCapacity(link: link)) == [0, 1])
    }

    /// The demand with less time to spare chooses first, in whatever order the demands are given.
    @Test func theMostUrgentChoosesFirst() throws {
        let urgent = Self.demand(hours: 1, by: 30, count: 24)
        let patient = Self.demand(hours: 1, by: 72, count: 24)
        let first = try #require(try Self.caps([urgent])[0])
        let both = try Self.caps([patient, urgent])
        let turned = try Self.caps([urgent, patient])
        #expect(both[1] == first && both == turned.reversed())
    }

    @Test func aBookingCountsForTheLikeOfItsDemand() throws {
        var (_, book, preference) = try PriceCurveTests.book()
        book.take(PriceCurveTests.push(Self.values), of: "price", at: Self.start)
        let demand = Self.demand(hours: 2, by: 40)
        book.book([preference: [demand]], in: CalendarCapacity(), at: Self.start)
        func found(_ end: Duration, _ origin: String = demand.origin) -> Bool {
            book.calendar.booking(preference, origin: origin, end: Self.start + end) != nil
        }
        #expect(found(Self.hour * 40) && found(Self.hour * 45))
        #expect(!found(Self.hour * 40 - .microseconds(1)) && !found(Self.hour * 46))
        #expect(!found(Self.hour * 40, "https://b.example:443"))
    }

    /// In random worlds nothing is booked twice, and no cheaper plan of one demand fits.
    @Test(arguments: 0..<40) func capsAreTheLeastThatFit(seed: UInt64) throws {
        var random = SeededRandom(seed: 2600 + seed)
        let values = (0..<72).map { _ in Double(Int.random(in: 0..<100, using: &random)) }
        let demand = Self.demand(
            hours: Double(Int.random(in: 1...20, using: &random)),
            by: Int.random(in: 2...100, using: &random),
            count: Int.random(in: 1...12, using: &random))
        let cap = try #require(try Self.caps([demand], values: values)[0])
        let curve = PriceCurve(start: Self.start, costs: values)
        let end = HourLedger.lastHour(before: demand.end, need: demand.need)
        /// Whether the hours up to a step hold the demand.
        func fits(_ places: some Sequence<Int>) -> Bool {
            let shares = places.map { curve.share(of: $0, from: Self.start, to: end) }
            let hours = shares.reduce(0, +)
            let most = hours * Double(min(demand.count, demand.perOrigin))
            return most * Self.rate * 3600 >= demand.bytes - 1 && hours >= demand.largest / 3.6e9
        }
        let before = curve.order.prefix { curve.costs[$0] <= cap }
        #expect(cap == .infinity ? !fits(0..<72) : fits(before))
        guard cap < .infinity, let last = curve.order.lastIndex(where: { values[$0] == cap }) else {
            return
        }
        // Without the dearest step the demand does not fit.
        let cheaper = curve.order[..<last].filter { values[$0] < cap - curve.step }
        #expect(!fits(cheaper))
    }
}
