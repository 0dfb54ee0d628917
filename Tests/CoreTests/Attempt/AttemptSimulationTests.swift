// Answers, orders, checkpoints and crashes in every order that a seed gives, against an origin that
// changes its file and answers ranges well, badly or not at all; LULL_ATTEMPTS=N for more seeds.
import Base
import Downloads
import Foundation
import Testing

@Suite struct AttemptSimulationTests {
    /// An origin's way to treat ranges and validators, for a whole run.
    private struct Habits {
        let honoursIfRange: Bool
        let hasETag: Bool
        let hasDate: Bool
        let isChunked: Bool
        let hasUnknownTotal: Bool
        let beginsEarlier: Bool
        let changes: Int
        let lies: Int
        let hasDigest: Bool
        let mirrors: Int
        /// The session's rule for kept bytes when the source changes.
        let onSourceChange: SourceChange
        let acceptsRanges: Bool
        let streams: Int

        init(_ random: inout SeededRandom) {
            honoursIfRange = !random.isOne(in: 4)
            hasETag = !random.isOne(in: 4)
            hasDate = random.isOne(in: 2)
            isChunked = random.isOne(in: 3)
            hasUnknownTotal = random.isOne(in: 4)
            beginsEarlier = random.isOne(in: 4)
            changes = random.isOne(in: 3) ? 1 << 30 : 4
            lies = random.isOne(in: 2) ? 1 << 30 : 4
            hasDigest = random.isOne(in: 3)
            mirrors = hasDigest && random.isOne(in: 2) ? 3 : 1
            onSourceChange = random.isOne(in: 4) ? .ask : .restart
            acceptsRanges = random.isOne(in: 2)
            streams = Int.random(in: 1...4, using: &random)
        }
    }

    /// The fields of a request that an origin reads.
    private struct Asked {
        var start: Int64?
        var ifRange: FieldValue?
    }

    /// An origin whose file changes now and then.
    private final class Origin {
        let habits: Habits
        let versions: [ModelVersion]
        var random: SeededRandom
        var current = 0

        init(_ habits: Habits, seed: UInt64) {
            self.habits = habits
            random = SeededRandom(seed: seed)
            // All versions have one length, near the size above which a second question is worth
            // it: only validators and totals tell the versions apart.
            let unit: Int64 = seed % 2 == 0 ? 1000 : 3 << 20
            versions = (0..<6).map { number in
                ModelVersion(
                    number, length: unit * (seed % 3 == 0 ? 4 : 4 + Int64(number % 2)),
                    etag: habits.hasETag ? nil : FieldValue("W/\"v\(number)\""),
                    lastModified: habits.hasDate
                        ? "Wed, 01 Oct 2025 00:00:0\(number) GMT" : nil,
                    date: "Thu, 02 Oct 2025 00:00:00 GMT")
            }
        }

        func answer(_ question: Asked, _ mirror: Int) -> ModelReply {
            if habits.mirrors == 1, random.isOne(in: habits.changes) {
                current = min(current + 1, versions.count - 1)
            }
            var reply =
                random.isOne(in: habits.lies) ? trouble(question) : honest(question, mirror)
            reply.facts?.acceptsByteRanges = habits.acceptsRanges
            return reply
        }

        /// The answer to the question of a further stream.
        func answer(_ range: Range<Int64>, _ etag: FieldValue, _ mirror: Int) -> ModelReply {
            var reply = answer(Asked(start: range.lowerBound, ifRange: etag), mirror)
            // An answer brings no more than was asked for, unless the origin is one that lies.
            if let sent = reply.facts?.contentRange?.range, sent == reply.body,
                sent.upperBound > range.upperBound, sent.lowerBound < range.upperBound
            {
                let version = versions[reply.version]
                reply = .part(
                    version.with(etag: reply.facts?.etag), from: sent.lowerBound,
                    to: range.upperBound, cut: cut(range.upperBound - sent.lowerBound))
            }
            return reply
        }

        private func honest(_ question: Asked, _ mirror: Int) -> ModelReply {
            var version = versions[current]
            if mirror > 0 { version = version.with(etag: FieldValue("\"m\(mirror)\"")) }
            guard let start = question.start, start < version.length,
                !random.isOne(in: 5), isValid(question.ifRange, version)
            else {
                if let start = question.start, start >= version.length, random.isOne(in: 2) {
                    var reply = ModelReply.status(416, range: "bytes */\(version.length)")
                    reply.facts?.etag = version.etag
                    return reply
                }
                return .whole(version, cut: cut(version.length), isChunked: habits.isChunked)
            }
            let from = habits.beginsEarlier ? Int64.random(in: 0...start, using: &random) : start
            let end =
                random.isOne(in: 3)
                ? Int64.random(in: start + 1...version.length, using: &random) : version.length
            return .part(
                version, from: from, to: end, total: habits.hasUnknownTotal ? "*" : nil,
                cut: cut(end - from))
        }

        private func isValid(_ ifRange: FieldValue?, _ version: ModelVersion) -> Bool {
            guard habits.honoursIfRange, let ifRange else { return true }
            return ifRange == version.etag || ifRange.text == version.lastModified
        }

        private func cut(_ length: Int64) -> Int64? {
            random.isOne(in: 2) ? Int64.random(in: 0...length, using: &random) : nil
        }

        private func trouble(_ question: Asked) -> ModelReply {
            let version = versions[Int.random(in: 0...current, using: &random)]
            let start = question.start ?? 0
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                return .status(
                    [401, 404, 408, 416, 429, 500, 503].randomElement(using: &random) ?? 500)
            case 1: return .refused(.badServerResponse, isOddRange: question.start != nil)
            case 2: return .refused(.networkConnectionLost)
            // A part that begins behind the asked byte, or whose bytes are others than it names.
            case 3 where start + 1 < version.length: return .part(version, from: start + 1)
            case 4 where start < version.length:
                return ModelReply.part(version, from: start).with { $0.contentRange = nil }
            case 5 where start < version.length:
                return .part(version, from: start, total: "\(version.length + 1)")
            case 6 where start < version.length:
                return ModelReply.part(version, from: start).with { $0.etag = nil }
            case 7 where start + 1 < version.length:
                return ModelReply.part(version, from: start).with {
                    $0.contentRange = ContentRange("bytes \(start)-\(start)/\(version.length)")
                    $0.contentLength = nil
                    $0.isChunked = true
                }
            case 8 where start + 1 < version.length:
                // A part that begins at the first byte, before the asked one, and more bytes after
                // it.
                return ModelReply.part(version, from: 0).with {
                    $0.contentRange = ContentRange("bytes 0-\(start)/\(version.length)")
                    $0.contentLength = nil
                    $0.isChunked = true
                }
            default: return .whole(version, cut: cut(version.length))
            }
        }
    }

    /// One download to its end, or to the last step.
    private func play(seed: UInt64) -> (world: AttemptWorld, origin: Origin) {
        var random = SeededRandom(seed: seed)
        let habits = Habits(&random)
        let origin = Origin(habits, seed: seed &+ 1_000_000)
        let world = AttemptWorld(origin.versions) { question, _, mirror in
            origin.answer(Asked(start: question.start, ifRange: question.ifRange), mirror)
        }
        world.mirrors = habits.mirrors
        world.pieceOrigin = { [unowned world] range, etag in
            origin.answer(range, etag, world.running?.machine.mirrors?.current ?? 0)
        }
        world.schedule.maximumAttempts = 6
        var rowDice = SeededRandom(seed: seed &+ 2_000_000)
        world.failsRow = { rowDice.isOne(in: 6) }
        world.change = { terms in
            terms.rules.onSourceChange = habits.onSourceChange
            (terms.streams, terms.segmentsAtLeast) = (habits.streams, 1000)
            guard habits.hasDigest else { return }
            terms.expectedDigest = ExpectedDigest(.sha256, bytes: Array(repeating: 0, count: 32))
        }
        for _ in 0..<600 {
            guard world.faults.isEmpty else { break }
            if world.running == nil {
                guard [.waiting, .suspended, .attentionRequired].contains(world.state) else {
                    break
                }
                world.claim()
            }
            switch Int.random(in: 0..<60, using: &random) {
            case 0:
                world.crash(keeping: Double.random(in: 0...1, using: &random))
            case 1:
                let orders: [RunOrder] = [.suspend, .release, .abandon, .suspend, .cancel]
                world.order(orders.randomElement(using: &random) ?? .suspend)
            case 2..<20: world.checkpointStep()
            case 20..<40 where world.running?.streams != nil:
                world.streamStep(
                    Int.random(in: 1...3, using: &random),
                    most: Int64.random(in: 1...origin.versions[0].length, using: &random))
            default:
                let length = origin.versions.map(\.length).max() ?? 1
                world.step(Int64.random(in: 1...max(1, length / 2), using: &random))
            }
        }
        return (world, origin)
    }

    @Test func noSeedMixesVersionsOrNamesBytesThatAreNotDurable() {
        var ends: [DownloadState: Int] = [:]
        var restarts = 0
        var continued = 0
        var (gathered, voided) = (0, 0)
        let seeds = ProcessInfo.processInfo.environment["LULL_ATTEMPTS"].flatMap { UInt64($0) }
        for seed in 0..<max(4000, seeds ?? 0) {
            let (world, _) = play(seed: seed)
            #expect(world.faults.isEmpty, "seed \(seed): \(world.faults)")
            guard world.faults.isEmpty else { break }
            ends[world.state, default: 0] += 1
            if world.tally.isRestarted { restarts += 1 }
            if world.tally.resumedFrom > 0 { continued += 1 }
            gathered += world.gathered
            voided += world.voided
        }
        // The simulation reaches every end often: a machine that does nothing would not pass.
        #expect(ends[.succeeded] ?? 0 > 500)
        #expect(ends[.failed] ?? 0 > 50)
        #expect(ends[.canceled] ?? 0 > 20)
        #expect(restarts > 100 && continued > 100)
        #expect(gathered > 100 && voided > 100)
    }
}
