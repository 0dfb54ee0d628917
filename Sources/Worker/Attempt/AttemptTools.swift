// What all attempts of a replica share.
internal import Content
internal import Core
internal import Platform
internal import Store
internal import Transfers

/// The pieces that every attempt of a replica uses; an object, so that attempts share it.
final class AttemptTools: Sendable {
    /// What a download is asked for with.
    typealias Request =
        @Sendable (ClaimedDownload) async -> Result<
            AttemptRequest, DownloadFailure
        >

    let engine: TransferEngine
    let content: ContentStore
    let lanes: [WriteLane]
    /// What fast transfers gather bytes in.
    let blocks = BlockPool.large()
    /// What large files are gathered in.
    let bulk = BulkBlocks()
    /// What slow transfers gather bytes in.
    let smallBlocks: BlockPool
    /// What attempts do beside their transfers.
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
