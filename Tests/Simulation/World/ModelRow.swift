import Base
import Downloads
import Scheduling

/// A download in the model of the store.
struct ModelRow {
    /// The state of the download; `ended` is final.
    enum State { case waiting, running, suspended, ended }

    let id: Identifier
    let key: ModelKey
    let bytes: Int64
    var runAt: Timestamp
    var state = State.waiting
    var replica: Int64?
    var fence: Int64 = 0
    var control: RunOrder?
    /// The number of its ends; every download ends once.
    var ends = 0
    /// The time of its last claim.
    var claimedAt = Timestamp.epoch
    /// Whether it was fetched completely.
    var isDone = false
    /// The fence of the attempt whose file is kept.
    var contentFence: Int64?
    /// Whether a client wants it canceled.
    var isCanceled = false
    /// Whether it probes its unreachable origin.
    var isProbe = false
    /// The number of attempts that count.
    var attempts = 0
    /// The instant since which an order waits for the replica that runs it.
    var orderedAt: Timestamp?
    /// The instant since which only a replica's attention is missing.
    var openSince: Timestamp?
    /// The number of attempts that are still to fail.
    var failuresLeft: Int

    /// The gates of the download.
    var gates: [GateKey] {
        [.origin(key.origin), .session(key.session), .app(key.app), .deployment]
    }
}
