// Decides whether a request that may have had an effect is sent again.

/// The rules for repeating a request without being asked (RFC 9110 section 9.2.2).
package enum RepeatRules {
    /// Statuses that mean that the request was not acted on.
    package static let refusingStatuses: Set<Int> = [408, 425, 429, 503]

    /// Whether a request can always be repeated: its method is idempotent, or it carries a key by
    /// which the origin recognizes it.
    package static func isRepeatable(_ method: RequestMethod, headers: [HeaderField]) -> Bool {
        method != .post || headers.contains { $0.isNamed("Idempotency-Key") }
    }

    /// The failure of an attempt, with regard to whether its request may be sent again.
    ///
    /// - Parameters:
    ///   - failure: how the attempt ended.
    ///   - isRepeatable: see `isRepeatable(_:headers:)`.
    ///   - wasSent: whether the request may have reached the origin.
    /// - Returns: the failure, no longer retryable where sending again might do the work twice.
    package static func judged(
        _ failure: DownloadFailure, isRepeatable: Bool, wasSent: Bool
    ) -> DownloadFailure {
        guard failure.isRetryable, failure.failureClass != .attention, !isRepeatable, wasSent,
            !refusingStatuses.contains(failure.httpStatus ?? 0)
        else { return failure }
        var judged = failure
        judged.isRetryable = false
        judged.detail +=
            "; a POST that was sent is not repeated automatically, unless it has a header "
            + "Idempotency-Key"
        return judged
    }

    /// The end of a download whose request may have been sent when its attempt was lost.
    package static let outcomeUnknown = DownloadFailure(
        .permanent, code: .requestOutcomeUnknown,
        detail: "an attempt was interrupted after its POST had been sent; retry sends it again, "
            + "and with a header Idempotency-Key it would be repeated automatically",
        isRetryable: false)
}
