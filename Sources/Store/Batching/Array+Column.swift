// Columns of statements that take batches.

extension Array {
    /// One value of each element, which is read where it stands: `map` copies each element, and
    /// those of batches are large.
    func column<Value>(_ value: (Element) -> Value) -> [Value] {
        indices.map { value(self[$0]) }
    }
}
