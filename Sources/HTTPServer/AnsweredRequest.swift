// An answered request, for the access log.
package import HTTPWire

/// A request, or bytes that were not one, and the answer to it.
package struct AnsweredRequest: Sendable {
    /// The request, as far as it was read.
    package let request: RequestOutline
    /// The answer as the handler or the refusal gave it.
    package let response: Response
    /// The time from the whole request to its answer; 0 for a request refused while it was read.
    package let microseconds: Int64
}
