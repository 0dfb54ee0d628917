// A checkpoint between its sync and its row.
internal import Core

/// Bytes that were made durable, and the version of the file's content that they belong to.
struct Checkpoint: Sendable {
    /// Where a later attempt may go on.
    let point: ResumePoint
    /// `AttemptMachine.version` from before the sync.
    let version: Int
}
