// The words for scheduling classes in policy documents.

extension SchedulingClass {
    /// Each class with its word, the most urgent first.
    static let words: [(word: String, value: SchedulingClass)] = [
        ("normal", .normal), ("discretionary", .discretionary),
    ]

    /// Its word.
    package var word: String {
        SchedulingClass.words.first { $0.value == self }?.word ?? "normal"
    }

    /// The class of a word.
    init?(word: String) {
        guard let found = SchedulingClass.words.first(where: { $0.word == word }) else {
            return nil
        }
        self = found.value
    }
}
