// The interface between the server and its handler.

/// How a handler answers.
package enum Answer: Sendable {
    /// At once, on the server's lane: only for what takes microseconds.
    case now(Response)
    /// Later, in a task that is cancelled when the connection is lost.
    ///
    /// It runs on the server's lane between its waits; what computes or blocks for longer than a
    /// fraction of a millisecond leaves the lane by a function that is `@concurrent`.
    case later(@Sendable () async -> Response)
}

/// Answers requests; called on the server's lane, so it must not block.
package typealias Handler = @Sendable (Request) -> Answer
