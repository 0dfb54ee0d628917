import Core

/// A download as the model of the store has it.
struct ModelRow {
    /// Where it is; the end is final.
    enum State { case waiting, running, suspended, ended }

    let id: Identifier
    let key: ModelKey
    let bytes: Int64
    var runAt: Timestamp
    var state = State.waiting
    var replica: Int64?
    var fence: Int64 = 0
    var control: RunOrder?
    /// How often it ended; every download ends once.
    var ends = 0
    /// When it was claimed last.
    var claimedAt = Timestamp.epoch
    /// It was fetched whole.
    var isDone = false
    /// The fence of the attempt whose file is kept.
    var contentFence: Int64?
    /// A client wants it canceled.
    var isCanceled = false
    /// It was let through to try whether its origin is reached.
    var isProbe = false
    /// The attempts that count.
    var attempts = 0
    /// Since when an order waits for the replica that runs it.
    var orderedAt: Timestamp?
    /// Since when nothing but a replica's attention is missing.
    var openSince: Timestamp?
    /// How many attempts are still to fail.
    var failuresLeft: Int

    /// The gates that it passes.
    var gates: [GateKey] {
        [.origin(key.origin), .session(key.session), .app(key.app), .deployment]
    }
}
