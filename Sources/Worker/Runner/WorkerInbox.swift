// The messages of other parts of the process to the worker, in order.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Synchronization

/// A message to the worker.
enum WorkerMessage: Sendable {
    /// A client ordered a running download to stop.
    case ordered(Identifier, RunOrder)
    /// Another policy is in force.
    case policy(Policy, TimeZoneRules)
    /// Conditions were pushed or removed.
    case conditions
    /// A session has another limit in bytes a second; nil for none.
    case sessionLimit(Int64, Int64?)
    /// A download has another limit of its own.
    case downloadLimit(Identifier, Int64?)
    /// A download is due at an instant.
    case awaited(Timestamp)
    /// A deadline was set or moved.
    case deadlineSet
    /// A download may be due now.
    case hinted
}

/// An ordered queue with one reader; unread hints, and unread instants, are merged into one each.
final class WorkerInbox: Sendable {
    private struct State {
        var messages: [WorkerMessage] = []
        var isHinted = false
        var isDeadlineSet = false
        var awaited: Timestamp?
    }

    private let state = Mutex(State())
    private let bell: Alarm

    /// - Parameter bell: rung when the queue is no longer empty.
    init(bell: Alarm) { self.bell = bell }

    /// Adds a message and wakes the reader.
    func post(_ message: WorkerMessage) {
        let isFirst = state.withLock { state -> Bool in
            let wasEmpty =
                state.messages.isEmpty && !state.isHinted && !state.isDeadlineSet
                && state.awaited == nil
            switch message {
            case .hinted: state.isHinted = true
            case .deadlineSet: state.isDeadlineSet = true
            case .awaited(let instant):
                state.awaited = min(state.awaited ?? instant, instant)
            default: state.messages.append(message)
            }
            return wasEmpty
        }
        if isFirst { bell.ring() }
    }

    /// Takes all messages; hints come last.
    func take() -> [WorkerMessage] {
        state.withLock { state in
            var messages = state.messages
            if let instant = state.awaited { messages.append(.awaited(instant)) }
            if state.isDeadlineSet { messages.append(.deadlineSet) }
            if state.isHinted { messages.append(.hinted) }
            state = State()
            return messages
        }
    }
}
