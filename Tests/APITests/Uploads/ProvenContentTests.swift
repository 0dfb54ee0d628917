// The content of a request that another replica passed on: its reader gets proved bytes only.
import HTTPWire
import Seeds
import Synchronization
import Testing

@testable import API

@Suite struct ProvenContentTests {
    private static let proof = PeerProof(
        key: Array(repeating: 1, count: 32),
        PeerQuestion(
            path: "/internal/uploads/a/b/PUT/c", nonce: String(repeating: "0", count: 32)),
        status: 0, length: 9)
    private static let block = PeerProof.blockBytes

    private static func content(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    }

    private static func sealed(_ content: [UInt8]) -> [UInt8] {
        stride(from: 0, to: content.count, by: block).flatMap { start in
            let part = Array(content[start..<min(start + block, content.count)])
            return part + proof.seal(part, at: Int64(start))
        }
    }

    /// The given bytes in pieces of random lengths, then another piece.
    private static func incoming(
        _ bytes: [UInt8], _ last: IncomingBody.Piece, _ random: SplitMix64
    ) -> IncomingBody {
        let state = Mutex((start: 0, random: random))
        return IncomingBody(length: nil) {
            state.withLock { state in
                guard state.start < bytes.count else { return last }
                let count = Int.random(in: 1...100_000, using: &state.random)
                let end = min(bytes.count, state.start + count)
                defer { state.start = end }
                return .bytes(Array(bytes[state.start..<end]))
            }
        }
    }

    /// The bytes that the reader gets, and the piece behind them.
    private static func read(
        _ bytes: [UInt8], _ last: IncomingBody.Piece = .end, length: Int, _ seed: Int
    ) async -> ([UInt8], IncomingBody.Piece) {
        let body = ProvenContent.body(
            incoming(bytes, last, SplitMix64(seed: UInt64(seed))), proof, length: Int64(length))
        var got: [UInt8] = []
        while true {
            switch await body.next() {
            case .bytes(let bytes): got += bytes
            case let end: return (got, end)
            }
        }
    }

    @Test(arguments: [1, 2, block - 1, block, block + 1, 2 * block, 2 * block + 1, 300_000])
    func allBytesArriveInWhateverPieces(_ length: Int) async {
        let content = Self.content(length)
        for seed in 0..<5 {
            let (got, end) = await Self.read(Self.sealed(content), length: length, seed)
            #expect(got == content && end == .end)
        }
    }

    @Test func aByteThatWasChangedEndsTheContentBeforeItsBlock() async {
        let length = 2 * Self.block + 5
        let content = Self.content(length)
        let sealed = Self.sealed(content)
        var random = SplitMix64(seed: 1)
        for seed in 0..<40 {
            var bytes = sealed
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            let (got, end) = await Self.read(bytes, length: length, seed)
            #expect(got == Array(content[..<(place / (Self.block + 32) * Self.block)]))
            #expect(end == .broken("The content has no proof."), "\(place)")
        }
    }

    @Test func contentThatIsCutOrLongerIsNotWhole() async {
        let length = Self.block + 5
        let content = Self.content(length)
        let sealed = Self.sealed(content)
        for count in [0, 1, Self.block, Self.block + 32, Self.block + 33, sealed.count - 1] {
            let (got, end) = await Self.read(
                Array(sealed[..<count]), length: length, count)
            #expect(got == (count < Self.block + 32 ? [] : Array(content[..<Self.block])))
            #expect(end == .broken("The content ended early."))
            let broken = await Self.read(
                Array(sealed[..<count]), .broken("why"), length: length, count)
            #expect(broken.1 == .broken("why"))
        }
        let (_, end) = await Self.read(sealed + [0], length: length, 1)
        #expect(end == .broken("The content has no proof."))
    }

    @Test func anEndOfTheReaderEndsTheContentOfTheClient() async {
        let reasons = Mutex<[String]>([])
        let body = ProvenContent.body(
            IncomingBody(length: nil) {
                .end
            } stop: { reason in
                reasons.withLock { $0.append(reason) }
            }, Self.proof, length: 1)
        await body.abandon("newer")
        #expect(reasons.withLock { $0 } == ["newer"])
    }
}
