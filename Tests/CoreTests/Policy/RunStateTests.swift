// The point at which a transfer is so near its end that it is not stopped for other work.
import Scheduling
import Testing

@Suite struct RunStateTests {
    private static let table: [(received: Int64, total: Int64?, speed: Int64?, isSoon: Bool)] = [
        // For a small file the limit is its last tenth.
        (900, 1000, 1, true), (899, 1000, 1000, false), (1000, 1000, 0, true),
        // For a large file it is five minutes at most.
        (90_000_000_000, 100_000_000_000, 30_000_000, false),
        (91_000_000_000, 100_000_000_000, 30_000_000, true),
        (99_000_000_000, 100_000_000_000, 0, false),
        // Without a speed the last tenth counts; without a size no limit does.
        (90_000_000_000, 100_000_000_000, nil, true), (5, nil, 1, false),
    ]

    @Test(arguments: table)
    func theLastTenthIsOverSoon(
        _ received: Int64, _ total: Int64?, _ speed: Int64?, _ isSoon: Bool
    ) {
        #expect(RunState.endsSoon(received: received, of: total, speed: speed) == isSoon)
    }
}
