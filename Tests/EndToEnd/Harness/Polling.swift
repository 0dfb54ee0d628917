// Waiting for a condition, without asserting how long it takes.

/// Asks until there is an answer, at most `attempts` times with a short pause between them.
///
/// - Throws: `HarnessError` naming what never came, or what the question throws.
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
