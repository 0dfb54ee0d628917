// What a replica has measured since it last told the store.

/// Values by measure and key, merged before they are written.
package struct LearnedBook: Sendable {
    /// What was measured of one key.
    package struct Change: Sendable {
        /// What is measured.
        package let measure: LearnedMeasure
        /// What it is about.
        package let key: LearnedKey
        /// The values.
        package let sketch: Sketch
    }

    /// At most so many keys wait to be written; values of others are left out until then.
    package static let keysAtMost = 4096

    private struct Place: Hashable {
        let measure: LearnedMeasure
        let key: LearnedKey
    }

    private var sketches = IndexedValues<Place, Sketch>()

    /// Nothing measured.
    package init() {}

    /// Whether nothing waits to be written.
    package var isEmpty: Bool { sketches.isEmpty }

    /// Takes a value for every key of its chain.
    package mutating func add(_ sample: LearnedSample) {
        for key in sample.chain {
            let place = Place(measure: sample.measure, key: key)
            guard sketches.count < LearnedBook.keysAtMost || sketches[place] != nil else {
                continue
            }
            sketches.change(place, default: Sketch(sample.measure.scale)) { $0.add(sample.value) }
        }
    }

    /// Hands out what was measured, and begins anew.
    package mutating func take() -> [Change] {
        defer { sketches = IndexedValues() }
        return sketches.map { Change(measure: $0.measure, key: $0.key, sketch: $1) }
    }
}
