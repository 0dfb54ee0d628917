import Foundation
import Synchronization

/// Events between a connection and its reader, and the end of the connection.
///
/// A reader that is slower than the connection does not make it grow: once many events wait, the
/// connection is ended, and the reader connects again behind the last event that it took.
final class Inbox: Sendable {
    /// What the reader gets next.
    enum Next: Sendable {
        case frame(StreamParser.Frame)
        /// The connection has ended, with the status of its answer or with a failure.
        case end(Exchange.End)
    }

    private struct State {
        var frames: [StreamParser.Frame] = []
        var first = 0
        var bytes = 0
        var parser = StreamParser()
        var end: Exchange.End?
        var reader: CheckedContinuation<Next, Never>?

        mutating func pop() -> Next? {
            guard first < frames.count else { return end.map { .end($0) } }
            let frame = frames[first]
            first += 1
            bytes -= frame.data.count
            if first == frames.count {
                frames.removeAll(keepingCapacity: true)
                first = 0
            }
            return .frame(frame)
        }
    }

    /// The most bytes that wait for the reader before the connection is ended.
    static let bytesAtMost = 4 << 20

    private let state = Mutex(State())

    /// Takes bytes of the stream; false where too much waits, or a line is too long.
    func take(_ data: Data) -> Bool {
        let (reader, next, goesOn) = state.withLock {
            state -> (CheckedContinuation<Next, Never>?, Next?, Bool) in
            for frame in state.parser.read(data) {
                state.bytes += frame.data.count
                state.frames.append(frame)
            }
            let goesOn = state.bytes <= Inbox.bytesAtMost && !state.parser.isTooLong
            guard let reader = state.reader, let next = state.pop() else {
                return (nil, nil, goesOn)
            }
            state.reader = nil
            return (reader, next, goesOn)
        }
        if let reader, let next { reader.resume(returning: next) }
        return goesOn
    }

    /// Ends the inbox; events that wait are still read.
    func end(_ end: Exchange.End) {
        let (reader, next) = state.withLock { state -> (CheckedContinuation<Next, Never>?, Next?) in
            if state.end == nil { state.end = end }
            guard let reader = state.reader else { return (nil, nil) }
            state.reader = nil
            return (reader, state.pop())
        }
        if let reader, let next { reader.resume(returning: next) }
    }

    /// The next event, or the end; only one task may wait.
    func next() async -> Next {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state -> Next? in
                if let next = state.pop() { return next }
                precondition(state.reader == nil, "an iterator has one reader")
                state.reader = continuation
                return nil
            }
            if let next { continuation.resume(returning: next) }
        }
    }
}
