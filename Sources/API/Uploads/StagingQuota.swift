// A first check of the limit on the bytes that the uploads of an app may have here.
internal import Base
internal import Downloads
internal import Store

/// Bounds the announced lengths of an app's uploads that have not ended.
///
/// It comes before room is reserved on the disk. `lull_admit_uploads`, which follows, is exact: of
/// creates at once it counts one after the other.
struct StagingQuota: Sendable {
    /// The store of uploads.
    let uploads: Uploads

    /// Refuses an upload whose length does not fit.
    ///
    /// - Throws: `quota-exceeded`, or what the store's failure becomes.
    func expectRoom(for length: Int64, _ call: Call) async throws(Problem) {
        guard let limit = call.grant.stagedBytesAtMost else { return }
        let announced = try await call.stored { () throws(StoreError) in
            try await uploads.announcedBytes(of: call.app)
        }
        let (sum, isOver) = announced.addingReportingOverflow(length)
        guard isOver || sum > limit else { return }
        throw .stagingFull
    }
}

extension Problem {
    /// The refusal because the uploads of the app would have more bytes here than they may.
    static let stagingFull = quota(
        "staged_bytes",
        "With this upload, the uploads of the app that have not ended would have more bytes than "
            + "they may have. Wait until some have ended, or let the operator raise the limit "
            + "(lull keys limit).",
        retryAfter: 10)
}
