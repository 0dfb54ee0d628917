// Numbers about other apps are told to one digit.
import Testing

@testable import Scheduling

@Suite struct OneDigitTests {
    @Test(arguments: [
        (-3, 0), (0, 0), (1, 1), (9, 9), (10, 10), (14, 10), (15, 20), (23, 20), (94, 90),
        (95, 100), (149, 100), (450, 500), (999, 1000), (123_456, 100_000), (8_765_432, 9_000_000),
    ])
    func aFigureHasOneDigit(value: Int64, shown: Int64) {
        #expect(OneDigit.of(value) == shown)
        #expect(OneDigit.of(shown) == shown)
    }

    @Test func theLargestFigureHasAValue() {
        #expect(OneDigit.of(.max) == 9_000_000_000_000_000_000)
    }
}
