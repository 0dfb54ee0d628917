// Values that are changed in place agree with a dictionary.
import Seeds
import Testing

@testable import Scheduling

@Suite struct IndexedValuesTests {
    @Test(arguments: UInt64(1)...50) func seededChangesAgreeWithADictionary(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var values = IndexedValues<Int, [Int]>()
        var model: [Int: [Int]] = [:]
        for step in 0..<200 {
            let key = Int.random(in: 0..<20, using: &random)
            if Bool.random(using: &random) {
                let count = values.change(key, default: [-1]) {
                    $0.append(step)
                    return $0.count
                }
                model[key, default: [-1]].append(step)
                #expect(count == model[key]?.count)
            } else {
                values.change(key) { $0.append(-step) }
                model[key]?.append(-step)
            }
            #expect(values[key] == model[key])
        }
        #expect(values.count == model.count && values.isEmpty == model.isEmpty)
        #expect(Dictionary(uniqueKeysWithValues: values.map { ($0, $1) }) == model)
    }

    @Test func theOrderInWhichKeysCameMakesNoDifference() {
        var one = IndexedValues<Int, Int>()
        var other = IndexedValues<Int, Int>()
        for key in 0..<9 { one.change(key, default: 0) { $0 += key } }
        for key in (0..<9).reversed() { other.change(key, default: 0) { $0 += key } }
        #expect(one == other)
        other.change(3) { $0 += 1 }
        #expect(one != other)
        other.change(3) { $0 -= 1 }
        other.change(9, default: 0) { _ in }
        #expect(one != other)
    }
}
