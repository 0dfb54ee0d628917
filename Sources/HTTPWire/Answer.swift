// The seam between the server and what it serves.

/// How a handler answers.
package enum Answer: Sendable {
    /// At once, on the server's lane: only for what takes microseconds.
    case now(Response)
    /// After some work, in a task that is cancelled when the client goes away.
    case later(@Sendable () async -> Response)
}

/// Answers requests; called on the server's lane, so it must not block.
package typealias Handler = @Sendable (Request) -> Answer
