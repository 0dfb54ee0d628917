// The seam between the server and what it serves.

/// How a handler answers.
package enum Answer: Sendable {
    /// At once, on the server's lane: only for what takes microseconds.
    case now(Response)
    /// After some waiting, in a task that is cancelled when the client goes away.
    ///
    /// It runs on the server's lane between its waits; what computes or blocks for longer than a
    /// fraction of a millisecond leaves the lane by a function that is `@concurrent`.
    case later(@Sendable () async -> Response)
}

/// Answers requests; called on the server's lane, so it must not block.
package typealias Handler = @Sendable (Request) -> Answer
