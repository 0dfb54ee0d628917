// Many files at once: each has its own answer.
import Content
import Foundation
import Testing

@Suite struct PublishTests {
    private func parts(_ count: Int, in store: ContentStore) throws -> [CompletedPart] {
        try (0..<count).map { index in
            let part = try store.create(name("dl_\(index)"))
            try part.write([UInt8](repeating: UInt8(index % 256), count: index), at: 0)
            return CompletedPart(part: part, length: Int64(index))
        }
    }

    @Test(arguments: [0, 1, 2, 3, 100])
    func publishesABatch(_ count: Int) throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let batch = try parts(count, in: store)
        let results = store.publish(batch)
        #expect(results.count == count)
        for (index, result) in results.enumerated() {
            let published = try result.get()
            #expect(published.name.id == "dl_\(index)")
            #expect(published.length == Int64(index))
            #expect(try place.bytes(of: published.name).count == index)
        }
        #expect(try place.files() == (0..<count).map { "dl_\($0).1" }.sorted())
        // Published files are beyond the reach of their attempts.
        for item in batch {
            try item.part.discard()
            expectFailure(.locked) { () throws(ContentError) in try item.part.write([0], at: 0) }
        }
        #expect(try place.files().count == count)
    }

    @Test(arguments: [1, 2, 20])
    func doesNotReplacePublishedContent(_ count: Int) throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let taken = try store.create(name("dl_0"))
        try taken.write([7, 7], at: 0)
        for result in store.publish([CompletedPart(part: taken, length: 2)]) {
            _ = try result.get()
        }
        let results = store.publish(try parts(count, in: store))
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
        batch[0] = CompletedPart(part: batch[0].part, length: 1)
        let results = store.publish(batch)
        expectFailure(.ioError) { () throws(ContentError) in try results[0].get() }
        for result in results.dropFirst() { _ = try result.get() }
        #expect(try place.files().count == count - 1)
    }
}
