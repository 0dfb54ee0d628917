// A download begins in the place that the forecast tells it, while no new downloads come.
import Base
import Testing

@testable import Downloads
@testable import PolicyWorlds
@testable import Scheduling
@testable import Simulation

@Suite struct ForecastPlaceTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    private struct Foretold {
        let app: Int64
        let kind: SchedulingClass
        let own: Int
        let all: Int
    }

    /// The errors of the places told to every waiting download: its place in its app, and among
    /// all.
    private static func errors(seed: UInt64) throws -> (own: [Double], all: [Double]) {
        var queue = ServedQueue(seed: seed)
        // One app is served alone for a time; then others come.
        queue.add(apps: 1...1, depth: 10...40)
        for _ in 0..<60 { queue.step() }
        queue.add(apps: 2...4, depth: 1...15)
        for _ in 0..<Int.random(in: 0...40, using: &queue.random) { queue.step() }
        let outlook = try queue.outlook()
        var told: [Int64: [Foretold]] = [:]
        for lane in queue.store.lanes where lane.depth > 0 {
            for position in 0..<lane.depth {
                var candidate = queue.store.head(lane).candidate
                (candidate.lane, candidate.before) = (lane.number, position)
                let place = try #require(outlook.place(of: candidate))
                told[lane.number, default: []].append(
                    Foretold(
                        app: lane.app, kind: lane.schedulingClass, own: place.own, all: place.all))
            }
        }
        let count = told.values.reduce(0) { $0 + $1.count }
        let before = queue.begins.count
        for _ in 0..<20_000 where queue.begins.count - before < count { queue.step() }
        #expect(queue.begins.count - before == count)
        var errors: (own: [Double], all: [Double]) = ([], [])
        var came: [SchedulingClass: Int] = [:]
        var cameOf: [String: Int] = [:]
        for lane in queue.begins.dropFirst(before) {
            guard var list = told[lane], !list.isEmpty else { continue }
            let next = list.removeFirst()
            told[lane] = list
            let key = "\(next.app) \(next.kind)"
            let (own, all) = (cameOf[key, default: 0], came[next.kind, default: 0])
            errors.own.append(error(next.own, own))
            errors.all.append(error(next.all, all))
            cameOf[key] = own + 1
            came[next.kind] = all + 1
        }
        return errors
    }

    private static func error(_ told: Int, _ came: Int) -> Double {
        Double(abs(told - came)) / Double(max(20, told, came))
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func halfOfThePlacesAreAQuarterOffAtMost(_ seed: UInt64) throws {
        let errors = try Self.errors(seed: seed)
        let (own, all) = (Self.median(errors.own), Self.median(errors.all))
        #expect(own <= 0.25 && all <= 0.25, "own \(own), all \(all) of \(errors.all.count)")
    }

    private static func lane(_ number: Int64, app: Int64, count: Int) -> ForecastLane {
        var candidate = AdmissionCandidate(
            isDiscretionary: false, session: "s", createdAt: start, waitingSince: start,
            runAt: start, attempt: 0, origin: GateReading(), sessionGate: GateReading())
        (candidate.appKey, candidate.sessionKey, candidate.originKey) = (app, app, number)
        candidate.lane = number
        return ForecastLane(
            number: number, flow: LaneFlow(app: app, session: app, origin: number),
            candidate: candidate,
            batches: [
                ForecastLane.Batch(
                    runAt: start, count: count, bytes: Double(count << 20), unsized: 0)
            ])
    }

    private static func places(
        _ lanes: [ForecastLane], slots: Int, _ shares: FairShares
    ) throws -> [Int64: [Int]] {
        let policy = Policy(limits: PolicyLimits(perOrigin: 100))
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(now: start, policy: policy, zone: .utc), lanes: lanes,
                runs: [], slots: slots, shares: shares))
        while forecast.seeds < 1, !forecast.step(1000) {}
        let outlook = try #require(forecast.outlook)
        var found: [Int64: [Int]] = [:]
        for lane in lanes {
            for position in 0..<lane.count {
                var candidate = lane.candidate
                candidate.before = position
                let place = try #require(outlook.place(of: candidate))
                found[lane.number, default: []].append(place.all)
            }
        }
        return found
    }

    /// An app that is ten files ahead waits until the other one has caught up.
    @Test func whatAnAppHasGotCounts() throws {
        var shares = FairShares()
        shares.serve(LaneFlow(app: 1, session: 1, origin: 9), bytes: 1)
        shares.serve(LaneFlow(app: 1, session: 1, origin: 9), bytes: 10 * 1_048_576)
        let lanes = [Self.lane(1, app: 1, count: 20), Self.lane(2, app: 2, count: 20)]
        let places = try Self.places(lanes, slots: 1, shares)
        let first = try #require(places[1]?.first)
        #expect(abs(first - 10) <= 1, "\(places)")
        #expect(try Self.places(lanes, slots: 1, FairShares())[1]?.first ?? 9 <= 1)
    }

    /// Downloads that begin at one instant begin in an order.
    @Test func noTwoHaveOnePlace() throws {
        let lanes = (1...4 as ClosedRange<Int64>).map { Self.lane($0, app: $0 % 2, count: 10) }
        let places = try Self.places(lanes, slots: 16, FairShares())
        #expect(places.values.flatMap(\.self).sorted() == Array(0..<40))
    }
}
