// The turns of requests for one upload: one at a time, the newest first.
import Base
import HTTPWire
import Synchronization
import Testing

@testable import API

@Suite struct UploadTurnsTests {
    private static let id = Identifier(high: 1, low: 2)

    /// Content that notes the reasons for which it was ended.
    private final class Ended: Sendable {
        let reasons = Mutex<[String]>([])

        func body() -> IncomingBody {
            IncomingBody(length: nil) {
                .end
            } stop: { reason in
                self.reasons.withLock { $0.append(reason) }
            }
        }

        func wait(for count: Int) async throws {
            for _ in 0..<4000 where reasons.withLock({ $0.count }) < count {
                try await Task.sleep(for: .milliseconds(5))
            }
            try #require(reasons.withLock { $0.count } == count)
        }
    }

    /// The number of requests that have their turn.
    private final class Holders: Sendable {
        private let count = Mutex(0)

        func add(_ change: Int) -> Int {
            count.withLock { count in
                count += change
                return count
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func theNewestRequestGetsTheNextTurnAndOlderOnesGetNone() async throws {
        let (turns, ended) = (UploadTurns(), Ended())
        let first = try #require(await turns.take(Self.id))
        #expect(turns.reads(ended.body(), in: first))
        async let second = turns.take(Self.id)
        try await ended.wait(for: 1)
        async let third = turns.take(Self.id)
        try await ended.wait(for: 2)
        #expect(ended.reasons.withLock { $0 } == [UploadTurns.superseded, UploadTurns.superseded])
        #expect(!turns.reads(ended.body(), in: first), "content of an older request is not begun")
        turns.end(first)
        let older = await second
        #expect(older == nil)
        let newest = try #require(await third)
        #expect(turns.reads(nil, in: newest))
        turns.end(newest)
        // Content whose turn has ended is left alone.
        let last = try #require(await turns.take(Self.id))
        #expect(ended.reasons.withLock { $0.count } == 2)
        turns.end(last)
    }

    @Test(.timeLimit(.minutes(10)))
    func uploadsDoNotWaitForEachOther() async throws {
        let turns = UploadTurns()
        let first = try #require(await turns.take(Self.id))
        let other = try #require(await turns.take(Identifier(high: 1, low: 3)))
        turns.end(first)
        turns.end(other)
    }

    @Test(.timeLimit(.minutes(10)))
    func howeverManyComeOneHasTheTurnAndNoneWaitsForever() async throws {
        for count in 1...60 {
            let turns = UploadTurns()
            let holders = Holders()
            let given = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<count {
                    group.addTask {
                        for _ in 0..<number % 5 { await Task.yield() }
                        guard let turn = await turns.take(Self.id) else { return false }
                        #expect(holders.add(1) == 1)
                        _ = turns.reads(nil, in: turn)
                        await Task.yield()
                        #expect(holders.add(-1) == 0)
                        turns.end(turn)
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect((1...count).contains(given))
            let next = try #require(await turns.take(Self.id), "\(count)")
            turns.end(next)
        }
    }
}
