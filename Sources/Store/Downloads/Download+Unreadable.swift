// The end of a download of which only the queue row can be read.
internal import Base
internal import Downloads

extension Download {
    /// Creates a failed download from the known values.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - attempt: the number of its last attempt.
    ///   - sequence: the number of its last event, that of its end.
    ///   - at: when.
    init(unreadable id: Identifier, attempt: Int, sequence: Int64, at: Timestamp) {
        self.init(
            id: id, session: "", state: .failed, url: "", priority: 0, earliestBeginDate: nil,
            bytesExpectedByClient: nil, spec: .blank, createdAt: at)
        self.attempt = attempt
        self.sequence = sequence
        completedAt = at
        result.error = DownloadFailure(
            .internal, code: .cannotRecord,
            detail: "the record of the download in the database cannot be read",
            isRetryable: false)
    }
}
