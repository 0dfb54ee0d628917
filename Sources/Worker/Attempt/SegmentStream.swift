// One further stream of a file: requests one piece, and accepts only an answer with that piece.
internal import Downloads
internal import Synchronization
internal import Transfers

/// A request for one piece.
final class SegmentStream: Sendable {
    /// The bytes of a block: seven further streams wait for the disk beside the attempt's own.
    private static let blockBytes = 128 * 1024

    /// The requested bytes.
    let range: Range<Int64>
    let number: Int
    let id = TransferID()
    let intake: BodyIntake
    /// The offset of the next block; advanced by the file lane only.
    let place: Atomic<Int64>
    /// Whether bytes that arrive from now on are dropped.
    let isVoid = Atomic(false)
    private let answer = Mutex<PieceVerdict?>(nil)

    init(_ number: Int, _ range: Range<Int64>) {
        self.number = number
        self.range = range
        place = Atomic(range.lowerBound)
        intake = BodyIntake(
            pool: BlockPool(blockBytes: SegmentStream.blockBytes, keptAtMost: 1))
        intake.start(at: range.lowerBound)
    }

    /// The decision about the answer's head; nil before it came.
    var verdict: PieceVerdict? { answer.withLock { $0 } }

    /// Notes the decision; bytes beyond the announced ones are refused.
    func judged(_ verdict: PieceVerdict) {
        if case .take(let announced) = verdict {
            intake.start(at: announced.lowerBound, end: announced.upperBound)
        }
        answer.withLock { $0 = verdict }
    }
}
