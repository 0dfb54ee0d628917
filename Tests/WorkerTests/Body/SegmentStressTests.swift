// Streams without a network: pieces of any size and every kind of end; the file has the right
// bytes.
import Base
import Content
import Downloads
import Platform
import Support
import Testing
import Transfers

@testable import Worker

@Suite struct SegmentStressTests {
    private static let bytes = content(1_500_000, seed: 3)

    /// Plays libcurl's part: delivers bytes in order until the attempt aborts.
    private struct Feed {
        let lab: WorkerLab
        let segments: Segments
        let writer: PartWriter
        var random: SeededDice
        var first = 0
        var streams: [Int: (stream: SegmentStream, next: Int)] = [:]

        /// Whether the first stream is still under way.
        mutating func first(upTo count: Int) async -> Bool {
            let end = min(first + count, SegmentStressTests.bytes.count)
            let answer = await offer(
                first..<end, of: 0, asked: Int64(SegmentStressTests.bytes.count), writer.intake
            ) { await writer.drain() }
            first = end
            return answer && end < SegmentStressTests.bytes.count
        }

        mutating func further(_ number: Int, upTo count: Int) async {
            guard let (stream, next) = streams[number] else { return }
            let end = min(next + count, Int(stream.range.upperBound))
            let goesOn = await offer(
                next..<end, of: number, asked: stream.range.upperBound, stream.intake
            ) { await writer.drain(stream, on: lab.engine) }
            streams[number] = (stream, end)
            if !goesOn || end == stream.range.upperBound { await self.end(number) }
        }

        mutating func end(_ number: Int) async {
            guard let (stream, _) = streams.removeValue(forKey: number) else { return }
            await writer.drain(stream, on: lab.engine, flush: true)
            segments.ended(stream)
        }

        private func offer(
            _ range: Range<Int>, of number: Int, asked: Int64, _ intake: BodyIntake,
            _ drain: () async -> Void
        ) async -> Bool {
            let piece = Array(SegmentStressTests.bytes[range])
            while true {
                let (answer, drains) = unsafe piece.withUnsafeBytes {
                    unsafe segments.receive($0, of: number, asked: asked, into: intake)
                }
                if drains != .none { await drain() }
                switch answer {
                case .taken: return true
                case .pause: await drain()
                case .abort: return false
                }
            }
        }
    }

    @Test(arguments: 0..<48)
    func randomScriptsGiveTheFile(seed: Int) async throws {
        try await WorkerLab.with { lab in
            let bytes = SegmentStressTests.bytes
            let writer = PartWriter(
                name: ContentName(download: WorkerLab.identifier(), fence: 1), store: lab.store,
                lane: QueueExecutor(label: "test.file"))
            let segments = Segments(
                SegmentOffer(etag: "\"v1\"", total: Int64(bytes.count), streams: 8),
                request: TransferRequest(url: try SourceURL(parsing: "http://127.0.0.1/")),
                stealsAbove: 50_000, engine: lab.engine)
            var feed = Feed(
                lab: lab, segments: segments, writer: writer,
                random: SeededDice(seed: UInt64(seed)))
            let count = Int.random(in: 2...8, using: &feed.random)
            _ = await feed.first(upTo: Int.random(in: 0...300_000, using: &feed.random))
            #expect(segments.cut(into: count, intake: writer.intake, atLeast: 1))
            var hasFirst = true
            var rounds = 0
            while !segments.isComplete, rounds < 20_000 {
                rounds += 1
                let size = Int.random(in: 1...16_384, using: &feed.random)
                let number = Int.random(in: 0..<count, using: &feed.random)
                if number == 0, hasFirst {
                    hasFirst = await feed.first(upTo: size)
                    if Int.random(in: 0..<300, using: &feed.random) == 0 { hasFirst = false }
                    if !hasFirst { segments.firstEnded() }
                } else if feed.streams[number] != nil {
                    await feed.further(number, upTo: size)
                    if Int.random(in: 0..<60, using: &feed.random) == 0 { await feed.end(number) }
                } else if let stream = segments.next(number) {
                    feed.streams[number] = (stream, Int(stream.range.lowerBound))
                } else if !hasFirst, feed.streams.isEmpty {
                    await writer.finish()
                    let place = try #require(await writer.restart())
                    segments.resume(at: place)
                    feed.first = Int(place)
                    hasFirst = true
                }
                if seed % 3 == 0, Int.random(in: 0..<150, using: &feed.random) == 0 {
                    segments.stop()
                }
                if seed % 5 == 0, Int.random(in: 0..<150, using: &feed.random) == 0 {
                    segments.discardBeyondPrefix()
                    feed.streams = [:]
                    await writer.forgetWrittenRanges()
                }
                if Int.random(in: 0..<50, using: &feed.random) == 0 {
                    _ = try await writer.checkpoint()
                }
            }
            await writer.finish()
            let file = try await writer.complete()
            #expect(file.length == Int64(bytes.count))
            #expect(file.sha256 == sha256(bytes))
            #expect(try lab.bytes("\(file.file.name).part") == bytes)
        }
    }
}

/// Random numbers that are equal for equal seeds.
struct SeededDice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2 &+ 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xbf58_476d_1ce4_e5b9
    }
}
