// Ranges of written bytes, which become one when they meet.
import Testing

@testable import Worker

@Suite struct WrittenRangesTests {
    @Test func adjacentAndOverlappingRangesMerge() {
        var writtenRanges = WrittenRanges()
        writtenRanges.insert(50..<60)
        writtenRanges.insert(10..<20)
        writtenRanges.insert(30..<40)
        writtenRanges.insert(20..<20)
        #expect(writtenRanges.ranges == [10..<20, 30..<40, 50..<60])
        writtenRanges.insert(20..<30)
        #expect(writtenRanges.ranges == [10..<40, 50..<60])
        writtenRanges.insert(35..<55)
        #expect(writtenRanges.ranges == [10..<60])
        writtenRanges.insert(12..<13)
        #expect(writtenRanges.ranges == [10..<60])
    }

    @Test func prefixEndsAtTheFirstGap() {
        var writtenRanges = WrittenRanges()
        writtenRanges.insert(10..<20)
        writtenRanges.insert(30..<40)
        #expect(writtenRanges.end(from: 9) == nil)
        #expect(writtenRanges.end(from: 10) == 20)
        #expect(writtenRanges.end(from: 19) == 20)
        #expect(writtenRanges.end(from: 20) == nil)
        writtenRanges.drop(before: 15)
        #expect(writtenRanges.ranges == [15..<20, 30..<40])
        writtenRanges.drop(before: 30)
        #expect(writtenRanges.ranges == [30..<40])
    }
}
