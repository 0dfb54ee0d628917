// An answered request, for the log.
package import HTTPWire

/// A request, or bytes that were not one, and its answer.
package struct AnsweredRequest: Sendable {
    /// The request, as far as it was read.
    package let request: RequestOutline
    /// The answer as the handler or the refusal gave it.
    package let response: Response
    /// From the whole request to its answer; 0 for what was refused while it was read.
    package let microseconds: Int64
}
