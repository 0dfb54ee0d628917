internal import Base
internal import HTTPWire
internal import Synchronization

/// Gives the requests for the bytes of one upload their turns: the newest ends those before it, so
/// a client that lost its connection does not wait until the server notices the loss.
final class UploadTurns: Sendable {
    /// The turn of one request.
    struct Turn: Sendable {
        fileprivate let id: Identifier
        fileprivate let number: UInt64
    }

    /// The reason that the reader of ended content gets.
    static let superseded = "A newer request for this upload has ended this one."

    private struct Line {
        /// The requests that have their turn or want it.
        var members = 0
        /// The number of the newest of them.
        var newest: UInt64 = 0
        /// The request that has its turn; nil for none.
        var current: UInt64?
        /// The content that it reads.
        var body: IncomingBody?
        /// The request that waits for the turn.
        var waiter: (number: UInt64, resume: CheckedContinuation<Bool, Never>)?
    }

    private struct State {
        var lines: [Identifier: Line] = [:]
        var numbers: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates turns that nobody has.
    init() {}

    /// Ends the requests before this one, and waits for its turn.
    ///
    /// - Parameter id: the upload.
    /// - Returns: the turn, which has to be ended; nil if a newer request came meanwhile.
    func take(_ id: Identifier) async -> Turn? {
        let (turn, isFirst, body) = state.withLock { state -> (Turn, Bool, IncomingBody?) in
            state.numbers += 1
            let number = state.numbers
            var line = state.lines[id] ?? Line()
            line.members += 1
            line.newest = number
            let isFirst = line.current == nil
            if isFirst { line.current = number }
            state.lines[id] = line
            return (Turn(id: id, number: number), isFirst, line.body)
        }
        if isFirst { return turn }
        await body?.abandon(UploadTurns.superseded)
        let isGiven = await withCheckedContinuation { wait($0, for: turn) }
        return isGiven ? turn : nil
    }

    /// Notes the content that a request with its turn reads, so that a newer one can end it.
    ///
    /// - Returns: false if a newer one came already.
    func reads(_ body: IncomingBody?, in turn: Turn) -> Bool {
        state.withLock { state in
            guard let line = state.lines[turn.id], line.newest == turn.number else { return false }
            state.lines[turn.id]?.body = body
            return true
        }
    }

    /// Ends a turn; the newest request that waits gets the next one.
    func end(_ turn: Turn) {
        let (waiter, isGiven) = state.withLock {
            state -> (CheckedContinuation<Bool, Never>?, Bool) in
            guard var line = state.lines[turn.id], line.current == turn.number else {
                preconditionFailure("a turn is ended once")
            }
            let waiter = line.waiter.take()
            let isNewest = waiter?.number == line.newest
            line.members -= waiter != nil && !isNewest ? 2 : 1
            line.current = isNewest ? line.newest : nil
            line.body = nil
            state.lines[turn.id] = line.members == 0 ? nil : line
            return (waiter?.resume, isNewest)
        }
        waiter?.resume(returning: isGiven)
    }

    private func wait(_ waiter: CheckedContinuation<Bool, Never>, for turn: Turn) {
        let (resumed, isGiven) = state.withLock {
            state -> (CheckedContinuation<Bool, Never>?, Bool) in
            guard var line = state.lines[turn.id] else {
                preconditionFailure("a line stays while it has members")
            }
            defer { state.lines[turn.id] = line.members == 0 ? nil : line }
            guard line.newest == turn.number else {
                line.members -= 1
                return (waiter, false)
            }
            guard line.current != nil else {
                line.current = turn.number
                return (waiter, true)
            }
            let older = line.waiter
            line.waiter = (turn.number, waiter)
            if older != nil { line.members -= 1 }
            return (older?.resume, false)
        }
        resumed?.resume(returning: isGiven)
    }
}
