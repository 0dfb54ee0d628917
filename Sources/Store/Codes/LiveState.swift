// The numbers of queue.state, which functions/codes.sql names, too.

/// The state of a live download; the raw value is the number in the store.
enum LiveState: Int16, CaseIterable {
    /// It waits for its turn.
    case waiting = 0
    /// An attempt runs.
    case running = 1
    /// The client suspended it.
    case suspended = 2
    /// The client has to act.
    case attentionRequired = 3
    /// It waits for the transfer of another download.
    case joined = 4
}
