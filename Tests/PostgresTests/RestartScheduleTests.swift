// The times at which a server that keeps failing is started again.
import Postgres
import Seeds
import Testing

@Suite struct RestartScheduleTests {
    private static let second: Int64 = 1_000_000_000

    /// Instants of failures in seconds, and the waits in seconds; nil if the schedule gives up.
    static let table: [(failures: [Double], waits: [Double?])] = [
        ([0], [0.5]),
        ([0, 1, 2, 3], [0.5, 1, 2, 4]),
        ([0, 1, 2, 3, 4], [0.5, 1, 2, 4, nil]),
        // Five failures in five minutes are too many, even if they come evenly.
        ([0, 74, 148, 222, 296], [0.5, 1, 2, 4, nil]),
        ([0, 74, 148, 222, 299.999], [0.5, 1, 2, 4, nil]),
        // Five failures in exactly five minutes are not within five minutes: the first has passed.
        ([0, 75, 150, 225, 300], [0.5, 1, 2, 4, 8]),
        ([0, 80, 160, 240, 320, 400, 480], [0.5, 1, 2, 4, 8, 10, 10]),
        // Four failures together, the first of which is long over when the fifth comes.
        ([0, 200, 201, 202, 310, 311], [0.5, 1, 2, 4, 8, nil]),
        // After five minutes without a failure the waits start from the least.
        ([0, 1, 2, 302, 303], [0.5, 1, 2, 0.5, 1]),
        ([0, 299.999], [0.5, 1]),
        ([0, 300], [0.5, 0.5]),
        // The clock continues while a machine is suspended.
        ([0, 1, 2, 3, 1_000_000], [0.5, 1, 2, 4, 0.5]),
    ]

    @Test(arguments: table)
    func waitsDoubleUntilFiveFailuresInFiveMinutes(
        _ row: (failures: [Double], waits: [Double?])
    ) {
        var schedule = RestartSchedule()
        for (instant, wait) in zip(row.failures, row.waits) {
            let decision = schedule.failed(at: Int64(instant * 1e9))
            #expect(decision == wait.map { .wait(Int64($0 * 1e9)) } ?? .giveUp, "at \(instant) s")
        }
    }

    @Test func givesUpExactlyWhenTheLastFiveFailuresFitIntoTheWindow() {
        var random = SplitMix64(seed: 20_261_122)
        for round in 0..<2_000 {
            var schedule = RestartSchedule()
            var now = Int64.random(in: 0...1_000 * Self.second, using: &random)
            var instants: [Int64] = []
            var last: Int64 = 0
            for _ in 0..<20 {
                now += Int64.random(in: 0...Int64(round % 150 + 1) * Self.second, using: &random)
                instants.append(now)
                let decision = schedule.failed(at: now)
                let recent = instants.count { now - $0 < 300 * Self.second }
                guard case .wait(let wait) = decision else {
                    #expect(recent >= 5)
                    break
                }
                #expect(recent < 5)
                #expect(wait >= schedule.base && wait <= schedule.cap)
                #expect(wait == schedule.base || wait == min(last * 2, schedule.cap))
                last = wait
            }
        }
    }
}
