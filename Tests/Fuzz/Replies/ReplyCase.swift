// One case: the role of the peer, its reply, the pieces in which it comes, and the receiving end's
// behaviour.
package import Support
import Transfers

/// The role in which the engine knows the peer.
package enum ReplyRole: String, CaseIterable, Sendable {
    /// The origin of a download.
    case origin
    /// A proxy that is asked in the absolute form.
    case proxy
    /// A proxy that is asked for a tunnel.
    case tunnel
    /// The receiver of a webhook.
    case receiver
}

/// A case, made from a seed and a number alone.
package struct ReplyCase: Sendable {
    /// The role that the peer plays.
    package let role: ReplyRole
    /// The number of the case.
    package let number: Int
    /// The bytes of the reply.
    package let bytes: [UInt8]
    /// The meaning of the bytes.
    package let reading: ReplyReading

    let method: TransferRequest.Method
    let followsRedirects: Int
    /// Whether the receiving end asks for a pause at every third piece.
    let isPausing: Bool
    private let pieces: [Int]
    private let ending: Int

    /// Makes the case of a number.
    ///
    /// - Parameters:
    ///   - role: the role that the peer plays.
    ///   - number: 0 or more; the corpus unchanged comes first, then mutations of it.
    ///   - seed: the seed of the run.
    package init(_ role: ReplyRole, _ number: Int, seed: UInt64) {
        var random = ReplyRandom(seed: seed, case: number)
        let corpus = ReplyCorpus.all
        var reply = corpus[number % corpus.count].bytes
        if number >= corpus.count {
            var mutator = ReplyMutator(random: random)
            reply = mutator.mutate(random.pick(corpus).bytes)
            random = mutator.random
        }
        self.role = role
        self.number = number
        bytes = reply
        let isHead = role != .receiver && random.below(12) == 0
        method = role == .receiver ? .post : isHead ? .head : .get
        reading = ReplyReading(reply, hasBody: !isHead)
        followsRedirects = role == .receiver || random.below(3) > 0 ? 0 : 3
        isPausing = random.below(4) == 0
        pieces = (0..<random.below(4)).map { _ in random.below(max(reply.count, 1)) }.sorted()
        ending = random.below(16)
    }

    /// The steps of the peer.
    package var steps: [OriginStep] {
        var steps: [OriginStep] = []
        var start = 0
        for end in pieces + [bytes.count] where end > start {
            steps.append(.sendBytes(Array(bytes[start..<end])))
            if end < bytes.count { steps.append(.rest(milliseconds: 1)) }
            start = end
        }
        // The connection is kept only if both sides know that the answer is over.
        if reading.isPersistent, ending > 4, role != .tunnel { return steps }
        return steps + [ending == 0 ? .reset : .close]
    }

    /// The number in a target such as `/r/7` or `http://127.0.0.1:1/r/7`; 0 for any other.
    static func number(in target: String) -> Int {
        let end = target.split(separator: "/").last.map(String.init) ?? ""
        return Int(end.prefix { $0.isASCII && $0.isNumber }) ?? 0
    }
}
