import Core

/// What a replica reports of a run.
struct RunReport {
    enum Outcome { case done, failed, canceled, suspended, released }

    let id: Identifier
    let fence: Int64
    let outcome: Outcome
    var backoff = Duration.zero
}
