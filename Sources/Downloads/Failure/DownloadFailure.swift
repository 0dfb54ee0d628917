// The reason why a download, or an attempt, failed.
internal import Base

/// A failure as clients see it; all of it is stored and shown.
package struct DownloadFailure: Error, MemberList {
    /// The party that has to act.
    package var failureClass: FailureClass
    /// The stable code of the failure.
    package var code: FailureCode
    /// The failure in one sentence.
    package var detail: String
    /// Whether trying again may help.
    package var isRetryable: Bool
    /// The origin's status, where it answered.
    package var httpStatus: Int?
    /// Whether there was no route, no name server, or no answer to a connection; not stored.
    package var isUnreachable = false

    /// Creates a failure.
    package init(
        _ failureClass: FailureClass, code: FailureCode, detail: String, isRetryable: Bool,
        httpStatus: Int? = nil
    ) {
        self.failureClass = failureClass
        self.code = code
        self.detail = detail
        self.isRetryable = isRetryable
        self.httpStatus = httpStatus
    }

    /// A failure with the usual class of its code.
    package init(_ code: FailureCode, detail: String) {
        self.init(
            code.usual.failureClass, code: code, detail: detail,
            isRetryable: code.usual.isRetryable)
    }

    /// The blank value that reading a stored failure fills in.
    package static let blank = DownloadFailure(
        .internal, code: .cannotRecord, detail: "", isRetryable: false)

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("class", &failureClass)
        members.visit("code", &code)
        members.visit("detail", &detail)
        members.visit("retryable", &isRetryable)
        members.visit("http_status", &httpStatus, .leftOut)
    }

    /// The end of an attempt for which the disk had no room; the download waits.
    package static let noRoom = DownloadFailure(
        .internal, code: .insufficientStorage, detail: "the disk is full", isRetryable: true)

    /// The failure of a download whose deadline has passed.
    package static let resourceTimeout = DownloadFailure(
        .permanent, code: .timedOut,
        detail: "timeout_interval_for_resource passed before the download was complete",
        isRetryable: false)

    /// The most reasons that ``resourceTimeout(waitingFor:)`` names.
    private static let reasonsAtMost = 3

    /// The failure of a download that waits, with the reasons, such as a window that never opened
    /// within the time.
    ///
    /// - Parameter blockers: what holds it back at the deadline.
    /// - Returns: the failure.
    package static func resourceTimeout(waitingFor blockers: [Blocker]) -> DownloadFailure {
        var failure = resourceTimeout
        guard !blockers.isEmpty else { return failure }
        let reasons = blockers.prefix(reasonsAtMost).map { blocker in
            let rule = blocker.rule.map { " of the rule \"\($0)\"" } ?? ""
            return "\(blocker.code.rawValue)\(rule) since \(blocker.since.rfc3339): "
                + blocker.detail
        }
        failure.detail += "; it waited for " + reasons.joined(separator: "; ")
        return failure
    }
}
