// One finished file under several names.
import Foundation
import Testing

@testable import Content

@Suite struct SharedFileTests {
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }

    /// A store with one finished file.
    private func store(_ place: TemporaryDirectory) throws -> ContentStore {
        let store = try place.store()
        let part = try store.create(name("dl_a"))
        try part.write(Self.bytes, at: 0)
        let length = Int64(Self.bytes.count)
        _ = try store.publish([CompletedPart(part: part, length: length)])[0].get()
        return store
    }

    @Test func eachNameIsRemovedByItself() throws {
        let place = try TemporaryDirectory()
        let store = try store(place)
        let others = (0..<20).map { name("dl_\($0)", 3) }
        try store.share(name("dl_a"), as: others, length: Int64(Self.bytes.count))
        try store.delete(name("dl_a"))
        for other in others.dropLast() { try store.delete(other) }
        #expect(try place.bytes(of: others[19]) == Self.bytes)
        try store.delete(others[19])
        #expect(try place.files().isEmpty)
    }

    /// Links share their blocks.
    @Test func takesNoFurtherRoom() throws {
        let place = try TemporaryDirectory()
        let store = try store(place)
        try store.share(
            name("dl_a"), as: [name("dl_b")], length: Int64(Self.bytes.count))
        let path = place.path + "/content/"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: path)
            .filter { $0.contains("dl_") }
        let inodes = try paths.map {
            try FileManager.default.attributesOfItem(atPath: path + $0)[.systemFileNumber] as? Int
        }
        #expect(inodes.count == 2 && Set(inodes).count == 1)
    }

    /// A file that a killed process left has no row, so it is replaced.
    @Test func whatACrashLeftIsReplaced() throws {
        let place = try TemporaryDirectory()
        let store = try store(place)
        let left = try store.create(name("dl_b"))
        try left.write([1], at: 0)
        _ = try store.publish([CompletedPart(part: left, length: 1)])[0].get()
        for _ in 0..<2 {
            try store.share(
                name("dl_a"), as: [name("dl_b"), name("dl_c")], length: Int64(Self.bytes.count))
        }
        #expect(try place.bytes(of: name("dl_b")) == Self.bytes)
        #expect(try place.files() == ["dl_a.1", "dl_b.1", "dl_c.1"])
    }

    @Test func withoutTheFileThereIsNothingToShare() throws {
        let place = try TemporaryDirectory()
        let store = try store(place)
        expectFailure(.notFound) { () throws(ContentError) in
            try store.share(name("dl_x"), as: [name("dl_b")], length: 1)
        }
        #expect(try place.files() == ["dl_a.1"])
    }

    /// If no further link is possible the bytes are copied, beside the file of a crash.
    @Test func aCopyHasTheBytes() throws {
        let place = try TemporaryDirectory()
        let store = try store(place)
        _ = try store.create(name("dl_b")).checkpoint()
        try store.copyFinished(
            name("dl_a"), as: name("dl_b"), length: Int64(Self.bytes.count))
        #expect(try place.bytes(of: name("dl_b")) == Self.bytes)
        #expect(try place.files() == ["dl_a.1", "dl_b.1"])
        expectFailure(.notFound) { () throws(ContentError) in
            try store.copyFinished(
                name("dl_a"), as: name("dl_c"), length: Int64(Self.bytes.count) + 1)
        }
        #expect(try place.files() == ["dl_a.1", "dl_b.1"])
    }
}
