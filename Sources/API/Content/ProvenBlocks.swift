// The body of an answer of another replica, judged block by block.
internal import Crypto

/// Takes received bytes and returns proved ones; a byte without proof is not returned.
///
/// It keeps a block with its seal, and the piece that came last.
package struct ProvenBlocks: Sendable {
    private let proof: PeerProof
    private let end: Int64
    private var waiting: [UInt8] = []
    /// The first byte of the file that is not proved.
    package private(set) var next: Int64
    /// Whether bytes without proof came; nothing is returned after that.
    package private(set) var isRefused = false

    /// Begins with the body of an answer.
    ///
    /// - Parameters:
    ///   - proof: that of the answer's head.
    ///   - range: the bytes that were asked for.
    package init(_ proof: PeerProof, _ range: ClosedRange<Int64>) {
        self.proof = proof
        next = range.lowerBound
        end = range.upperBound + 1
    }

    /// Whether all bytes of the range are proved.
    package var isWhole: Bool { next == end && !isRefused }

    /// Takes bytes as they came.
    ///
    /// - Returns: the bytes of the file that are proved by now and were not given before; nil if
    ///   what came is not proved, or is more than the range.
    package mutating func take(_ bytes: [UInt8]) -> [UInt8]? {
        guard !isRefused else { return nil }
        waiting.append(contentsOf: bytes)
        var given: [UInt8] = []
        var start = 0
        while next < end {
            let count = Int(min(Int64(PeerProof.blockBytes), end - next))
            guard waiting.count - start >= count + SHA256.byteCount else { break }
            let block = Array(waiting[start..<start + count])
            let seal = Array(waiting[start + count..<start + count + SHA256.byteCount])
            guard ConstantTime.areEqual(proof.seal(block, at: next), seal) else { return refuse() }
            next += Int64(count)
            start += count + SHA256.byteCount
            if given.isEmpty { given = block } else { given += block }
        }
        waiting.removeFirst(start)
        guard next < end || waiting.isEmpty else { return refuse() }
        return given
    }

    private mutating func refuse() -> [UInt8]? {
        isRefused = true
        waiting = []
        return nil
    }
}
