// Divides a file among several streams: which stream fetches which piece, and what happens to the
// rest when a stream ends.

/// The pieces of one file and the streams that fetch them.
///
/// The first stream is the attempt's own: its request asked for everything to the end, so it can
/// continue past its piece. Further streams requested their piece only. A stream leaves no gaps, so
/// every piece is complete from its start to its `next`.
package struct SegmentPlan: Equatable, Sendable {
    /// Adjacent bytes that one stream fetches.
    package struct Piece: Equatable, Sendable {
        /// The first byte.
        package let start: Int64
        /// The byte after the last one.
        package fileprivate(set) var end: Int64
        /// The first missing byte.
        package fileprivate(set) var next: Int64
        /// The stream that fetches it.
        package fileprivate(set) var stream: Int?
        /// The number of times that a stream ended before the piece did.
        package fileprivate(set) var failures = 0

        /// The number of missing bytes.
        package var left: Int64 { end - next }
    }

    /// The number of the attempt's own stream.
    package static let first = 0
    /// The most requests for one piece; after that its rest is left to the first stream.
    package static let triesAtMost = 2

    /// The length of the whole in bytes.
    package let total: Int64
    /// The rest of a piece is halved only if it has more bytes than this.
    package let stealsAbove: Int64
    /// The pieces in order, without gaps, to the end of the file.
    package private(set) var pieces: [Piece]
    /// Whether the first stream runs.
    package private(set) var hasFirst = true
    /// Whether no further streams are requested.
    package private(set) var isOver = false
    /// Whether a further stream has brought bytes; until then the first continues past its segment,
    /// because an origin may answer no range.
    package private(set) var isProved = false

    /// Divides the remainder into equal segments; the first stream takes the first one.
    ///
    /// - Parameters:
    ///   - offset: where the first stream is.
    ///   - total: the whole length, above the offset.
    ///   - streams: how many in all, at least 1.
    ///   - stealsAbove: what is left of a piece is halved only above this many bytes.
    package init(from offset: Int64, total: Int64, streams: Int, stealsAbove: Int64) {
        precondition(offset >= 0 && offset < total && streams > 0, "there is something to cut")
        self.total = total
        self.stealsAbove = max(stealsAbove, 2)
        let count = max(1, min(Int64(streams), total - offset))
        pieces = (0..<count).map { number in
            let start = offset + SegmentPlan.cut(total - offset, number, of: count)
            let end = offset + SegmentPlan.cut(total - offset, number + 1, of: count)
            return Piece(start: start, end: end, next: start, stream: number == 0 ? 0 : nil)
        }
    }

    private static func cut(_ length: Int64, _ number: Int64, of count: Int64) -> Int64 {
        length / count * number + min(number, length % count)
    }

    /// The piece that a stream fetches.
    package func piece(of stream: Int) -> Piece? { pieces.first { $0.stream == stream } }

    /// Whether all bytes are here.
    package var isComplete: Bool { pieces.allSatisfy { $0.left == 0 } }

    /// The place before which all bytes are here.
    package var prefix: Int64 { pieces.first { $0.left > 0 }?.next ?? total }

    /// The number of bytes that are here, those before the plan's beginning included.
    package var received: Int64 { total - pieces.reduce(0) { $0 + $1.left } }

    /// The bytes that a stream may still bring; 0 ends it.
    ///
    /// The first stream continues into segments without another stream, and into all of them until
    /// another has brought a byte.
    package func room(of stream: Int) -> Int64 {
        guard let place = pieces.firstIndex(where: { $0.stream == stream }) else { return 0 }
        var end = pieces[place].end
        if stream == SegmentPlan.first, hasFirst {
            for piece in pieces[(place + 1)...] {
                guard piece.left > 0, !isProved || isGivenUp(piece) else { break }
                end = piece.end
            }
        }
        return end - pieces[place].next
    }

    /// Whether no further stream will fetch the rest of a piece.
    private func isGivenUp(_ piece: Piece) -> Bool {
        piece.left > 0 && piece.stream == nil
            && (isOver || piece.failures >= SegmentPlan.triesAtMost)
    }

    /// Counts received bytes of a stream.
    ///
    /// - Parameters:
    ///   - stream: which.
    ///   - count: at most its room.
    package mutating func advance(_ stream: Int, by count: Int64) {
        guard let place = pieces.firstIndex(where: { $0.stream == stream }) else { return }
        precondition(count >= 0 && count <= room(of: stream), "a stream stays in its piece")
        if stream != SegmentPlan.first, count > 0 { isProved = true }
        pieces[place].next += count
        while pieces[place].left < 0 {
            // The pieces are joined only when the stream gets there: before that, the piece might
            // be halved and fail again and again.
            pieces[place].end = pieces[place + 1].end
            pieces.remove(at: place + 1)
        }
    }

    /// Gives an idle stream a piece: one without a stream or, if there is none, half of the largest
    /// rest of another stream.
    ///
    /// - Returns: the bytes to ask for; nil when there is nothing for it to do.
    package mutating func take(_ stream: Int) -> Range<Int64>? {
        precondition(piece(of: stream) == nil, "a stream fetches one piece at a time")
        guard !isOver else { return nil }
        if let place = pieces.firstIndex(where: {
            $0.left > 0 && $0.stream == nil && $0.failures < SegmentPlan.triesAtMost
        }) {
            pieces[place].stream = stream
            return pieces[place].next..<pieces[place].end
        }
        let victims = pieces.indices.filter {
            pieces[$0].stream != nil && pieces[$0].left > stealsAbove
        }
        guard let place = victims.max(by: { pieces[$0].left < pieces[$1].left }) else {
            return nil
        }
        let end = pieces[place].end
        let middle = pieces[place].next + pieces[place].left / 2
        pieces[place].end = middle
        pieces.insert(
            Piece(start: middle, end: end, next: middle, stream: stream), at: place + 1)
        return middle..<end
    }

    /// Notes the end of a stream, with its piece complete or not.
    package mutating func ended(_ stream: Int) {
        if stream == SegmentPlan.first { hasFirst = false }
        guard let place = pieces.firstIndex(where: { $0.stream == stream }) else { return }
        pieces[place].stream = nil
        if pieces[place].left > 0 { pieces[place].failures += 1 }
        joinComplete()
    }

    /// Gives up all bytes behind the first gap, because an answer to a further stream shows that
    /// they may belong to another file.
    ///
    /// If the first stream runs, it continues to the end.
    package mutating func discardBeyondPrefix() {
        isOver = true
        let next = hasFirst ? piece(of: SegmentPlan.first)?.next ?? prefix : prefix
        pieces = [
            Piece(
                start: pieces.first?.start ?? next, end: total, next: next,
                stream: hasFirst ? SegmentPlan.first : nil)
        ]
    }

    /// Ends requests for further streams; the first stream fetches what the running ones do not
    /// bring.
    package mutating func close() { isOver = true }

    /// Notes that the first stream was requested again, from the first missing byte.
    ///
    /// No other stream runs; it continues until everything behind it is complete.
    ///
    /// - Parameter offset: its first byte; all before it is here.
    package mutating func resume(at offset: Int64) {
        precondition(pieces.allSatisfy { $0.stream == nil }, "nobody else runs")
        isOver = true
        hasFirst = true
        var tail = total
        while let last = pieces.last, last.left == 0, last.start > offset {
            tail = last.start
            pieces.removeLast()
        }
        let start = min(pieces.first?.start ?? offset, offset)
        pieces = [Piece(start: start, end: tail, next: offset, stream: SegmentPlan.first)]
        if tail < total {
            pieces.append(Piece(start: tail, end: total, next: total, stream: nil))
        }
    }

    /// Joins complete neighbours, so that a long file with many halvings keeps few pieces.
    private mutating func joinComplete() {
        var joined: [Piece] = []
        for piece in pieces {
            if var last = joined.last, last.left == 0, last.stream == nil, piece.left == 0,
                piece.stream == nil
            {
                last.end = piece.end
                last.next = piece.end
                joined[joined.count - 1] = last
            } else {
                joined.append(piece)
            }
        }
        pieces = joined
    }
}
