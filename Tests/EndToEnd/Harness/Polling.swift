// Waiting for a condition, without asserting how long it takes.

/// Repeats a question until it has an answer, at most `attempts` times with a short pause between.
///
/// - Throws: `HarnessError` naming the answer that never came, or the error of the question.
func eventually<Answer>(
    _ what: String, attempts: Int = 600, every pause: Duration = .milliseconds(100),
    _ question: () async throws -> Answer?
) async throws -> Answer {
    for _ in 0..<attempts {
        if let answer = try await question() { return answer }
        try await Task.sleep(for: pause)
    }
    throw HarnessError("never came: \(what)")
}
