// A set of places, below and above the bits of a word.
import Testing

@testable import Base

@Suite struct SmallIndexSetTests {
    @Test func itHoldsWhatWasInserted() {
        for step in [1, 3, 7, 64] {
            var set = SmallIndexSet()
            let places = stride(from: 0, to: 200, by: step)
            for place in places { set.insert(place) }
            for place in -1...200 {
                #expect(set.contains(place) == places.contains(place), "\(place) of \(step)")
            }
        }
    }
}
