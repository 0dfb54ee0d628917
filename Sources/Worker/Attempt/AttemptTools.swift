// What all attempts of a replica share.
internal import Content
internal import Core
internal import Platform
internal import Store
internal import Transfers

/// The pieces that every attempt of a replica uses.
struct AttemptTools: Sendable {
    let engine: TransferEngine
    let content: ContentStore
    let lanes: [WriteLane]
    /// What fast transfers gather bytes in.
    let blocks = BlockPool.large()
    /// What large files are gathered in.
    var bulk = BulkBlocks()
    /// What slow transfers gather bytes in.
    var smallBlocks = BlockPool.small()
    /// What attempts do beside their transfers.
    let tasks = TaskOwner()
    let clock: DatabaseClock
    var minimumFree: Int64?
    var segmentsAtLeast: Int64 = 64 << 20
    var stealsAbove: Int64 = 16 << 20
    /// The least that an answer has to bring; nil for no bound.
    var lowSpeed: LowSpeed?
    /// Whether origins get the trace that a create came with.
    var tracesOrigins = false
    /// Seconds that content is kept by default.
    var contentRetention = DeploymentDefaults.standard.contentRetention
    /// What a download is asked for with.
    var request: @Sendable (ClaimedDownload) async -> Result<AttemptRequest, DownloadFailure> =
        { AttemptRequest.plain($0.download.shared.spec.request) }
}
