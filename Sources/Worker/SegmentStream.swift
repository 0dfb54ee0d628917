// One further stream of a file: asked for one piece, and heard only if the answer is that piece.
internal import Core
internal import Synchronization
internal import Transfers

/// A request for one piece.
final class SegmentStream: Sendable {
    /// What the answer was.
    enum Answer: Sendable {
        /// None came yet.
        case none
        /// The piece, of the same file.
        case piece
        /// A status that is no content: the origin does not want to be asked so often.
        case refused
        /// Bytes that may be another file's.
        case other
    }

    /// Seven of them wait for the disk beside the attempt's own.
    private static let blockBytes = 128 * 1024

    /// The bytes that were asked for.
    let range: Range<Int64>
    let number: Int
    let id = TransferID()
    let intake: BodyIntake
    /// Where the next block goes; moved on by the file lane only.
    let place: Atomic<Int64>
    /// Bytes that come from now on are nobody's.
    let isVoid = Atomic(false)
    private let heard = Mutex(Answer.none)
    private let announced = Mutex<Range<Int64>?>(nil)

    init(_ number: Int, _ range: Range<Int64>) {
        self.number = number
        self.range = range
        place = Atomic(range.lowerBound)
        intake = BodyIntake(
            pool: BlockPool(blockBytes: SegmentStream.blockBytes, keptAtMost: 1))
        intake.start(at: range.lowerBound)
    }

    /// What the answer was so far.
    var answer: Answer { heard.withLock { $0 } }

    /// The bytes that the answer announces, once it was taken.
    var part: Range<Int64>? { announced.withLock { $0 } }

    /// Judges the answer's head; only a part of the same file that begins where it was asked for
    /// is taken (RFC 9110 sections 13.1.5 and 15.3.7).
    ///
    /// - Parameters:
    ///   - facts: the head.
    ///   - etag: what `If-Range` had.
    ///   - total: bytes of the whole.
    ///   - agrees: whether what it says contradicts no earlier answer; asked last.
    /// - Returns: whether its body is taken.
    func judge(
        _ facts: ResponseFacts, etag: String, total: Int64, agrees: (ResponseFacts) -> Bool
    ) -> Bool {
        let answer: Answer
        if facts.status == 200 || facts.status == 206 || facts.status == 416 {
            let part = facts.contentRange
            let bytes = part?.bytes
            let isPiece =
                facts.status == 206 && facts.ambiguity == nil && facts.coding == nil
                && facts.strongETag == etag && part?.total == total
                && bytes?.lowerBound == range.lowerBound && agrees(facts)
            answer = isPiece ? .piece : .other
            if isPiece, let bytes {
                announced.withLock { $0 = bytes.lowerBound..<(bytes.upperBound + 1) }
            }
        } else {
            answer = .refused
        }
        heard.withLock { $0 = answer }
        if case .piece = answer { return true }
        return false
    }
}
