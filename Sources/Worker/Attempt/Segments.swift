// The streams of one attempt and their plan, shared by libcurl's thread and the tasks of the
// streams.
internal import Downloads
internal import Synchronization
internal import Transfers

/// Several streams for one file.
final class Segments: Sendable {
    private struct State {
        var plan: SegmentPlan?
        var streams: [Int: SegmentStream] = [:]
        var isStopped = false
        var most = 1
    }

    /// The values that all pieces have in common.
    let offer: SegmentOffer
    /// The attempt's request without its range.
    let request: TransferRequest
    private let stealsAbove: Int64
    private let engine: TransferEngine
    private let state = Mutex(State())

    init(
        _ offer: SegmentOffer, request: TransferRequest, stealsAbove: Int64, engine: TransferEngine
    ) {
        self.offer = offer
        self.request = request
        self.stealsAbove = stealsAbove
        self.engine = engine
    }

    /// Whether the file was ever cut.
    var isCut: Bool { state.withLock { $0.plan != nil } }

    /// Whether all bytes were received.
    var isComplete: Bool { state.withLock { $0.plan?.isComplete ?? false } }

    /// The received bytes, in any place; nil while there is one stream.
    var received: Int64? { state.withLock { $0.plan?.received } }

    /// The most streams at once.
    var most: Int { state.withLock { $0.most } }

    /// Divides the missing bytes into segments, if that is still worth it.
    ///
    /// - Returns: whether further streams may ask.
    func cut(into streams: Int, intake: BodyIntake, atLeast: Int64) -> Bool {
        state.withLock { state in
            let position = intake.position
            let offset = position.start + position.taken
            let total = offer.total
            guard !state.isStopped, total - offset >= max(atLeast, 1) else { return false }
            state.plan = SegmentPlan(
                from: offset, total: total, streams: streams, stealsAbove: stealsAbove)
            state.most = streams
            return true
        }
    }

    /// Takes a stream's bytes as far as they are in its piece.
    ///
    /// - Returns: the answer for libcurl, and whether a drain has to be started.
    func receive(
        _ bytes: UnsafeRawBufferPointer, of stream: Int, asked end: Int64, into intake: BodyIntake
    ) -> (answer: TransferSink.Answer, drains: BodyIntake.Demand) {
        // In one step with the plan, because a piece may be halved between any two calls.
        state.withLock { state in
            guard state.plan != nil else { return unsafe intake.take(bytes) }
            let room = state.plan?.room(of: stream) ?? 0
            guard room > 0 else { return (.abort(reason: Segments.done), .none) }
            let count = min(bytes.count, Int(clamping: room))
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
            let taken = unsafe intake.take(part)
            guard taken.answer == .taken else { return taken }
            state.plan?.advance(stream, by: Int64(count))
            let isAtEnd = state.plan?.piece(of: stream).map { $0.next == end } ?? false
            if !isAtEnd, state.plan?.room(of: stream) == 0 {
                return (.abort(reason: Segments.done), taken.drains)
            }
            return (.taken, taken.drains)
        }
    }

    private static let done = "other streams bring the rest"

    /// The next request for an idle stream; nil if there is nothing left for it.
    func next(_ number: Int) -> SegmentStream? {
        state.withLock { state in
            guard !state.isStopped, let range = state.plan?.take(number) else { return nil }
            let stream = SegmentStream(number, range)
            state.streams[number] = stream
            return stream
        }
    }

    /// Notes that a further stream's transfer is over and its bytes are in the file.
    func ended(_ stream: SegmentStream) {
        state.withLock { state in
            guard state.streams[stream.number] === stream else { return }
            state.streams[stream.number] = nil
            state.plan?.ended(stream.number)
        }
    }

    /// Notes that the first stream's transfer is over.
    func firstEnded() {
        state.withLock { state in
            if state.plan == nil { state.isStopped = true }
            state.plan?.ended(SegmentPlan.first)
        }
    }

    /// Notes that the first stream was requested again, from an offset on.
    func resume(at offset: Int64) { state.withLock { $0.plan?.resume(at: offset) } }

    /// The offset up to which all bytes were received.
    var prefix: Int64? { state.withLock { $0.plan?.prefix } }

    /// Ends all further streams and keeps their bytes.
    func stop() {
        let streams = state.withLock { state in
            state.isStopped = true
            state.plan?.close()
            return Array(state.streams.values)
        }
        for stream in streams { engine.cancel(stream.id) }
    }

    /// Ends all further streams and drops their bytes behind the first gap.
    func discardBeyondPrefix() {
        let streams = state.withLock { state in
            state.isStopped = true
            state.plan?.discardBeyondPrefix()
            let streams = Array(state.streams.values)
            state.streams = [:]
            return streams
        }
        for stream in streams {
            stream.isVoid.store(true, ordering: .sequentiallyConsistent)
            engine.cancel(stream.id)
        }
    }

    /// Forgets the plan: one stream brings everything from the start.
    func forgetPlan() {
        discardBeyondPrefix()
        state.withLock { $0.plan = nil }
    }
}
