internal import Core

/// An answer that a key stands for, written in one statement with what it tells.
package struct KeyedAnswer: Sendable {
    /// The key.
    package let key: IdempotencyKey
    /// The answer.
    package let answer: StoredAnswer

    /// Pairs them.
    package init(_ key: IdempotencyKey, _ answer: StoredAnswer) {
        self.key = key
        self.answer = answer
    }
}
