// An origin that holds two versions and changes between them at random: every file that is called a
// success is byte for byte one of them, or says that its length was not verified.
import Content
import Downloads
import Store
import Support
import Synchronization
import Testing

@testable import Worker

/// Two versions of a file, and answers that tell true facts about them, as many as they like.
private final class TwoVersions: Sendable {
    /// The facts that an answer may tell of a version.
    struct Version: Sendable {
        let bytes: [UInt8]
        let etag: String
        let date: String
        let digests: [String]

        init(_ number: Int, count: Int) {
            bytes = content(count, seed: UInt64(number + 1))
            etag = "\"v\(number)\""
            date = "Wed, 01 Oct 2025 00:00:0\(number) GMT"
            digests = fields.filter { !$0.hasPrefix("Content-") }.map { [bytes] in
                field($0, of: bytes)
            }
        }
    }

    let versions: [Version]
    private let dice: Mutex<(random: SeededDice, current: Int, weak: Bool)>
    /// The rarity of faults: an origin of few faults, or of many.
    private let calm: Int

    init(seed: Int) {
        var random = SeededDice(seed: UInt64(seed))
        let count = Int.random(in: 900...4000, using: &random)
        let other =
            Bool.random(using: &random) ? count : count + Int.random(in: -400...400, using: &random)
        versions = [Version(0, count: count), Version(1, count: other)]
        calm = Int.random(in: 2...6, using: &random)
        let isWeak = Int.random(in: 0..<3, using: &random) == 0
        dice = Mutex((random, 0, isWeak))
    }

    func answer(_ request: OriginRequest) -> [OriginStep] {
        dice.withLock { dice in
            if dice.random.isOne(in: calm) { dice.current = 1 - dice.current }
            let version = versions[dice.current]
            let (isWeak, count) = (dice.weak, version.bytes.count)
            let heads = said(of: version, isWeak: isWeak, &dice.random)
            guard let start = request.rangeStart, !dice.random.isOne(in: calm + 2) else {
                return whole(version, heads, &dice.random)
            }
            // The origin heeds If-Range, or ignores it.
            if let validator = request["if-range"], !dice.random.isOne(in: calm),
                validator != version.date, isWeak || validator != version.etag
            {
                return whole(version, heads, &dice.random)
            }
            if dice.random.isOne(in: calm * 3) {
                let status =
                    [400, 304, 412, 501, 204, 503].randomElement(using: &dice.random) ?? 400
                return [.send("HTTP/1.1 \(status) X\r\n\r\n"), .close]
            }
            guard start < count else {
                return Answer.status("416 X", ["Content-Range: bytes */\(count)"] + heads)
            }
            return part(version, from: start, heads, &dice.random)
        }
    }

    /// Some of the true facts about a version.
    private func said(
        of version: Version, isWeak: Bool, _ random: inout SeededDice
    ) -> [String] {
        var heads = ["Date: Thu, 02 Oct 2025 00:00:00 GMT"]
        if !random.isOne(in: calm) {
            heads.append("ETag: " + (isWeak ? "W/" : "") + version.etag)
        }
        if !random.isOne(in: calm) { heads.append("Last-Modified: " + version.date) }
        if random.isOne(in: 3) { heads += version.digests.shuffled(using: &random).prefix(2) }
        // A line of the other version beside the right one.
        if random.isOne(in: calm * 4) { heads.append("ETag: \"v9\"") }
        return heads
    }

    private func whole(
        _ version: Version, _ heads: [String], _ random: inout SeededDice
    ) -> [OriginStep] {
        let bytes = version.bytes
        let cut = random.isOne(in: 3) ? nil : Int.random(in: 0...bytes.count, using: &random)
        let sent = Array(bytes.prefix(cut ?? bytes.count))
        let isChunked = random.isOne(in: 2)
        let framing =
            isChunked ? ["Transfer-Encoding: chunked"] : ["Content-Length: \(bytes.count)"]
        let head = (["HTTP/1.1 200 OK"] + framing + heads).joined(separator: "\r\n") + "\r\n\r\n"
        let size = isChunked ? String(bytes.count, radix: 16) + "\r\n" : ""
        let end = isChunked && cut == nil ? "\r\n0\r\n\r\n" : ""
        return [.send(head + size), .sendBytes(sent), .send(end)] + (cut == nil ? [] : [.close])
    }

    private func part(
        _ version: Version, from start: Int, _ heads: [String], _ random: inout SeededDice
    ) -> [OriginStep] {
        let count = version.bytes.count
        let first = random.isOne(in: calm) ? Int.random(in: 0...start, using: &random) : start
        let last =
            random.isOne(in: 3) ? Int.random(in: first..<count, using: &random) : count - 1
        let total = random.isOne(in: 3) ? "*" : "\(count)"
        let piece = Array(version.bytes[first...last])
        let cut = random.isOne(in: 3) ? Int.random(in: 0...piece.count, using: &random) : nil
        let own = random.isOne(in: 3) ? [field("Content-Digest sha-512", of: piece)] : []
        let head =
            [
                "HTTP/1.1 206 P", "Content-Range: bytes \(first)-\(last)/\(total)",
                "Content-Length: \(piece.count)",
            ] + heads + own
        let steps: [OriginStep] = [
            .send(head.joined(separator: "\r\n") + "\r\n\r\n"),
            .sendBytes(Array(piece.prefix(cut ?? piece.count))),
        ]
        return cut == nil ? steps : steps + [.close]
    }
}

extension SeededDice {
    /// True once in this many times, on average.
    fileprivate mutating func isOne(in count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }
}

@Suite struct TwoVersionsTests {
    @Test(arguments: 0..<16)
    func successIsOneVersion(block: Int) async throws {
        try await WorkerLab.with { lab in
            var successes = 0
            for seed in (block * 16)..<(block * 16 + 16) {
                let world = TwoVersions(seed: seed)
                let origin = try OriginServer { world.answer($0) }
                defer { origin.close() }
                let id = WorkerLab.identifier()
                var point: ResumePoint?
                for fence in 1...40 as ClosedRange<Int64> {
                    // The stored point reads back as it was.
                    let kept = point.flatMap { ResumePoint(stored: $0.json) }
                    #expect(kept == point)
                    let attempt = lab.attempt(
                        try lab.claim(origin.url("/f"), id: id, fence: fence, resume: kept))
                    let report = await attempt.run()
                    point = report.kept
                    guard let body = report.body else { continue }
                    successes += 1
                    let bytes = try lab.bytes(of: body)
                    #expect(body.isLengthVerified)
                    #expect(
                        world.versions.contains { $0.bytes == bytes },
                        "seed \(seed): \(bytes.count) bytes after \(fence) attempts")
                    await attempt.discard()
                    break
                }
            }
            #expect(successes > 12, "most of them come to an end")
        }
    }
}
