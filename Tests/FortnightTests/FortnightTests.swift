// A small world of the simulated fortnight in each test run: the engine keeps its promises.
import Foundation
import Testing

@testable import Fortnight

@Suite struct FortnightTests {
    /// The seeds of the worlds; `LULL_FORTNIGHT` sets more.
    private static let seeds: ClosedRange<UInt64> =
        1...(ProcessInfo.processInfo.environment["LULL_FORTNIGHT"].flatMap(UInt64.init) ?? 1)
    private static let count = 200

    private static func world(_ seed: UInt64, _ utilisation: Double) -> World {
        World(seed: seed, utilisation: utilisation, count: count)
    }

    /// Checks the rules that hold for every run under any scheduler.
    private static func check(_ outcome: Outcome) {
        for job in outcome.jobs {
            let name: Comment = "\(outcome.name), \(job.download.number)"
            #expect(job.began.map { $0 >= job.download.created } == true, name)
            #expect(job.ended.map { $0 > job.began ?? .max } == true, name)
            #expect(abs(job.rest) < 1, name)
        }
        let bytes = outcome.jobs.reduce(0) { $0 + $1.download.bytes }
        let moved = (outcome.discretionaryBytes + outcome.normalBytes).reduce(0, +)
        // A transfer that breaks off without ranges is fetched again.
        #expect(moved >= bytes - Double(outcome.jobs.count))
        for hour in outcome.discretionaryBytes.indices {
            let carried = outcome.discretionaryBytes[hour] + outcome.normalBytes[hour]
            #expect(carried <= World.linkRate * 60 * 1.0001)
        }
    }

    @Test(arguments: seeds)
    func theEngineShiftsWorkAndMeetsDeadlines(_ seed: UInt64) {
        let world = Self.world(seed, 0.35)
        let outcomes = [
            Simulation.run(world, FIFO()), Simulation.run(world, EDF()),
            Simulation.run(
                world, EngineScheduler(name: "off peak", policy: EnginePolicies.offPeak)),
            Simulation.run(
                world, EngineScheduler(name: "least price", policy: EnginePolicies.leastPrice)),
        ]
        for outcome in outcomes { Self.check(outcome) }
        let scores = outcomes.map(Score.init)
        let (fifo, edf, offPeak, cheap) = (scores[0], scores[1], scores[2], scores[3])
        #expect(offPeak.atPeak < fifo.atPeak / 2)
        #expect(offPeak.missed <= edf.missed + 5)
        #expect(cheap.cost < fifo.cost * 0.9)
        #expect(cheap.missed <= edf.missed + 12)
        #expect(offPeak.normalWait <= fifo.normalWait + 1)
    }
}
