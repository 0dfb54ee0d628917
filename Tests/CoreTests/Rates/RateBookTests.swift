// Which limits hold on a replica, alone and beside others.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct RateBookTests {
    private static let now = Timestamp(seconds: 1_795_000_000)

    private static func id(_ number: UInt64) throws -> Identifier {
        let digits = String(number, radix: 16)
        return try #require(
            Identifier(hexadecimal: String(repeating: "0", count: 32 - digits.count) + digits))
    }

    private static func book(_ bandwidth: String) throws -> RateBook {
        RateBook(try Policies.read("{\"bandwidth\": \(bandwidth)}").bandwidth, zone: .utc)
    }

    private static func run(session: Int64 = 1, origin: Int64 = 7) -> RateRun {
        RateRun(
            sessionKey: session, session: "s\(session)", originKey: origin,
            host: "h\(origin).example.com", port: 443)
    }

    @Test func singleReplicaTakesTheWholeRate() throws {
        var book = try Self.book(
            #"{"deployment": "10MiB", "per_session": {"s1": "2MiB"}, "per_origin": "1MiB"}"#)
        #expect(book.order(at: Self.now).limits == [.deployment: 10_485_760])
        #expect(book.begin(try Self.id(1), Self.run()))
        #expect(!book.begin(try Self.id(2), Self.run()))
        #expect(book.begin(try Self.id(3), Self.run(session: 2)))
        #expect(
            book.order(at: Self.now).limits == [
                .deployment: 10_485_760, .session(1): 2_097_152, .origin(7): 1_048_576,
            ])
        #expect(book.order(at: Self.now).until == nil)
        book.end(try Self.id(1))
        book.end(try Self.id(2))
        book.end(try Self.id(2))
        #expect(book.order(at: Self.now).limits[.session(1)] == nil)
    }

    @Test func theTighterLimitOfASessionHolds() throws {
        var book = try Self.book(#"{"per_session": "2MiB"}"#)
        #expect(book.unknown([1, 2]) == [1, 2])
        _ = book.begin(try Self.id(1), Self.run())
        _ = book.begin(try Self.id(2), Self.run(session: 2))
        #expect(book.unknown([1, 2, 3]) == [3])
        book.limitSession(1, to: 1000)
        book.limitSession(2, to: 1 << 40)
        let limits = book.order(at: Self.now).limits
        #expect(limits[.session(1)] == 1000)
        #expect(limits[.session(2)] == 2_097_152)
        book.limitSession(1, to: nil)
        #expect(book.order(at: Self.now).limits[.session(1)] == 2_097_152)
    }

    @Test func replicaTakesItsShareOfTheRate() throws {
        var book = try Self.book(
            #"{"deployment": "8MiB", "per_session": "4MiB", "per_origin": "2MiB"}"#)
        for number in 1...3 { _ = book.begin(try Self.id(UInt64(number)), Self.run()) }
        var census = RateCensus()
        census.replicas = 2
        census.running = 4
        census.runningOfSessions = [1: 6]
        census.limitsOfSessions = [1: 1_048_576]
        census.runningOfOrigins = [7: 3]
        book.apply(census)
        #expect(
            book.order(at: Self.now).limits == [
                .deployment: 6_291_456, .session(1): 524_288, .origin(7): 2_097_152,
            ])
        // A session that began since: no replica knows yet which others run it.
        _ = book.begin(try Self.id(9), Self.run(session: 2, origin: 8))
        let limits = book.order(at: Self.now).limits
        #expect(limits[.session(2)] == 2_097_152)
        #expect(limits[.origin(8)] == 1_048_576)
        #expect(limits[.deployment] == 8_388_608)
    }

    /// Rates of apps and classes hold over all replicas: each takes a part by the number of its
    /// runs.
    @Test func appsAndClassesShareTheirRates() throws {
        var book = try Self.book(
            #"""
            {"per_app": {"crawler": "4MiB", "idle": "0"}, "per_class": {"discretionary": "2MiB"}}
            """#
        )
        func run(_ app: Int64, _ kind: SchedulingClass) -> RateRun {
            var run = Self.run()
            (run.appKey, run.app, run.schedulingClass) = (app, app == 5 ? "crawler" : "media", kind)
            return run
        }
        #expect(book.begin(try Self.id(1), run(5, .normal)))
        #expect(book.begin(try Self.id(2), run(6, .discretionary)))
        #expect(!book.begin(try Self.id(3), run(6, .normal)))
        #expect(
            book.order(at: Self.now).limits == [
                .app(5): 4_194_304, .schedulingClass(.discretionary): 2_097_152,
            ])
        var census = RateCensus()
        (census.replicas, census.running) = (2, 8)
        (census.runningOfApps, census.runningOfClasses) = ([5: 4, 6: 2], [.discretionary: 2])
        book.apply(census)
        #expect(
            book.order(at: Self.now).limits == [
                .app(5): 1_048_576, .schedulingClass(.discretionary): 1_048_576,
            ])
        #expect(book.known.apps == [5, 6])
        book.end(try Self.id(1))
        #expect(
            book.order(at: Self.now).limits == [.schedulingClass(.discretionary): 1_048_576])
        // Another policy counts the runs that are under way.
        let other = try Policies.read(#"{"bandwidth": {"per_app": {"media": "0"}}}"#).bandwidth
        book.replace(other, zone: .utc)
        #expect(book.order(at: Self.now).limits == [.app(6): 0])
        #expect(book.stopped(at: Self.now) == [try Self.id(2), try Self.id(3)])
    }

    /// With thousands of origins each new one would be a reason to look at all rates.
    @Test func originsAreCountedOnlyWhileOneHasARate() throws {
        var book = try Self.book(#""8MiB""#)
        #expect(book.begin(try Self.id(1), Self.run(origin: 1)))
        #expect(!book.begin(try Self.id(2), Self.run(origin: 2)))
        #expect(book.known.origins.isEmpty)
        // The origins of the runs under way are counted when a policy gives them rates.
        let rates = try Policies.read(#"{"bandwidth": {"per_origin": "1MiB"}}"#).bandwidth
        book.replace(rates, zone: .utc)
        #expect(book.known.origins == [1, 2])
        #expect(book.order(at: Self.now).limits == [.origin(1): 1_048_576, .origin(2): 1_048_576])
        #expect(book.begin(try Self.id(3), Self.run(origin: 3)))
        #expect(!book.begin(try Self.id(4), Self.run(origin: 3)))
        // An equal policy counts nothing twice.
        book.replace(rates, zone: .utc)
        for number in UInt64(1)...4 { book.end(try Self.id(number)) }
        #expect(book.order(at: Self.now).limits.isEmpty)
        book.replace(try Policies.read("{}").bandwidth, zone: .utc)
        #expect(book.known.origins.isEmpty)
    }

    @Test func sessionsAndOriginsWithoutRunsAreRemoved() throws {
        var book = try Self.book(#"{"deployment": "8MiB", "per_origin": "4MiB"}"#)
        _ = book.begin(try Self.id(1), Self.run())
        book.limitSession(1, to: 5000)
        book.end(try Self.id(1))
        #expect(book.unknown([1]).isEmpty)
        book.apply(RateCensus())
        #expect(book.unknown([1]) == [1])
        #expect(book.known.sessions.isEmpty && book.known.origins.isEmpty)
    }

    @Test func orderHoldsUntilTheNextTimetableChange() throws {
        let book = try Self.book(#"{"deployment": "06:00,1MiB 18:00,2MiB"}"#)
        let morning = try #require(Timestamp(rfc3339: "2026-11-21T07:00:00Z"))
        let order = book.order(at: morning)
        #expect(order.limits == [.deployment: 1_048_576])
        #expect(order.until == Timestamp(rfc3339: "2026-11-21T18:00:00Z"))
        let later = book.order(at: try #require(order.until))
        #expect(later.limits == [.deployment: 2_097_152])
    }

    @Test func stoppedListsRunsAtRateZero() throws {
        var book = try Self.book(
            #"{"per_session": {"s1": "0"}, "per_origin": {"h8.example.com": "paused"}}"#)
        _ = book.begin(try Self.id(1), Self.run())
        _ = book.begin(try Self.id(2), Self.run(session: 2))
        _ = book.begin(try Self.id(3), Self.run(session: 2, origin: 8))
        #expect(book.stopped(at: Self.now) == [try Self.id(1), try Self.id(3)])
        #expect(book.canStop && book.canStopOrigins)
        book.replace(Bandwidth(), zone: .utc)
        #expect(book.stopped(at: Self.now).isEmpty)
    }
}
