// Waiting for a condition, without asserting how long it takes.

/// Polls a condition until it is true: for a minute, and at least 5,000 times, because on a busy
/// machine the minute may pass while no task of the process runs.
///
/// - Returns: the last answer.
/// - Throws: what the question throws.
package func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    var questions = 0
    while clock.now < end || questions < 5_000 {
        if try await condition() { return true }
        questions += 1
        try await Task.sleep(for: .milliseconds(2))
    }
    return try await condition()
}
