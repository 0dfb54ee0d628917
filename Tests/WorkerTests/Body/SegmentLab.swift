// An origin that serves pieces and holds each of them back until the test lets it go.
import Base
import Content
import Platform
import Store
import Support
import Synchronization
import Testing

@testable import Worker

/// A file whose streams are held back in the middle of their answers.
final class SegmentLab: Sendable {
    static let bytes = content(100_000)
    static let garbage = content(100_000, seed: 9)
    /// Bytes that the first stream brings before the file is cut.
    static let head = 4_000
    static let streams = 4

    /// The gates of the pieces, one for each.
    let gates = (0..<streams).map { _ in OriginGate() }
    private let asked = Mutex<[Int: Int]>([:])

    /// The place where a piece begins; the first stream's begins at 0.
    static func start(_ piece: Int) -> Int { head + (bytes.count - head) / streams * piece }

    /// The number of the piece with that byte.
    static func piece(of byte: Int) -> Int {
        min(streams - 1, max(0, byte - head) / ((bytes.count - head) / streams))
    }

    /// The number of requests of further streams for bytes of a piece.
    func count(_ piece: Int) -> Int { asked.withLock { $0[piece] ?? 0 } }

    /// The answer of an origin that does everything right.
    func answer(_ request: OriginRequest) -> [OriginStep] {
        guard let (start, end) = request.range else { return whole() }
        return part(start, end ?? SegmentLab.bytes.count - 1)
    }

    /// The whole file, held back after its head.
    func whole(cutAfter: Int? = nil) -> [OriginStep] {
        let bytes = SegmentLab.bytes
        let end = cutAfter ?? bytes.count
        let steps: [OriginStep] = [
            .send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nAccept-Ranges: bytes\r\n"
                    + "ETag: \"v1\"\r\n\r\n"),
            .sendBytes(Array(bytes[..<SegmentLab.head])), .wait(gates[0]),
            .sendBytes(Array(bytes[SegmentLab.head..<end])),
        ]
        return cutAfter == nil ? steps : steps + [.close]
    }

    /// A part, held back after its first half.
    func part(
        _ start: Int, _ end: Int, cutAfter: Int? = nil, isHeld: Bool = true
    ) -> [OriginStep] {
        let piece = SegmentLab.piece(of: start)
        let bytes = Array(SegmentLab.bytes[start...end].prefix(cutAfter ?? .max))
        let half = bytes.count / 2
        let steps: [OriginStep] = [
            .send(SegmentLab.head206(start, end)), .sendBytes(Array(bytes[..<half])),
            isHeld ? .wait(gates[piece]) : .send(""), .sendBytes(Array(bytes[half...])),
        ]
        return cutAfter == nil ? steps : steps + [.close]
    }

    static func head206(
        _ start: Int, _ end: Int, etag: String = "\"v1\"", total: Int = bytes.count
    ) -> String {
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(end)/\(total)\r\n"
            + "Content-Length: \(end - start + 1)\r\nETag: \(etag)\r\n\r\n"
    }

    /// Counts requests of further streams.
    ///
    /// - Returns: the number of the request among those for its piece, from 1; 0 for a request to
    ///   the end of the file.
    func note(_ request: OriginRequest) -> Int {
        guard let (start, end) = request.range, end != nil else { return 0 }
        return asked.withLock { asked in
            asked[SegmentLab.piece(of: start), default: 0] += 1
            return asked[SegmentLab.piece(of: start)] ?? 0
        }
    }

    func open() { for gate in gates { gate.open() } }

    /// An attempt that may have this many streams; the file is cut when its head is here.
    func attempt(
        _ lab: WorkerLab, _ claim: ClaimedDownload, room: Int = streams - 1,
        stealsAbove: Int64 = 1 << 40
    ) -> AttemptRun {
        let tools = lab.tools {
            $0.segmentsAtLeast = 1000
            $0.stealsAbove = stealsAbove
        }
        let box = Mutex<AttemptRun?>(nil)
        let attempt = AttemptRun(
            Shared(claim), tools: tools,
            owner: ScriptedOwner(
                room: { extra in
                    for _ in 0..<10_000 {
                        let received = box.withLock { $0 }?.progress.received ?? 0
                        if received >= Int64(SegmentLab.head) { break }
                        await Alarm().wait(upTo: .milliseconds(1))
                    }
                    return min(extra, room)
                },
                remembered: { point in lab.remembered.withLock { $0.append(point) } }))
        box.withLock { $0 = attempt }
        return attempt
    }

    /// Runs a body against an origin of its own.
    static func with(
        _ answer: @escaping @Sendable (SegmentLab, OriginRequest) -> [OriginStep] = {
            $0.answer($1)
        },
        _ test: (WorkerLab, SegmentLab, OriginServer) async throws -> Void
    ) async throws {
        try await WorkerLab.with { lab in
            let file = SegmentLab()
            let origin = try OriginServer { request in answer(file, request) }
            defer {
                file.open()
                origin.close()
            }
            try await test(lab, file, origin)
        }
    }
}

extension OriginRequest {
    /// First and last byte that were asked for; the last is nil for all the rest.
    var range: (start: Int, end: Int?)? {
        guard let range = self["range"], range.hasPrefix("bytes=") else { return nil }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Int(ends[0]) else { return nil }
        return (start, Int(ends[1]))
    }
}
