// A finished part as the source of a body: read ahead on its lane, twice if need be.
import Base
import Content
import Dispatch
import Platform
import Support
import Synchronization
import Testing
import Transfers

@testable import Worker

@Suite struct PartSourceTests {
    private static let block = PartSource.blockBytes

    /// An engine that asks a source for its bytes.
    private final class Reader: Sendable {
        let resumed = Mutex(0)
        let lane = QueueExecutor(label: "test.file")
        private let used = Mutex(0)

        func source(_ part: CompletedPart) -> PartSource {
            PartSource(part, on: lane) { self.resumed.withLock { $0 += 1 } }
        }

        /// Reads as much as is there at once.
        func ask(_ source: TransferSource, room: Int) -> (TransferSource.Answer, [UInt8]) {
            var bytes = [UInt8](repeating: 0, count: room)
            let answer = unsafe bytes.withUnsafeMutableBytes { unsafe source.read($0) }
            guard case .bytes(let count) = answer else { return (answer, []) }
            return (answer, Array(bytes.prefix(count)))
        }

        /// Waits until the source has asked to be asked again.
        func wait() async throws -> Bool {
            try await eventually {
                self.resumed.withLock { resumed in
                    self.used.withLock { used in
                        guard used < resumed else { return false }
                        used += 1
                        return true
                    }
                }
            }
        }

        /// Reads up to a number of bytes.
        func read(_ source: TransferSource, _ count: Int, room: Int) async throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let (answer, piece) = ask(source, room: min(room, count - bytes.count))
                bytes += piece
                switch answer {
                case .bytes: continue
                case .pause: guard try await wait() else { return bytes }
                case .abort: return bytes
                }
            }
            return bytes
        }
    }

    private static func part(
        _ bytes: [UInt8], _ lab: WorkerLab, length: Int? = nil
    ) throws -> CompletedPart {
        let file = try lab.store.create(ContentName(id: "a", fence: 1))
        try file.write(bytes, at: 0)
        return CompletedPart(part: file, length: Int64(length ?? bytes.count))
    }

    @Test(arguments: [1, block - 1, block, block + 1, 2 * block, 3 * block + 77], [1000, 65_536])
    func bytesAreThoseOfTheFile(length: Int, room: Int) async throws {
        try await WorkerLab.with { lab in
            let bytes = content(length)
            let reader = Reader()
            let part = reader.source(try Self.part(bytes, lab))
            #expect(part.blockCount == 0, "no memory before the first read")
            #expect(part.source.length == Int64(length))
            #expect(try await reader.read(part.source, length, room: room) == bytes)
            #expect(part.blockCount <= PartSource.blocksAtMost)
        }
    }

    @Test func engineNeverWaitsForTheFile() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(3 * Self.block)
            let reader = Reader()
            let part = reader.source(try Self.part(bytes, lab))
            reader.lane.queue.suspend()
            #expect(reader.ask(part.source, room: 10).0 == .pause)
            #expect(reader.ask(part.source, room: 10).0 == .pause)
            #expect(reader.resumed.withLock { $0 } == 0)
            reader.lane.queue.resume()
            #expect(try await reader.wait())
            // Both blocks are full, and nothing more is read before one is given.
            #expect(try await eventually { part.blockCount == 2 })
            #expect(try await reader.read(part.source, bytes.count, room: 50_000) == bytes)
            #expect(part.blockCount == 2)
        }
    }

    @Test func fileMayLoseItsName() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(3 * Self.block)
            let reader = Reader()
            let part = reader.source(try Self.part(bytes, lab))
            let beginning = try await reader.read(part.source, 100, room: 100)
            #expect(try lab.store.deletePart(ContentName(id: "a", fence: 1)))
            let rest = try await reader.read(part.source, bytes.count - 100, room: 50_000)
            #expect(beginning + rest == bytes)
        }
    }

    @Test(arguments: 0..<10)
    func rewindBeginsWithTheFirstByte(tenth: Int) async throws {
        try await WorkerLab.with { lab in
            let bytes = content(4 * Self.block + 5)
            let reader = Reader()
            let part = reader.source(try Self.part(bytes, lab))
            for _ in 0..<3 {
                let count = bytes.count / 10 * tenth
                #expect(
                    try await reader.read(part.source, count, room: 30_000)
                        == Array(bytes[..<count]))
                // A block is being read, perhaps.
                _ = reader.ask(part.source, room: 1000)
                #expect(part.source.rewind())
            }
            #expect(try await reader.read(part.source, bytes.count, room: 131_072) == bytes)
            #expect(part.blockCount <= PartSource.blocksAtMost)
        }
    }

    @Test func fileThatIsTooShortAborts() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(Self.block + 10)
            let reader = Reader()
            let part = reader.source(try Self.part(bytes, lab, length: bytes.count + 1))
            let read = try await reader.read(part.source, bytes.count + 1, room: 50_000)
            #expect(bytes.starts(with: read) && read.count <= Self.block)
            guard case .abort = reader.ask(part.source, room: 10).0 else {
                Issue.record("the end of the file is not the end of the body")
                return
            }
        }
    }

    @Test func bytesInMemoryAreASource() async throws {
        let block = MemoryBlock(capacity: 5000)
        let bytes = content(5000)
        _ = unsafe bytes.withUnsafeBytes { unsafe block.append($0) }
        let reader = Reader()
        let part = reader.source(CompletedPart(name: ContentName(id: "a", fence: 1), bytes: block))
        #expect(try await reader.read(part.source, 5000, room: 999) == bytes)
    }

    @Test func fileIsSentByAnEngine() async throws {
        let bytes = content(5 * Self.block + 3)
        let origin = try OriginServer { _ in OriginStep.answer("201 Created") }
        defer { origin.close() }
        try await WorkerLab.with { lab in
            let id = TransferID()
            weak var kept: PartSource?
            do {
                let part = PartSource(
                    try Self.part(bytes, lab), on: QueueExecutor(label: "test.file")
                ) { lab.engine.resume(id) }
                kept = part
                var request = TransferRequest(url: try .init(parsing: origin.url()))
                request.method = .put
                request.source = part.source
                let result = await lab.engine.run(request, id: id, into: .discard)
                #expect(result.isBodySent && result.head?.status == 201)
            }
            #expect(try await eventually { kept == nil }, "all memory is free at the end")
            #expect(origin.requests.map(\.body) == [bytes])
        }
    }
}
