// The tools that all attempts of a replica share.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Scheduling
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
    /// The engine that sends finished files; nil where none may be sent.
    let sender: TransferEngine?
    /// The stores that files can be brought into.
    let stores: WorkerStores
    /// The data directory, in which unfinished files lie.
    let content: ContentStore
    /// The place of finished content.
    let place: any ContentPlace
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
    /// The facets of the policy in force.
    let facets: @Sendable () -> FacetScheme

    init(
        engine: TransferEngine, sender: TransferEngine? = nil,
        stores: WorkerStores = .none, content: ContentStore,
        place: any ContentPlace,
        lanes: [WriteLane],
        smallBlocks: BlockPool = BlockPool.small(), clock: DatabaseClock,
        settings: WorkerSettings,
        request: @escaping Request = {
            AttemptRequest.plain($0.download.shared.value.request)
        },
        facets: @escaping @Sendable () -> FacetScheme = { .none }
    ) {
        self.engine = engine
        self.sender = sender
        self.stores = stores
        self.facets = facets
        self.content = content
        self.place = place
        self.lanes = lanes
        self.smallBlocks = smallBlocks
        self.clock = clock
        self.settings = settings
        self.request = request
    }

    /// The places that the sweep looks through: the data directory with its unfinished files, and
    /// the place of content where that is another one.
    var sweptPlaces: [any ContentPlace] {
        guard place.identifier != content.instance else { return [place] }
        return [FolderPlace(of: content), place]
    }
}
