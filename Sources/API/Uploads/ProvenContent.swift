internal import HTTPWire
internal import Synchronization

/// The content of a request that another replica passed on: its reader gets proved bytes only.
final class ProvenContent: Sendable {
    private let incoming: IncomingBody
    private let state: Mutex<ProvenBlocks>

    /// Wraps the sealed content of a request.
    ///
    /// - Parameters:
    ///   - incoming: as it arrives.
    ///   - proof: that of its blocks.
    ///   - length: without the seals, in bytes, at least 1.
    init(_ incoming: IncomingBody, _ proof: PeerProof, length: Int64) {
        self.incoming = incoming
        state = Mutex(ProvenBlocks(proof, 0...(length - 1)))
    }

    /// The content as an endpoint reads it.
    static func body(
        _ incoming: IncomingBody, _ proof: PeerProof, length: Int64
    ) -> IncomingBody {
        let proven = ProvenContent(incoming, proof, length: length)
        return IncomingBody(length: length) {
            await proven.next()
        } stop: {
            await incoming.abandon($0)
        }
    }

    private func next() async -> IncomingBody.Piece {
        while true {
            switch await incoming.next() {
            case .bytes(let sealed):
                guard let bytes = state.withLock({ $0.take(sealed) }) else {
                    return .broken("The content has no proof.")
                }
                if !bytes.isEmpty { return .bytes(bytes) }
            case .end:
                let isWhole = state.withLock { $0.isWhole }
                return isWhole ? .end : .broken("The content ended early.")
            case .broken(let reason): return .broken(reason)
            }
        }
    }
}
