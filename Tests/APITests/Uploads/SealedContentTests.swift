// The content of a request on its way to another replica: sealed, in order, and bounded.
import HTTPWire
import Seeds
import Synchronization
import Testing

@testable import API

@Suite struct SealedContentTests {
    private static let proof = PeerProof(
        key: Array(repeating: 2, count: 32),
        PeerQuestion(
            path: "/internal/uploads/a/b/PATCH/c", nonce: String(repeating: "1", count: 32)),
        status: 0, length: 9)

    /// A client that sends bytes in pieces of random lengths, then another piece without end.
    private final class Client: Sendable {
        private let content: [UInt8]
        private let last: IncomingBody.Piece
        private let state: Mutex<(start: Int, random: SplitMix64)>

        init(_ content: [UInt8], _ random: SplitMix64, then last: IncomingBody.Piece = .end) {
            (self.content, self.last) = (content, last)
            state = Mutex((start: 0, random: random))
        }

        /// The number of bytes that were read.
        var read: Int { state.withLock { $0.start } }

        func body() -> IncomingBody {
            IncomingBody(length: nil) {
                self.state.withLock { state in
                    guard state.start < self.content.count else { return self.last }
                    let count = Int.random(in: 1...90_000, using: &state.random)
                    let end = min(self.content.count, state.start + count)
                    defer { state.start = end }
                    return .bytes(Array(self.content[state.start..<end]))
                }
            }
        }
    }

    /// How often a transfer was resumed.
    private final class Resumes: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func add() { number.withLock { $0 += 1 } }
    }

    private static func content(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }
    }

    /// All that a transfer gets which asks for random numbers of bytes, and the reason of its end.
    private static func drain(
        _ sealed: SealedContent, _ random: SplitMix64, _ resumes: Resumes
    ) async throws -> ([UInt8], String?) {
        var (got, random, pauses): ([UInt8], SplitMix64, Int) = ([], random, 0)
        while got.count < Int(sealed.sentLength) {
            switch sealed.take(atMost: Int.random(in: 1...70_000, using: &random)) {
            case .bytes(let bytes): got += bytes
            case .abort(let reason): return (got, reason)
            case .pause:
                pauses += 1
                // A transfer that paused goes on once it is resumed.
                for _ in 0..<4000 where resumes.count < pauses {
                    try await Task.sleep(for: .milliseconds(5))
                }
                try #require(resumes.count >= pauses, "nothing resumes the transfer")
            }
        }
        return (got, nil)
    }

    @Test(
        .timeLimit(.minutes(2)),
        arguments: [1, 5, PeerProof.blockBytes, PeerProof.blockBytes + 1, 900_000])
    func theOtherReplicaGetsWhatTheClientSent(_ length: Int) async throws {
        let content = Self.content(length)
        for seed in 0..<4 {
            let random = SplitMix64(seed: UInt64(seed))
            let client = Client(content, random)
            let sealed = SealedContent(client.body(), Self.proof, length: Int64(length))
            let resumes = Resumes()
            async let filled: Void = sealed.fill { resumes.add() }
            let (bytes, reason) = try await Self.drain(sealed, random, resumes)
            await filled
            #expect(reason == nil && sealed.fault == nil)
            var blocks = ProvenBlocks(Self.proof, 0...Int64(length - 1))
            #expect(blocks.take(bytes) == content)
            #expect(blocks.isWhole)
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            (IncomingBody.Piece.end, "The content ended early."), (.broken("gone"), "gone"),
        ])
    func contentThatEndsEarlyAbortsTheTransfer(
        _ last: IncomingBody.Piece, _ reason: String
    ) async throws {
        let random = SplitMix64(seed: 1)
        for length in [0, 1, 200_000] {
            let client = Client(Self.content(length), random, then: last)
            let sealed = SealedContent(client.body(), Self.proof, length: 300_000)
            let resumes = Resumes()
            async let filled: Void = sealed.fill { resumes.add() }
            let (bytes, told) = try await Self.drain(sealed, random, resumes)
            await filled
            #expect(told == reason && sealed.fault == reason)
            let whole = length / PeerProof.blockBytes * (PeerProof.blockBytes + 32)
            #expect(bytes.count == whole, "a block that is not whole has no seal")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func aClientIsReadNoFasterThanTheOtherReplicaTakes() async throws {
        let content = Self.content(4_000_000)
        let client = Client(content, SplitMix64(seed: 3))
        let sealed = SealedContent(client.body(), Self.proof, length: Int64(content.count))
        async let filled: Void = sealed.fill({})
        let most = SealedContent.bytesAtMost + 2 * PeerProof.blockBytes + 90_000
        var taken = 0
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(5))
            #expect(client.read <= taken + most)
            if case .bytes(let bytes) = sealed.take(atMost: 100_000) { taken += bytes.count }
        }
        // The end of the transfer ends the reading as well.
        sealed.end()
        await filled
        #expect(client.read < content.count)
    }
}
