// The meaning of a status without content: one rule for each from 100 to 999.

extension AttemptVerdict {
    /// The failure of a status without content (RFC 9110 section 15).
    ///
    /// - Parameters:
    ///   - status: any but 200, 203 and 206.
    ///   - method: of the request; a 202 means "not yet" to a GET alone.
    ///   - hasBytes: whether bytes are kept: then a source that is gone is asked about, because
    ///     another URL may go on with them.
    ///   - isExpired: whether the URL was signed and its time is over; of a 400 its text says so.
    ///   - isProxied: whether a proxy was asked, which then sent a 407.
    ///   - lacksCredentials: whether headers or credentials were kept from the origin.
    /// - Returns: the failure, with the status in it.
    package static func failure(
        status: Int, method: RequestMethod = .get, hasBytes: Bool = false, isExpired: Bool = false,
        isProxied: Bool = false, lacksCredentials: Bool = false
    ) -> DownloadFailure {
        if lacksCredentials, !isExpired, status == 401 || status == 403 { return .withheld(status) }
        if let asked = asksClient(status, hasBytes, isExpired, isProxied) { return asked }
        return switch status {
        case 202 where method == .get:
            DownloadFailure(
                .pushback, code: .httpStatus,
                detail: "the origin answered 202, so the content is not ready yet; the url is "
                    + "requested again until the status is another one",
                isRetryable: true, httpStatus: status)
        case 429, 503:
            DownloadFailure(
                .pushback, code: .httpStatus, detail: "the origin answered \(status)",
                isRetryable: true, httpStatus: status)
        case 408, 421, 423, 425, 449, 500...599:
            DownloadFailure(
                .network, code: .httpStatus, detail: "the origin answered \(status)",
                isRetryable: true, httpStatus: status)
        case 404, 410:
            DownloadFailure(
                .server, code: .resourceUnavailable, detail: "the origin answered \(status)",
                isRetryable: false, httpStatus: status)
        default:
            DownloadFailure(
                .server, code: .httpStatus, detail: "the origin answered \(status)",
                isRetryable: false, httpStatus: status)
        }
    }

    /// The failure of a status after which the client has to act; nil for any other.
    private static func asksClient(
        _ status: Int, _ hasBytes: Bool, _ isExpired: Bool, _ isProxied: Bool
    ) -> DownloadFailure? {
        if isExpired, [400, 401, 403, 404, 410].contains(status) {
            return DownloadFailure(
                .attention, code: .urlExpired,
                detail: "the origin answered \(status), and the signature of the URL has expired: "
                    + "PATCH a fresh url, then resume",
                isRetryable: true, httpStatus: status)
        }
        if isProxied, status == 407 {
            return DownloadFailure(
                .attention, code: .proxyAuthenticationRequired,
                detail: "the proxy answered 407: PATCH proxy with its credentials, then resume",
                isRetryable: true, httpStatus: status)
        }
        if hasBytes, status == 404 || status == 410 {
            return DownloadFailure(
                .attention, code: .resourceUnavailable,
                detail: "the origin answered \(status); the received bytes are kept: PATCH another "
                    + "url and resume, or cancel",
                isRetryable: true, httpStatus: status)
        }
        guard [401, 403, 407].contains(status) else { return nil }
        return DownloadFailure(
            .attention, code: .userAuthenticationRequired,
            detail: "the origin answered \(status): PATCH another url or credentials, then resume",
            isRetryable: true, httpStatus: status)
    }
}

extension DownloadFailure {
    /// The failure after a refusal by an origin that did not get the credentials, because they were
    /// given for another origin.
    fileprivate static func withheld(_ status: Int) -> DownloadFailure {
        DownloadFailure(
            .attention, code: .userAuthenticationRequired,
            detail: "the origin answered \(status), and headers or credentials were not sent to "
                + "it, because they were given for another origin: PATCH them with a url of this "
                + "origin, or allow the origin in the session",
            isRetryable: true, httpStatus: status)
    }

    /// Whether the failure may pass without the client.
    var isTransient: Bool { isRetryable && failureClass != .attention }

    /// Whether the bytes of a download that failed in this way are of use to a retry.
    ///
    /// They are not where the content is known to differ from the request, or to be longer.
    package var leavesBytes: Bool {
        switch code {
        case .digestMismatch, .sizeMismatch, .expectedLengthMismatch, .lengthUnverified,
            .dataLengthExceedsMaximum, .contentTypeNotAccepted, .contentTooShort:
            false
        default: true
        }
    }

    /// Whether an origin said that the content is not there yet.
    var isNotYet: Bool { httpStatus == 202 && failureClass == .pushback }

    /// The failure as it is shown while its download waits: a status that alone would be final, or
    /// need the client, is shown as repeated.
    func waiting(by verdict: AttemptVerdict) -> DownloadFailure {
        guard case .retry = verdict else { return self }
        return repeated
    }

    /// The failure that is tried again although its status alone would be final.
    var repeated: DownloadFailure {
        guard !isTransient else { return self }
        var failure = self
        failure.failureClass = .pushback
        failure.isRetryable = true
        failure.detail =
            "the origin answered \(httpStatus.map(String.init) ?? "nothing of use"); the request "
            + "is repeated"
        return failure
    }
}
