// Every byte is fetched once, whatever order the streams end in and whichever of them fail.
import Downloads
import Testing

@Suite struct SegmentPlanTests {
    @Test func remainderIsSplitIntoEqualSegments() {
        let plan = SegmentPlan(from: 10, total: 113, streams: 4, stealsAbove: 16)
        #expect(plan.pieces.map(\.start) == [10, 36, 62, 88])
        #expect(plan.pieces.map(\.end) == [36, 62, 88, 113])
        #expect(plan.pieces.map(\.stream) == [0, nil, nil, nil])
        #expect(plan.received == 10 && plan.prefix == 10 && !plan.isComplete)
    }

    @Test func smallRemainderIsNotSplit() {
        let plan = SegmentPlan(from: 0, total: 3, streams: 8, stealsAbove: 16)
        #expect(plan.pieces.map(\.end) == [1, 2, 3])
    }

    @Test func firstStreamEndsWhereOthersBegin() {
        var plan = SegmentPlan(from: 0, total: 100, streams: 2, stealsAbove: 1000)
        #expect(plan.take(1) == 50..<100)
        plan.advance(1, by: 20)
        plan.advance(0, by: 50)
        #expect(plan.room(of: 0) == 0)
        #expect(plan.received == 70 && plan.prefix == 70)
    }

    /// Streams that were asked and bring nothing do not hold the first one back.
    @Test(arguments: 2...8)
    func firstStreamContinuesUntilAnotherDelivers(streams: Int) {
        var plan = SegmentPlan(from: 0, total: 840, streams: streams, stealsAbove: 1000)
        for stream in 1..<streams { _ = plan.take(stream) }
        #expect(plan.room(of: 0) == 840 && !plan.isProved)
        var silent = plan
        silent.advance(0, by: 840)
        #expect(silent.isComplete && silent.room(of: streams - 1) == 0)
        // One of the streams brings a byte: then its piece is its own, except the part that the
        // first has passed.
        let start = plan.piece(of: streams - 1)?.start ?? 0
        plan.advance(0, by: 1)
        plan.advance(streams - 1, by: 1)
        #expect(plan.isProved && plan.room(of: 0) == 840 / Int64(streams) - 1)
        #expect(plan.piece(of: streams - 1)?.start == start)
    }

    @Test func idleStreamTakesHalfOfTheLargestRemainder() {
        var plan = SegmentPlan(from: 0, total: 100, streams: 2, stealsAbove: 16)
        _ = plan.take(1)
        plan.advance(0, by: 10)
        plan.advance(1, by: 50)
        plan.ended(1)
        #expect(plan.take(1) == 30..<50)
        #expect(plan.room(of: 0) == 20)
        plan.advance(1, by: 20)
        plan.ended(1)
        #expect(plan.take(1) == 20..<30)
        plan.advance(1, by: 10)
        plan.ended(1)
        #expect(plan.take(1) == nil, "ten bytes are not worth another request")
        #expect(plan.pieces.count == 2, "complete neighbours are one")
    }

    @Test func segmentThatFailsTwiceReturnsToTheFirstStream() {
        var plan = SegmentPlan(from: 0, total: 90, streams: 3, stealsAbove: 1000)
        #expect(plan.take(1) == 30..<60)
        #expect(plan.take(2) == 60..<90)
        plan.advance(1, by: 5)
        plan.ended(1)
        #expect(plan.take(1) == 35..<60)
        plan.ended(1)
        #expect(plan.take(1) == nil)
        // The stream was asked for everything: five bytes come again.
        #expect(plan.room(of: 0) == 60)
        plan.advance(0, by: 31)
        #expect(plan.pieces.count == 2 && plan.room(of: 0) == 29)
        plan.advance(0, by: 29)
        #expect(plan.room(of: 0) == 0)
        plan.advance(2, by: 30)
        #expect(plan.isComplete)
    }

    @Test func differentAnswerLeavesOneStream() {
        var plan = SegmentPlan(from: 0, total: 90, streams: 3, stealsAbove: 10)
        _ = plan.take(1)
        _ = plan.take(2)
        plan.advance(2, by: 30)
        plan.advance(0, by: 7)
        plan.discardBeyondPrefix()
        #expect(plan.take(1) == nil && plan.piece(of: 1) == nil)
        #expect(plan.room(of: 0) == 83 && plan.prefix == 7 && plan.received == 7)
    }

    @Test func firstStreamIsRequestedUpToTheNextCompleteSegment() {
        var plan = SegmentPlan(from: 0, total: 90, streams: 3, stealsAbove: 1000)
        _ = plan.take(1)
        _ = plan.take(2)
        plan.advance(0, by: 30)
        plan.ended(0)
        plan.advance(1, by: 10)
        plan.advance(2, by: 30)
        plan.ended(1)
        plan.ended(2)
        #expect(plan.prefix == 40)
        plan.resume(at: 40)
        #expect(plan.take(1) == nil)
        #expect(plan.room(of: 0) == 20)
        plan.advance(0, by: 20)
        #expect(plan.isComplete)
    }

    @Test(arguments: 0..<400)
    func everyByteIsFetchedOnce(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let total = Int64.random(in: 1...300, using: &random)
        let count = Int.random(in: 1...8, using: &random)
        var world = SegmentWorld(
            from: Int64.random(in: 0..<total, using: &random), total: total, streams: count,
            stealsAbove: Int64.random(in: 2...40, using: &random))
        let isBad = seed % 4 == 0
        var rounds = 0
        while !world.plan.isComplete, rounds < 10_000 {
            rounds += 1
            let amount = Int64.random(in: 0...20, using: &random)
            let number = Int.random(in: 0..<count, using: &random)
            if world.plan.hasFirst, number == 0 {
                world.receiveFirst(amount)
                if Int.random(in: 0..<40, using: &random) == 0 { world.plan.ended(0) }
            } else if world.streams[number] != nil {
                world.receive(number, amount)
                if Int.random(in: 0..<30, using: &random) == 0, world.streams[number] != nil {
                    world.end(number)
                }
            } else if !world.ask(number), world.streams.isEmpty, !world.plan.hasFirst,
                (0..<count).allSatisfy({ !world.ask($0) })
            {
                world.firstNext = world.plan.prefix
                world.plan.resume(at: world.firstNext)
            }
            if isBad, Int.random(in: 0..<100, using: &random) == 0 { world.discardBeyondPrefix() }
            world.check()
        }
        #expect(world.plan.isComplete, "\(world.plan)")
        #expect(world.plan.received == total)
        #expect(world.asked < 200, "requests are bounded")
    }
}
