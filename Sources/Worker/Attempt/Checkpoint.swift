// A checkpoint after its sync, before it is written into the row.
internal import Downloads

/// The end of durable bytes, and the version of the file's content that they belong to.
struct Checkpoint: Sendable {
    /// The resume point for a later attempt.
    let point: ResumePoint
    /// `AttemptMachine.version` before the sync.
    let version: Int
}
