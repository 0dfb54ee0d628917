// Erases secrets of missing downloads, once after the start, and secrets that no retry has used.
internal import Platform
internal import Store

/// Normally there are no such secrets: they are deleted with a download's end.
struct OrphanedSecretErasure: IndependentDuty {
    let name = "orphaned secrets"
    let endsByTheClock = true
    private let downloads: Downloads
    private var isDone = false

    init(_ downloads: Downloads) { self.downloads = downloads }

    mutating func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        if !isDone {
            let count = try await downloads.eraseOrphanedSecrets()
            isDone = true
            if count > 0 {
                context.log.warn(
                    "secrets of downloads that do not exist were erased",
                    [("count", .integer(count))])
            }
        }
        let unused = try await downloads.eraseUnusedSecrets(
            until: context.clock.endsUntil)
        if unused > 0 {
            context.log.info(
                "secrets for a retry that never came were erased", [("count", .integer(unused))])
        }
        return .after(.seconds(3600))
    }
}
