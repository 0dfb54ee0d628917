package import HTTPWire
internal import Platform
internal import Synchronization

/// The content of a client's request on its way to another replica: read as fast as that replica
/// takes it, and sealed block by block.
package final class SealedContent: Sendable {
    /// The answer to the transfer that asks for more.
    package enum Piece: Equatable, Sendable {
        /// The next sealed bytes.
        case bytes([UInt8])
        /// None are here; the transfer is resumed when some are.
        case pause
        /// None will come, for this reason.
        case abort(String)
    }

    /// The sealed bytes that wait, above which the client is not read.
    static let bytesAtMost = 4 * PeerProof.blockBytes

    private struct State {
        var ready: [UInt8] = []
        /// The number of bytes of `ready` that were taken.
        var taken = 0
        var isPaused = false
        /// The reason why no more bytes come; nil while they may.
        var fault: String?
        /// Whether the transfer is over, so that nothing is read any more.
        var isOver = false
    }

    private let body: IncomingBody
    private let proof: PeerProof
    private let length: Int64
    private let state = Mutex(State())
    private let room = Alarm()

    /// Wraps the content of a request.
    ///
    /// - Parameters:
    ///   - body: as it arrives.
    ///   - proof: seals its blocks.
    ///   - length: the number of its bytes, at least 1.
    package init(_ body: IncomingBody, _ proof: PeerProof, length: Int64) {
        self.body = body
        self.proof = proof
        self.length = length
    }

    /// The reason why the client's content ended early; nil if it did not.
    package var fault: String? { state.withLock { $0.fault } }

    /// The number of bytes that are sent, with the seals.
    package var sentLength: Int64 { PeerProof.sentLength(of: length) }

    /// Ends the reading of the client.
    package func end() {
        state.withLock { $0.isOver = true }
        room.ring()
    }

    /// Reads the client until its end; `resume` wakes the transfer.
    package func fill(_ resume: @Sendable () -> Void) async {
        var (block, offset): ([UInt8], Int64) = ([], 0)
        while offset + Int64(block.count) < length, await hasRoom() {
            switch await body.next() {
            case .bytes(let bytes):
                block += bytes
                while block.count >= PeerProof.blockBytes
                    || offset + Int64(block.count) == length && !block.isEmpty
                {
                    let part = Array(block.prefix(PeerProof.blockBytes))
                    block.removeFirst(part.count)
                    add(part + proof.seal(part, at: offset), resume)
                    offset += Int64(part.count)
                }
            case .end:
                return stop("The content ended early.", resume)
            case .broken(let reason):
                return stop(reason, resume)
            }
        }
    }

    private func add(_ bytes: [UInt8], _ resume: () -> Void) {
        let wasPaused = state.withLock { state in
            defer { state.isPaused = false }
            if state.taken > 0 {
                state.ready.removeFirst(state.taken)
                state.taken = 0
            }
            state.ready += bytes
            return state.isPaused
        }
        if wasPaused { resume() }
    }

    private func stop(_ reason: String, _ resume: () -> Void) {
        let wasPaused = state.withLock { state in
            defer { state.isPaused = false }
            state.fault = reason
            return state.isPaused
        }
        if wasPaused { resume() }
    }

    /// Waits until the other replica has taken most of the bytes.
    ///
    /// - Returns: false once the transfer is over.
    private func hasRoom() async -> Bool {
        while true {
            let (waiting, isOver) = state.withLock { ($0.ready.count - $0.taken, $0.isOver) }
            if isOver { return false }
            if waiting < SealedContent.bytesAtMost { return true }
            await room.wait(upTo: .seconds(60))
        }
    }

    /// Takes the bytes that are sent next.
    ///
    /// - Parameter limit: their greatest number, at least 1.
    /// - Returns: bytes, or the reason why there are none.
    package func take(atMost limit: Int) -> Piece {
        let piece = state.withLock { state -> Piece in
            let count = min(limit, state.ready.count - state.taken)
            guard count > 0 else {
                if let fault = state.fault { return .abort(fault) }
                state.isPaused = true
                return .pause
            }
            defer { state.taken += count }
            return .bytes(Array(state.ready[state.taken..<(state.taken + count)]))
        }
        room.ring()
        return piece
    }
}
