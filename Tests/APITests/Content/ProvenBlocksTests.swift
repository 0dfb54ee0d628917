// Bytes of another replica: the reader passes on proved bytes only, however they arrive and
// whatever is done to them on the way.
import Seeds
import Testing

@testable import API

@Suite struct ProvenBlocksTests {
    private static let question = PeerQuestion(
        path: "/internal/content/a/1/b/0-1", nonce: String(repeating: "0", count: 32))

    private static func proof(
        _ question: PeerQuestion = question, key: UInt8 = 1, status: Int = 200, length: Int64 = 9
    ) -> PeerProof {
        PeerProof(
            key: Array(repeating: key, count: 32), question, status: status, length: length)
    }

    /// The bytes that a replica sends for a range of a file.
    private static func sent(
        _ file: [UInt8], _ range: ClosedRange<Int64>, _ proof: PeerProof
    ) -> [UInt8] {
        var sent: [UInt8] = []
        var next = range.lowerBound
        while next <= range.upperBound {
            let end = min(next + Int64(PeerProof.blockBytes), range.upperBound + 1)
            let block = Array(file[Int(next)..<Int(end)])
            sent += block + proof.seal(block, at: next)
            next = end
        }
        return sent
    }

    /// All bytes that the reader passes on when they arrive in pieces of random lengths.
    private static func read(
        _ bytes: [UInt8], _ blocks: inout ProvenBlocks, _ random: inout SplitMix64
    ) -> [UInt8] {
        var (given, start) = ([UInt8](), 0)
        while start < bytes.count {
            let most = random.next() % 4 == 0 ? 7 : 200_000
            let count = min(bytes.count - start, Int.random(in: 1...most, using: &random))
            given += blocks.take(Array(bytes[start..<start + count])) ?? []
            start += count
        }
        return given
    }

    /// Ranges whose lengths are near one and two blocks, and some between.
    private static func range(_ random: inout SplitMix64) -> ClosedRange<Int64> {
        let block = PeerProof.blockBytes
        let lengths = [1, 2, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 1]
        let length = lengths.randomElement(using: &random) ?? 1
        let start = Int64.random(in: 0...50_000, using: &random)
        return start...start + Int64(length) - 1
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func trueBytesArriveWholeInWhateverPieces(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let range = Self.range(&random)
        let file = (0...range.upperBound).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let proof = Self.proof(length: Int64(file.count))
        let sent = Self.sent(file, range, proof)
        #expect(Int64(sent.count) == PeerProof.sentLength(of: Int64(range.count)))
        var blocks = ProvenBlocks(proof, range)
        let given = Self.read(sent, &blocks, &random)
        #expect(given == Array(file[Int(range.lowerBound)...]))
        #expect(blocks.isWhole && blocks.next == range.upperBound + 1)
        #expect(blocks.take([1]) == nil && !blocks.isWhole, "more than the range")
    }

    /// The ways in which bytes are spoiled.
    enum Lie: CaseIterable {
        case flippedBit, cutOff, dropped, inserted, swappedBlocks, repeatedBlock, appended
        case otherQuestion, otherKey, otherStatus, otherLength, otherPlace, noSeals
    }

    @Test(arguments: Lie.allCases, 0..<12 as Range<UInt64>)
    func spoiledBytesNeverArriveAndNeverCountAsWhole(_ lie: Lie, _ seed: UInt64) {
        var random = SplitMix64(seed: seed &* 31 &+ 7)
        let frame = PeerProof.blockBytes + 32
        var range = Self.range(&random)
        if lie == .swappedBlocks || lie == .repeatedBlock {
            range = range.lowerBound...range.lowerBound + Int64(3 * PeerProof.blockBytes) - 1
        }
        let file = (0...range.upperBound + 1).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let proof = Self.proof()
        var sent = Self.sent(file, range, proof)
        let place = Int.random(in: 0..<sent.count, using: &random)
        switch lie {
        case .flippedBit: sent[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .cutOff: sent.removeLast(sent.count - place)
        case .dropped: sent.remove(at: place)
        case .inserted: sent.insert(sent[place] ^ 1, at: place)
        case .swappedBlocks:
            sent = Array(sent[frame..<2 * frame] + sent[..<frame] + sent[(2 * frame)...])
        case .repeatedBlock: sent = Array(sent[..<frame] + sent[..<frame] + sent[(2 * frame)...])
        case .appended: sent.append(0)
        case .otherQuestion:
            sent = Self.sent(file, range, Self.proof(PeerKeys.question(Self.question.path)))
        case .otherKey: sent = Self.sent(file, range, Self.proof(key: 2))
        case .otherStatus: sent = Self.sent(file, range, Self.proof(status: 410))
        case .otherLength: sent = Self.sent(file, range, Self.proof(length: 10))
        case .otherPlace:
            let shifted = range.lowerBound + 1...range.upperBound + 1
            sent = Self.sent(file, shifted, proof)
        case .noSeals: sent = Array(file[Int(range.lowerBound)...Int(range.upperBound)])
        }
        var blocks = ProvenBlocks(proof, range)
        let given = Self.read(sent, &blocks, &random)
        #expect(!blocks.isWhole)
        let truth = file[Int(range.lowerBound)...Int(range.upperBound)]
        #expect(truth.starts(with: given), "what is given is true")
        // Bytes behind the end are refused when they come, all other lies before the last block.
        #expect(lie == .appended || given.count < truth.count)
    }
}
