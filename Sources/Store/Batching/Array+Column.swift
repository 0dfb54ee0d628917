// Columns for statements that take batches.

extension Array {
    /// One value of each element, read in place: `map` would copy each element, and those of
    /// batches are large.
    func column<Value>(_ value: (Element) -> Value) -> [Value] {
        indices.map { value(self[$0]) }
    }
}
