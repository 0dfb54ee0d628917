/// Values by key that are changed in place.
///
/// A dictionary changes a value through an accessor that yields, whose frame is allocated for each
/// change; an array's elements are addressed. Keys are never removed one by one.
struct IndexedValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var places: [Key: Int] = [:]
    private var keys: [Key] = []
    private var values: [Value] = []

    /// No values.
    init() {}

    /// The number of values.
    var count: Int { keys.count }

    /// Whether there are none.
    var isEmpty: Bool { keys.isEmpty }

    /// A key's value; nil where there is none.
    subscript(key: Key) -> Value? { places[key].map { values[$0] } }

    /// Changes a key's value; where there is none, the default first.
    mutating func change<Result>(
        _ key: Key, default value: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        if let place = places[key] { return body(&values[place]) }
        places.updateValue(keys.count, forKey: key)
        keys.append(key)
        values.append(value())
        return body(&values[keys.count - 1])
    }

    /// Changes a key's value where there is one.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        if let place = places[key] { body(&values[place]) }
    }

    /// Calls a closure for each key and value, in the order of insertion.
    func map<Result>(_ body: (Key, Value) -> Result) -> [Result] {
        zip(keys, values).map(body)
    }
}

extension IndexedValues: Equatable where Value: Equatable {
    /// Whether both have equal values for equal keys, in any order.
    static func == (one: IndexedValues, other: IndexedValues) -> Bool {
        one.count == other.count
            && one.places.allSatisfy { other[$0.key] == one.values[$0.value] }
    }
}
