// Measurements of a replica since it last wrote them to the store.

/// Measured values by measure and key, merged before they are written.
package struct LearnedBuffer: Sendable {
    /// The measurements of one key.
    package struct Change: Sendable {
        /// The measure.
        package let measure: LearnedMeasure
        /// The key.
        package let key: LearnedKey
        /// The values.
        package let sketch: Sketch
    }

    /// The most keys that wait to be written; values of further keys are dropped until then.
    package static let keysAtMost = 4096

    private struct Place: Hashable {
        let measure: LearnedMeasure
        let key: LearnedKey
    }

    private var sketches = IndexedValues<Place, Sketch>()

    /// Creates a buffer without measurements.
    package init() {}

    /// Whether no measurement waits to be written.
    package var isEmpty: Bool { sketches.isEmpty }

    /// Adds a value for every key of its chain.
    package mutating func add(_ sample: LearnedSample) {
        for key in sample.chain {
            let place = Place(measure: sample.measure, key: key)
            guard sketches.count < LearnedBuffer.keysAtMost || sketches[place] != nil else {
                continue
            }
            sketches.change(place, default: Sketch(sample.measure.scale)) { $0.add(sample.value) }
        }
    }

    /// Returns the measurements, and begins anew.
    package mutating func take() -> [Change] {
        defer { sketches = IndexedValues() }
        return sketches.map { Change(measure: $0.measure, key: $0.key, sketch: $1) }
    }
}
