// The meaning of a receiver's answer to a file that was sent to it.

/// Decides what follows after a file was sent, or was not taken.
package enum SendRules {
    /// The failure that an answer means; nil if the receiver has taken the file.
    ///
    /// - Parameters:
    ///   - status: of the final answer.
    ///   - isWhole: whether all bytes were sent before the answer came.
    ///   - isRepeatable: see `RepeatRules.isRepeatable(_:headers:)`.
    /// - Returns: a failure after which the file is sent again, or the client has to act.
    package static func failure(
        status: Int, isWhole: Bool, isRepeatable: Bool
    ) -> DownloadFailure? {
        let failure: DownloadFailure
        switch status {
        case 200...299 where isWhole: return nil
        case 200...299:
            failure = DownloadFailure(
                .network, code: .badServerResponse,
                detail: "the receiver answered \(status) before the file was sent to its end",
                isRetryable: true, httpStatus: status)
        case 429, 503:
            failure = DownloadFailure(
                .pushback, code: .httpStatus, detail: "the receiver answered \(status)",
                isRetryable: true, httpStatus: status)
        case 408, 425, 500...599:
            failure = DownloadFailure(
                .network, code: .httpStatus, detail: "the receiver answered \(status)",
                isRetryable: true, httpStatus: status)
        default:
            return DownloadFailure(
                .attention, code: .destinationRefused,
                detail: "the receiver answered \(status); the file is kept: PATCH destination, "
                    + "then resume",
                isRetryable: true, httpStatus: status)
        }
        return judged(failure, isRepeatable: isRepeatable, wasSent: true)
    }

    /// The failure of a try without a final answer, or with one that may pass.
    ///
    /// - Parameters:
    ///   - failure: how the try ended.
    ///   - isRepeatable: see `RepeatRules.isRepeatable(_:headers:)`.
    ///   - wasSent: whether the request may have reached the receiver.
    /// - Returns: the failure; the client is asked where sending again might do the work twice.
    package static func judged(
        _ failure: DownloadFailure, isRepeatable: Bool, wasSent: Bool
    ) -> DownloadFailure {
        guard failure.isRetryable, failure.failureClass != .attention, !isRepeatable, wasSent,
            !RepeatRules.refusingStatuses.contains(failure.httpStatus ?? 0)
        else { return failure }
        guard let status = failure.httpStatus else {
            let code = failure.code.rawValue
            return outcomeUnknown("the receiver was lost before its answer (\(code))")
        }
        return outcomeUnknown("the receiver answered \(status)", status: status)
    }

    /// The failure after a request was sent that is not repeated without a word of the client.
    ///
    /// - Parameters:
    ///   - detail: how the try ended.
    ///   - status: the receiver's answer; nil for none.
    /// - Returns: the failure, of the class attention.
    package static func outcomeUnknown(_ detail: String, status: Int? = nil) -> DownloadFailure {
        DownloadFailure(
            .attention, code: .destinationOutcomeUnknown,
            detail: "\(detail), so it is unknown whether the receiver has the file; a POST is not "
                + "sent again by itself unless it has a header Idempotency-Key: look at the "
                + "receiver, then resume to send it again, or cancel",
            isRetryable: true, httpStatus: status)
    }

    /// The failure of an attempt that was lost after such a request.
    package static let lostAfterSending = outcomeUnknown(
        "an attempt was interrupted after its POST had been sent")

    /// The failure of an attempt that had only to publish a file, and does not find it.
    package static let lostAfterAcceptance = DownloadFailure(
        .attention, code: .destinationOutcomeUnknown,
        detail: "the receiver has taken the file, and its copy here is lost: resume to fetch it "
            + "and send it again, or cancel", isRetryable: true)

    /// The failure in a process that sends no files.
    package static let notAllowed = DownloadFailure(
        .attention, code: .destinationNotAllowed,
        detail: "this service sends no files: the operator allows receivers in "
            + "LULL_UPLOAD_DESTINATIONS", isRetryable: true)

    /// The failure of an attempt that finds no file to send.
    package static let lostFile = DownloadFailure(
        .internal, code: .digestMismatch,
        detail: "the received file is not in the data directory any more, so it is fetched again",
        isRetryable: true)
}
