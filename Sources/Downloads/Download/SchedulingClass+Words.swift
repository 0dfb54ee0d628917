// The words for scheduling classes in policy documents.

extension SchedulingClass {
    /// Each class with its word, the most urgent first.
    package static let words: [(word: String, value: SchedulingClass)] = [
        ("normal", .normal), ("discretionary", .discretionary),
    ]

    /// The word for the class.
    package var word: String {
        SchedulingClass.words.first { $0.value == self }?.word ?? "normal"
    }

    /// Reads the word; nil for any other.
    package init?(word: String) {
        guard let found = SchedulingClass.words.first(where: { $0.word == word }) else {
            return nil
        }
        self = found.value
    }
}
