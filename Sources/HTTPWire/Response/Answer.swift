// The interface between the server and its handler.

/// The answer of a handler to a request, made at once or later.
package enum Answer: Sendable {
    /// An answer made at once, on the server's lane: only for work of microseconds.
    case now(Response)
    /// An answer made in a task that is cancelled when the connection is lost.
    ///
    /// The task runs on the server's lane between its waits; work that computes or blocks for
    /// longer than a fraction of a millisecond leaves the lane through a `@concurrent` function.
    case later(@Sendable () async -> Response)
}

/// Answers requests; called on the server's lane, so it must not block.
package typealias Handler = @Sendable (Request) -> Answer
