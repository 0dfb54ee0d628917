// Many files at once: each has its own answer.
import Foundation
import Platform
import Testing

@testable import Content

@Suite struct PublishTests {
    private func parts(_ count: Int, in store: ContentStore) throws -> [CompletedPart] {
        try (0..<count).map { index in
            let part = try store.create(name("dl_\(index)"))
            try part.write([UInt8](repeating: UInt8(index % 256), count: index), at: 0)
            return CompletedPart(part: part, length: Int64(index))
        }
    }

    /// Equal contents as bytes in memory, without a file.
    private func held(_ count: Int) -> [CompletedPart] {
        (0..<count).map { index in
            guard index > 0 else { return CompletedPart(name: name("dl_0"), bytes: nil) }
            let block = MemoryBlock(capacity: index)
            let bytes = [UInt8](repeating: UInt8(index % 256), count: index)
            _ = unsafe bytes.withUnsafeBytes { unsafe block.append($0) }
            return CompletedPart(name: name("dl_\(index)"), bytes: block)
        }
    }

    /// Files, bytes in memory, and both in turn.
    enum Source: CaseIterable { case files, memory, both }

    private func batch(
        _ count: Int, _ source: Source, in store: ContentStore
    ) throws
        -> [CompletedPart]
    {
        switch source {
        case .files: return try parts(count, in: store)
        case .memory: return held(count)
        case .both:
            let held = held(count)
            return try parts(count, in: store).enumerated().map { index, part in
                guard index.isMultiple(of: 2) else { return part }
                try part.part?.discard()
                return held[index]
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 100], Source.allCases)
    func publishesABatch(_ count: Int, _ source: Source) throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let batch = try batch(count, source, in: store)
        let results = store.publish(batch)
        #expect(results.count == count)
        for (index, result) in results.enumerated() {
            let published = try result.get()
            #expect(published.name.id == "dl_\(index)")
            #expect(published.length == Int64(index))
            #expect(try place.bytes(of: published.name).count == index)
        }
        #expect(try place.files() == (0..<count).map { "dl_\($0).1" }.sorted())
        // An attempt cannot change its file after that was published.
        for part in batch.compactMap(\.part) {
            try part.discard()
            expectFailure(.locked) { () throws(ContentError) in try part.write([0], at: 0) }
        }
        #expect(try place.files().count == count)
    }

    @Test(arguments: [1, 2, 20], Source.allCases)
    func doesNotReplacePublishedContent(_ count: Int, _ source: Source) throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let taken = try store.create(name("dl_0"))
        try taken.write([7, 7], at: 0)
        for result in store.publish([CompletedPart(part: taken, length: 2)]) {
            _ = try result.get()
        }
        let results = store.publish(try batch(count, source, in: store))
        expectFailure(.alreadyExists) { () throws(ContentError) in try results[0].get() }
        #expect(try place.bytes(of: name("dl_0")) == [7, 7])
        for result in results.dropFirst() { _ = try result.get() }
        #expect(try place.files().count == count, "the part that lost is gone")
    }

    @Test(arguments: [1, 2, 20])
    func aFailedFileDoesNotAffectItsBatch(_ count: Int) throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        var batch = try parts(count, in: store)
        batch[0] = CompletedPart(part: try #require(batch[0].part), length: 1)
        let results = store.publish(batch)
        expectFailure(.ioError) { () throws(ContentError) in try results[0].get() }
        for result in results.dropFirst() { _ = try result.get() }
        #expect(try place.files().count == count - 1)
    }
}
