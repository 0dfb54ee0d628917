import Core

/// What a replica reports of a run.
struct RunReport {
    enum Outcome { case done, failed, canceled, suspended, released, unreached }

    let id: Identifier
    let fence: Int64
    let outcome: Outcome
    var backoff = Duration.zero
    /// What it tells of its origin.
    var reach: OriginReach?
    /// It was let through to try.
    var isProbe = false
}
