// The limit on the bytes that the uploads of an app may have here.
internal import Base
internal import Downloads
internal import Store

/// Bounds the announced lengths of an app's uploads that have not ended.
struct StagingQuota: Sendable {
    /// The store of uploads.
    let uploads: Uploads

    /// Refuses an upload whose length does not fit.
    ///
    /// Two creates at once may both pass, so the sum may exceed the limit by as many uploads as
    /// were asked for at once.
    ///
    /// - Throws: `quota-exceeded`, or what the store's failure becomes.
    func expectRoom(for length: Int64, _ call: Call) async throws(Problem) {
        guard let limit = call.grant.stagedBytesAtMost else { return }
        let announced = try await call.stored { () throws(StoreError) in
            try await uploads.announcedBytes(of: call.app)
        }
        let (sum, isOver) = announced.addingReportingOverflow(length)
        guard isOver || sum > limit else { return }
        throw Problem.quota(
            "staged_bytes",
            "With this upload, the uploads of the app that have not ended would have \(sum) bytes, "
                + "and they may have \(limit). Wait until some have ended, or let the operator "
                + "raise the limit (lull keys limit).",
            retryAfter: 10)
    }
}
