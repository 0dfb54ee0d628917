import Base
import Scheduling

/// A replica's report on a run.
struct RunReport {
    enum Outcome { case done, failed, canceled, suspended, released, unreached }

    let id: Identifier
    let fence: Int64
    let outcome: Outcome
    var backoff = Duration.zero
    /// The finding about its origin; nil for none.
    var reach: OriginReach?
    /// Whether the run was a probe.
    var isProbe = false
}
