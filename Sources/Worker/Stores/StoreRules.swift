// The consequence of a store's failure for a download.
internal import Base
internal import Downloads
internal import ObjectStores

/// Turns the failure of a store into the failure of a download.
enum StoreRules {
    /// The failure of a download, and the wait that the store asks for.
    ///
    /// - Parameters:
    ///   - failure: the store's.
    ///   - name: the name of the destination.
    /// - Returns: both; nil for no wait.
    static func failure(
        _ failure: StoreFailure, of name: String
    ) -> (failure: DownloadFailure, told: ToldWait?) {
        switch failure.kind {
        case .again, .unknown, .noUpload, .cancelled, .conflict:
            return (passing(failure, of: name), failure.wait.map { ToldWait(time: $0) })
        case .damaged:
            return (
                DownloadFailure(
                    .network, code: .sizeMismatch,
                    detail: "the store \"\(name)\" got other bytes than were announced: "
                        + words(failure),
                    isRetryable: true, httpStatus: failure.status), nil
            )
        case .refused, .missing:
            return (
                DownloadFailure(
                    .attention, code: .destinationUnavailable,
                    detail: "the store \"\(name)\" refuses the file: \(words(failure)); the bytes "
                        + "are kept: let the operator correct this, or PATCH destination; then "
                        + "resume", isRetryable: true, httpStatus: failure.status), nil
            )
        }
    }

    private static func passing(_ failure: StoreFailure, of name: String) -> DownloadFailure {
        guard let status = failure.status else {
            var lost = DownloadFailure(
                .network, code: failure.obstacle ?? .networkConnectionLost,
                detail: "the store \"\(name)\": \(failure.detail)", isRetryable: true)
            lost.isUnreachable = failure.isUnreachable
            return lost
        }
        return DownloadFailure(
            status == 503 || status == 429 ? .pushback : .network, code: .httpStatus,
            detail: "the store \"\(name)\" answered \(words(failure))", isRetryable: true,
            httpStatus: status)
    }

    /// The store's status and code, such as `403 AccessDenied`, and its words.
    private static func words(_ failure: StoreFailure) -> String {
        let answer = [failure.status.map { "\($0)" }, failure.code].compactMap(\.self)
        guard !answer.isEmpty else { return failure.detail }
        return answer.joined(separator: " ") + " (\(failure.detail))"
    }

    /// The failure of a download whose object's name is taken.
    static func taken(_ path: String, in name: String) -> DownloadFailure {
        DownloadFailure(
            .destinationConflict,
            detail: "the store \"\(name)\" already has an object \"\(path)\"; the bytes are kept: "
                + "PATCH destination, then resume")
    }

    /// The failure of a download whose destination does not mean its store any more.
    static func gone(_ name: String) -> DownloadFailure {
        DownloadFailure(
            .destinationUnavailable,
            detail: "\"\(name)\" is not the store any more that it was when the destination was "
                + "given (LULL_DESTINATIONS); the bytes are kept: PATCH destination, then resume")
    }

    /// The failure of a download whose rule for conflicts needs conditions that its store ignores.
    static func ignoresConditions(_ name: String) -> DownloadFailure {
        DownloadFailure(
            .destinationUnavailable,
            detail: "the store \"\(name)\" ignores conditions (If-None-Match), so nothing protects "
                + "an object that is there already: only \"on_conflict\": \"replace\" with a path "
                + "can be used; PATCH destination, then resume")
    }
}
