/// The stored answer of an idempotency key, written in one statement with the download.
package struct KeyedAnswer: Sendable {
    /// The key.
    package let key: IdempotencyKey
    /// The answer.
    package let answer: StoredAnswer

    /// Creates a pair of both values.
    package init(_ key: IdempotencyKey, _ answer: StoredAnswer) {
        self.key = key
        self.answer = answer
    }
}
