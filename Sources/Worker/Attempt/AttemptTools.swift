// The tools that all attempts of a replica share.
internal import Content
internal import Downloads
internal import Platform
internal import Store
internal import Transfers

/// The engine, stores and buffers for every attempt of a replica; a class, so that attempts share
/// it.
final class AttemptTools: Sendable {
    /// The request of a download with its secrets.
    typealias Request =
        @Sendable (ClaimedDownload) async -> Result<
            AttemptRequest, DownloadFailure
        >

    let engine: TransferEngine
    let content: ContentStore
    let lanes: [WriteLane]
    /// The buffers of fast transfers.
    let blocks = BlockPool.large()
    /// The buffers of large files.
    let bulk = BulkBlocks()
    /// The buffers of slow transfers.
    let smallBlocks: BlockPool
    /// The tasks of attempts beside their transfers.
    let tasks = TaskOwner()
    let clock: DatabaseClock
    let settings: WorkerSettings
    let request: Request

    init(
        engine: TransferEngine, content: ContentStore, lanes: [WriteLane],
        smallBlocks: BlockPool = BlockPool.small(), clock: DatabaseClock,
        settings: WorkerSettings,
        request: @escaping Request = {
            AttemptRequest.plain($0.download.shared.spec.request)
        }
    ) {
        self.engine = engine
        self.content = content
        self.lanes = lanes
        self.smallBlocks = smallBlocks
        self.clock = clock
        self.settings = settings
        self.request = request
    }
}
