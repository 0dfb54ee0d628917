// The part file of an attempt: blocks, checkpoints, restarts and the end.
import Content
import Platform
import Testing
import Transfers

@testable import Worker

@Suite struct PartWriterTests {
    private func writer(_ lab: WorkerLab, fence: Int64 = 1, id: String = "a") -> PartWriter {
        PartWriter(
            name: ContentName(id: id, fence: fence), store: lab.store,
            lane: QueueExecutor(label: "test.file"))
    }

    private func take(_ writer: PartWriter, _ bytes: [UInt8]) {
        let answer = unsafe bytes.withUnsafeBytes { unsafe writer.intake.take($0).answer }
        #expect(answer == .taken)
    }

    @Test func writesAndReturnsTheDigest() async throws {
        try await WorkerLab.with { lab in
            let writer = writer(lab)
            let bytes = content(BodyIntake.blockBytes + 1000)
            for start in stride(from: 0, to: bytes.count, by: 16_384) {
                take(writer, Array(bytes[start..<min(bytes.count, start + 16_384)]))
            }
            await writer.drain()
            #expect(writer.unsynced == Int64(BodyIntake.blockBytes))
            let durable = try await writer.checkpoint()
            #expect(durable == Int64(bytes.count))
            #expect(writer.unsynced == 0)
            let body = try await writer.complete()
            #expect(body.length == Int64(bytes.count))
            #expect(body.sha256 == sha256(bytes))
            #expect(try lab.bytes("a.1.part") == bytes)
        }
    }

    /// Large bodies arrive in pieces of any size, with few shared blocks or none, and with
    /// checkpoints and restarts between.
    @Test(arguments: 0..<16 as Range<UInt64>)
    func largeBodiesAreTheSameHoweverTheyCome(seed: UInt64) async throws {
        try await WorkerLab.with { lab in
            var state = seed &+ 77
            func dice(_ sides: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % sides
            }
            // Blocks of the larger size are digested on a lane of their own, if there is one.
            let blockBytes = dice(2) == 0 ? 65_536 : BodyIntake.blockBytes
            let bulk = BulkBlocks(blockBytes: blockBytes, most: dice(4), from: 50_000)
            let digestLane = dice(2) == 0 ? QueueExecutor(label: "test.digest") : nil
            let bytes = content(700_000 + dice(5000), seed: seed)
            let isAnnounced = dice(2) == 0
            var place = dice(2) == 0 ? 0 : 1 + dice(100_000)
            if place > 0 { try await leave(Array(bytes[..<place]), lab) }
            let writer = PartWriter(
                name: ContentName(id: "a", fence: 2), store: lab.store,
                lane: QueueExecutor(label: "test.file"), digestLane: digestLane, bulk: bulk)
            if place > 0 { #expect(await writer.adopt(fence: 1, length: Int64(place))) }
            writer.intake.start(at: Int64(place))
            if isAnnounced { writer.intake.announce(length: Int64(bytes.count)) }
            while place < bytes.count {
                let end = min(bytes.count, place + 1 + dice(16_384))
                let answer = unsafe bytes[place..<end].withUnsafeBytes {
                    unsafe writer.intake.take($0).answer
                }
                if answer == .taken { place = end }
                #expect(bulk.pool.usedCount <= bulk.most)
                if answer == .pause || dice(8) == 0 { await writer.drain() }
                if dice(20) == 0 {
                    let durable = try await writer.checkpoint()
                    #expect(durable <= Int64(place))
                    #expect(writer.unsynced == 0)
                }
                if dice(40) == 0, let missing = await writer.restart() {
                    #expect(missing == Int64(place))
                    if isAnnounced { writer.intake.announce(length: Int64(bytes.count)) }
                }
            }
            let isLast = dice(2) == 0
            if isLast { #expect(try await writer.checkpoint(isLast: true) == Int64(bytes.count)) }
            let body = try await writer.complete()
            #expect(body.sha256 == sha256(bytes))
            #expect(try lab.bytes("a.2.part") == bytes)
            #expect(bulk.pool.usedCount == 0, "all blocks are given back")
        }
    }

    @Test func smallBodiesStayInMemory() async throws {
        try await WorkerLab.with { lab in
            for count in [0, 1, 10_240, 16_384] {
                let writer = writer(lab)
                let bytes = content(count)
                for start in stride(from: 0, to: count, by: 7000) {
                    take(writer, Array(bytes[start..<min(count, start + 7000)]))
                }
                let whole = try #require(writer.intake.takeWhole())
                #expect((whole?.array ?? []) == bytes)
                #expect(try await writer.checkpoint() == 0)
            }
            #expect(try lab.files().isEmpty)
        }
    }

    @Test func whatHasAFileOrIsLargeDoesNotStayInMemory() async throws {
        try await WorkerLab.with { lab in
            let large = writer(lab, id: "l")
            take(large, content(20_000))
            #expect(large.intake.takeWhole() == nil)
            let moved = writer(lab, id: "m")
            moved.intake.start(at: 5)
            take(moved, [1])
            #expect(moved.intake.takeWhole() == nil)
            let drained = writer(lab, id: "d")
            take(drained, [1])
            _ = try await drained.checkpoint()
            #expect(drained.intake.takeWhole() == nil)
            let adopting = writer(lab, fence: 2, id: "n")
            _ = await adopting.adopt(fence: 1, length: 3)
            adopting.intake.start(at: 0)
            take(adopting, [1])
            #expect(adopting.intake.takeWhole() == nil)
        }
    }

    @Test func anEmptyBodyIsAnEmptyFile() async throws {
        try await WorkerLab.with { lab in
            let body = try await writer(lab).complete()
            #expect(body.length == 0)
            #expect(body.sha256 == sha256([]))
            #expect(try lab.bytes("a.1.part").isEmpty)
        }
    }

    /// Leaves a part file, as an earlier attempt does.
    private func leave(_ bytes: [UInt8], _ lab: WorkerLab) async throws {
        let first = writer(lab)
        take(first, bytes)
        let durable = try await first.checkpoint()
        #expect(durable == Int64(bytes.count))
    }

    @Test func continuesAnEarlierFile() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(5000)
            try await leave(Array(bytes[..<3000]), lab)
            let second = writer(lab, fence: 2)
            // Only bytes that are known to be durable count.
            #expect(await second.adopt(fence: 1, length: 2000))
            second.intake.start(at: 2000)
            take(second, Array(bytes[2000...]))
            let body = try await second.complete()
            #expect(body.sha256 == sha256(bytes))
            #expect(try lab.files() == ["a.2.part"])
            #expect(try lab.bytes("a.2.part") == bytes)
        }
    }

    @Test func restartsOverAnEarlierFile() async throws {
        try await WorkerLab.with { lab in
            try await leave(content(3000), lab)
            let second = writer(lab, fence: 2)
            #expect(await second.adopt(fence: 1, length: 3000))
            second.intake.start(at: 3000)
            second.intake.start(at: 0)
            let bytes = content(1000, seed: 9)
            take(second, bytes)
            let body = try await second.complete()
            #expect(body.length == 1000)
            #expect(body.sha256 == sha256(bytes))
            #expect(try lab.bytes("a.2.part") == bytes)
        }
    }

    @Test func appendsInTheMiddle() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(3000)
            try await leave(bytes, lab)
            let second = writer(lab, fence: 2)
            #expect(await second.adopt(fence: 1, length: 3000))
            // The origin's range begins before the asked byte.
            second.intake.start(at: 1200)
            let rest = content(2500, seed: 4)
            take(second, rest)
            let expected = Array(bytes[..<1200]) + rest
            let body = try await second.complete()
            #expect(body.length == 3700)
            #expect(body.sha256 == sha256(expected))
            #expect(try lab.bytes("a.2.part") == expected)
        }
    }

    @Test func bytesInvalidatedByAnAnswerAreDiscarded() async throws {
        try await WorkerLab.with { lab in
            try await leave(content(3000), lab)
            let second = writer(lab, fence: 2)
            #expect(await second.adopt(fence: 1, length: 3000))
            second.intake.start(at: 3000)
            // A checkpoint before the answer keeps the bytes, one after it does not.
            #expect(try await second.checkpoint() == 3000)
            second.intake.start(at: 0)
            #expect(try await second.checkpoint() == 0)
            let bytes = content(10)
            take(second, bytes)
            #expect(try await second.complete().sha256 == sha256(bytes))
        }
    }

    @Test func missingEarlierFileIsReported() async throws {
        try await WorkerLab.with { lab in
            let writer = writer(lab, fence: 3)
            #expect(await writer.adopt(fence: 2, length: 10) == false)
            let bytes = content(10)
            take(writer, bytes)
            let body = try await writer.complete()
            #expect(body.sha256 == sha256(bytes))
        }
    }

    @Test func nothingIsWrittenAfterADiscard() async throws {
        try await WorkerLab.with { lab in
            let writer = writer(lab)
            take(writer, content(1000))
            _ = try await writer.checkpoint()
            #expect(try lab.files() == ["a.1.part"])
            await writer.discard()
            #expect(try lab.files().isEmpty)
            take(writer, content(BodyIntake.blockBytes))
            await writer.drain(flush: true)
            _ = await writer.reserve(bytes: 1 << 20)
            #expect(try lab.files().isEmpty)
        }
    }

    @Test func writeErrorRefusesFurtherBytes() async throws {
        try await WorkerLab.with { lab in
            let first = writer(lab)
            take(first, content(10))
            _ = try await first.checkpoint()
            // The name is taken, so this writer has no file.
            let second = writer(lab)
            take(second, content(10))
            await second.drain(flush: true)
            #expect(await second.writeFailure?.code == .alreadyExists)
            let bytes: [UInt8] = [1]
            let answer = unsafe bytes.withUnsafeBytes { unsafe second.intake.take($0).answer }
            #expect(answer == .abort(reason: "the file cannot be written"))
        }
    }
}
