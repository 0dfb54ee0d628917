// A file of a few hundred bytes, and streams that bring it in any order and end as they like.
import Downloads
import Testing

/// A plan that is carried out on a file in memory; every invariant is checked after each step.
struct SegmentWorld {
    /// A further stream that was asked for its bytes.
    struct Stream {
        var next: Int64
        let end: Int64
    }

    var plan: SegmentPlan
    let offset: Int64
    var file: [Bool]
    var firstNext: Int64
    var streams: [Int: Stream] = [:]
    var asked = 0

    init(from offset: Int64, total: Int64, streams: Int, stealsAbove: Int64) {
        plan = SegmentPlan(from: offset, total: total, streams: streams, stealsAbove: stealsAbove)
        self.offset = offset
        file = (0..<total).map { $0 < offset }
        firstNext = offset
    }

    /// The first stream receives; it ends at bytes that others brought, or at the end.
    mutating func receiveFirst(_ count: Int64) {
        guard plan.hasFirst else { return }
        let room = plan.room(of: SegmentPlan.first)
        bring(min(count, room), at: firstNext, by: SegmentPlan.first)
        firstNext += min(count, room)
        if plan.room(of: SegmentPlan.first) == 0 { plan.ended(SegmentPlan.first) }
    }

    /// A further stream receives; it ends at its last byte, or at the place to which it was cut.
    mutating func receive(_ number: Int, _ count: Int64) {
        guard var stream = streams[number] else { return }
        let count = min(count, plan.room(of: number), stream.end - stream.next)
        bring(count, at: stream.next, by: number)
        stream.next += count
        streams[number] = stream
        if stream.next == stream.end || plan.room(of: number) == 0 { end(number) }
    }

    /// A further stream asks for its next bytes.
    ///
    /// - Returns: false if there are no bytes left for it.
    mutating func ask(_ number: Int) -> Bool {
        guard let range = plan.take(number) else { return false }
        asked += 1
        #expect(!range.isEmpty)
        #expect(range.lowerBound >= offset && range.upperBound <= plan.total)
        #expect(range.allSatisfy { !file[Int($0)] })
        streams[number] = Stream(next: range.lowerBound, end: range.upperBound)
        return true
    }

    mutating func end(_ number: Int) {
        streams[number] = nil
        plan.ended(number)
    }

    /// Bytes beyond the complete beginning belong to no stream any more.
    mutating func discardBeyondPrefix() {
        streams = [:]
        plan.discardBeyondPrefix()
        for place in file.indices where place >= Int(plan.prefix) { file[place] = false }
    }

    private mutating func bring(_ count: Int64, at next: Int64, by stream: Int) {
        guard count > 0 else { return }
        #expect(plan.piece(of: stream)?.next == next)
        for place in next..<(next + count) { file[Int(place)] = true }
        plan.advance(stream, by: count)
    }

    /// Checks the invariants that hold after every step.
    func check() {
        #expect(plan.pieces.first.map { $0.start <= offset } == true)
        #expect(plan.pieces.last?.end == plan.total)
        for (one, two) in zip(plan.pieces, plan.pieces.dropFirst()) {
            #expect(one.end == two.start)
        }
        for piece in plan.pieces {
            #expect(piece.start <= piece.next && piece.next <= piece.end)
            #expect((piece.start..<piece.next).allSatisfy { file[Int($0)] })
        }
        #expect(plan.prefix == Int64(file.firstIndex(of: false) ?? file.count))
        #expect(plan.isComplete == file.allSatisfy { $0 })
        let workers = plan.pieces.compactMap(\.stream)
        #expect(Set(workers).count == workers.count)
    }
}
