// Ends uploads whose clients did not bring all bytes in time.
internal import Base
internal import Content
internal import Platform
internal import Store

/// Ends uploads that were receiving for longer than their `content_retention`, and removes the
/// bytes that had come.
///
/// The file of an upload of another replica is found by that replica's sweep.
struct UploadExpiry: IndependentDuty {
    /// The most uploads that are ended at once.
    private static let batch = 100
    private static let interval = Duration.seconds(60)

    let name = "unfinished uploads"
    let endsByTheClock = true
    let uploads: Uploads
    let content: ContentStore
    private let lane = FileLane(label: "unfinished uploads")

    func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        var isFull = true
        while isFull, context.isWorking {
            let ended = try await uploads.expire(limit: UploadExpiry.batch)
            isFull = ended.count == UploadExpiry.batch
            guard !ended.isEmpty else { break }
            context.log.info(
                "uploads ended, because their bytes did not come in time",
                [("uploads", .integer(Int64(ended.count)))])
            await lane.run { [content] in
                for id in ended {
                    // A file that cannot be removed is left for the sweep.
                    do throws(ContentError) {
                        try content.deletePart(ContentName(download: id, fence: 0))
                    } catch {}
                }
            }
        }
        return .after(UploadExpiry.interval)
    }
}
