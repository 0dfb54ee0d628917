// Ranges that grow together.
import Testing

@testable import Worker

@Suite struct IslandsTests {
    @Test func adjacentAndOverlappingRangesMerge() {
        var islands = Islands()
        islands.insert(50..<60)
        islands.insert(10..<20)
        islands.insert(30..<40)
        islands.insert(20..<20)
        #expect(islands.ranges == [10..<20, 30..<40, 50..<60])
        islands.insert(20..<30)
        #expect(islands.ranges == [10..<40, 50..<60])
        islands.insert(35..<55)
        #expect(islands.ranges == [10..<60])
        islands.insert(12..<13)
        #expect(islands.ranges == [10..<60])
    }

    @Test func prefixEndsAtTheFirstGap() {
        var islands = Islands()
        islands.insert(10..<20)
        islands.insert(30..<40)
        #expect(islands.end(from: 9) == nil)
        #expect(islands.end(from: 10) == 20)
        #expect(islands.end(from: 19) == 20)
        #expect(islands.end(from: 20) == nil)
        islands.drop(before: 15)
        #expect(islands.ranges == [15..<20, 30..<40])
        islands.drop(before: 30)
        #expect(islands.ranges == [30..<40])
    }
}
