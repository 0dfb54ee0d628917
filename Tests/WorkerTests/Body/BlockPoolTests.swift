// Memory blocks that transfers share and give back.
import Platform
import Testing
import Transfers

@testable import Worker

@Suite struct BlockPoolTests {
    private func take(_ intake: BodyIntake, _ count: Int) -> BodyIntake.Demand {
        let bytes = [UInt8](repeating: 5, count: count)
        return unsafe bytes.withUnsafeBytes { unsafe intake.take($0).drains }
    }

    @Test func blocksAreReused() {
        let pool = BlockPool(blockBytes: 1000, keptAtMost: 1)
        let first = pool.take()
        let bytes: [UInt8] = [7]
        _ = unsafe bytes.withUnsafeBytes { unsafe first.append($0) }
        pool.give(first)
        let again = pool.take()
        #expect(again === first && again.count == 0 && again.capacity == 1000)
        pool.give(MemoryBlock(capacity: 1000))
        #expect(pool.take() !== again, "a block from elsewhere is not taken")
    }

    @Test func smallBodiesTakeNoBlock() {
        let pool = BlockPool(blockBytes: 64 * 1024, keptAtMost: 1, plenty: 1)
        let intake = BodyIntake(pool: pool)
        #expect(take(intake, 100) == .none)
        #expect(take(intake, 200) == .none)
        #expect(!pool.isStrained)
        #expect(take(intake, 20_000) == .soon, "now it has the only block that may wait")
        #expect(pool.isStrained)
    }

    @Test func smallTransferKeepsNoBlock() throws {
        let pool = BlockPool(blockBytes: 64 * 1024, keptAtMost: 4, plenty: 2)
        let intakes = (0..<2).map { _ in BodyIntake(pool: pool) }
        #expect(take(intakes[0], 30_000) == .none)
        #expect(take(intakes[0], 30_000) == .none, "one block waits to be filled")
        #expect(take(intakes[1], 30_000) == .soon)
        #expect(take(intakes[1], 1) == .none, "that was said before")
        let block = try #require(intakes[1].nextBlock(flush: false))
        #expect(block.count == 30_001)
        #expect(!intakes[1].recycle(block))
        #expect(intakes[1].nextBlock(flush: false) == nil)
        #expect(!pool.isStrained)
        #expect(take(intakes[0], 6_000) == .soon, "a block is full")
        #expect(take(intakes[0], 70_000) == .now, "two are")
    }

    @Test func unusedBlocksAreReturned() {
        let pool = BlockPool(blockBytes: 1000, keptAtMost: 4, plenty: 1)
        var intake: BodyIntake? = BodyIntake(pool: pool)
        if let intake { _ = take(intake, 50_000) }
        #expect(pool.isStrained && pool.isExhausted)
        intake = nil
        #expect(!pool.isStrained && !pool.isExhausted)
        let other = BodyIntake(pool: pool)
        _ = take(other, 50_000)
        other.start(at: 0)
        #expect(!pool.isStrained)
    }

    @Test func anySplitGivesTheSameBytes() {
        let bytes = content(700_000)
        var dice = SystemRandomNumberGenerator()
        for thrifty in [true, false] {
            let intake = BodyIntake(
                pool: BlockPool(
                    blockBytes: 50_000, keptAtMost: 2, plenty: thrifty ? 1 : nil))
            var place = 0
            var seen: [UInt8] = []
            while place < bytes.count {
                let end = min(bytes.count, place + Int.random(in: 1...120_000, using: &dice))
                let piece = bytes[place..<end]
                let answer = unsafe piece.withUnsafeBytes { unsafe intake.take($0).answer }
                if answer == .taken { place = end }
                guard answer == .pause || Bool.random(using: &dice) else { continue }
                while let block = intake.nextBlock(flush: false) {
                    seen += block.array
                    _ = intake.recycle(block)
                }
            }
            while let block = intake.nextBlock(flush: true) { seen += block.array }
            #expect(seen == bytes)
        }
    }
}
