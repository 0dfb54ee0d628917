// Unfinished files: writing, resuming, losing, and disks that are full or broken.
import Crypto
import Foundation
import Platform
import Synchronization
import Testing

@testable import Content

@Suite struct PartFileTests {
    @Test func writesAtOffsetsAndTruncates() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let name = name("dl_a")
        let part = try store.create(name)
        try part.preallocate(bytes: 1 << 20)
        #expect(try part.length() == 0, "reserved room is not length")
        try part.write([4, 5, 6], at: 3)
        try part.write([1, 2, 3], at: 0)
        try part.write([], at: 6)
        try part.checkpoint()
        #expect(try place.bytes(of: name, ".part") == [1, 2, 3, 4, 5, 6])
        #expect(try part.rehash(length: 4).finished() == SHA256.digest(of: [1, 2, 3, 4]))
        expectFailure(.notFound) { () throws(ContentError) in try part.rehash(length: 7).finished()
        }
        try part.truncate()
        #expect(try part.length() == 0)
        try part.discard()
        #expect(try place.files().isEmpty)
        try part.discard()
        expectFailure(.locked) { () throws(ContentError) in try part.write([1], at: 0) }
        expectFailure(.locked) { () throws(ContentError) in try part.checkpoint() }
    }

    /// A file in a folder of the operator is another name of the part until the end is recorded.
    @Test func aDiscardedPartLeavesTheBytesOfAPlacedFile() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let part = try store.create(name("dl_a"))
        try part.write([1, 2, 3], at: 0)
        let content = place.path + "/content/"
        let own = try FileManager.default.subpathsOfDirectory(atPath: content)
            .first { $0.hasSuffix(".part") }
        let folder = try TemporaryDirectory()
        let placed = folder.path + "/placed"
        try FileManager.default.linkItem(atPath: content + (try #require(own)), toPath: placed)
        try part.discard()
        #expect(try place.files().isEmpty)
        #expect(FileManager.default.contents(atPath: placed) == Data([1, 2, 3]))
    }

    @Test func rehashesInPieces() throws {
        let place = try TemporaryDirectory()
        let part = try place.store().create(name("dl_big"))
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try part.write(Array(bytes[..<600_000]), at: 0)
        var hash = try part.rehash(length: 600_000)
        hash.update(Array(bytes[600_000...]))
        #expect(hash.finalize() == SHA256.digest(of: bytes))
    }

    @Test func refusesAnExistingName() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let part = try store.create(name("dl_a"))
        expectFailure(.alreadyExists) { () throws(ContentError) in try store.create(part.name) }
    }

    @Test func doesNotFollowSymbolicLinks() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let victim = place.path + "/victim"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
        let name = name("dl_a"), next = self.next(name)
        for path in [name.partPath, name.path] {
            try FileManager.default.createSymbolicLink(
                atPath: place.path + "/content/" + path, withDestinationPath: victim)
        }
        expectFailure(.alreadyExists) { () throws(ContentError) in try store.create(name) }
        expectFailure(.ioError) { () throws(ContentError) in
            try store.adopt(name, as: next, length: 0)
        }
        expectFailure(.ioError) { () throws(ContentError) in
            try store.openForReading(name).length
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("precious".utf8))
    }

    @Test func adoptsAPartFileAfterACrash() throws {
        let place = try TemporaryDirectory()
        let name = name("dl_a"), next = self.next(name)
        do {
            let part = try place.store().create(name)
            try part.write(Array(repeating: 1, count: 100), at: 0)
            try part.checkpoint()
            // Bytes that were written after the last checkpoint are not to be trusted.
            try part.write([9, 9, 9], at: 100)
        }
        let store = try place.store()
        let part = try store.adopt(name, as: next, length: 100)
        #expect(part.name == next)
        #expect(try place.files() == ["dl_a.2.part"])
        #expect(try part.length() == 100)
        try part.write([2], at: 100)
        let published = store.publish([CompletedPart(part: part, length: 101)])
        #expect(try published[0].get() == PublishedContent(name: next, length: 101))
        #expect(try place.bytes(of: next) == Array(repeating: 1, count: 100) + [2])
    }

    @Test func removesAPartFileThatIsTooShort() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let name = name("dl_a"), next = self.next(name)
        try store.create(name).write([1, 2, 3], at: 0)
        expectFailure(.notFound) { () throws(ContentError) in
            try store.adopt(name, as: next, length: 4)
        }
        #expect(try place.files().isEmpty)
        expectFailure(.notFound) { () throws(ContentError) in
            try store.adopt(name, as: next, length: 0)
        }
    }

    @Test func adoptsAFileFromAnOlderAttempt() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let name = name("dl_a"), next = self.next(name)
        let old = try store.create(name)
        try old.write([1, 2, 3], at: 0)
        let new = try store.adopt(name, as: next, length: 3)
        expectFailure(.locked) { () throws(ContentError) in try old.write([9], at: 0) }
        expectFailure(.locked) { () throws(ContentError) in try old.truncate() }
        expectFailure(.locked) { () throws(ContentError) in
            try store.publish([CompletedPart(part: old, length: 3)])[0].get()
        }
        try old.discard()
        try new.checkpoint()
        #expect(try place.bytes(of: next, ".part") == [1, 2, 3])
    }

    @Test func doesNotSyncAgainAfterAFailure() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let part = try substitute(store, "/dev/full")
        // A character device cannot be synced: EINVAL is the I/O error here.
        expectFailure(.ioError) { () throws(ContentError) in try part.checkpoint() }
        let calls = Mutex(0)
        expectFailure(.ioError) { () throws(ContentError) in
            try part.sync("again") {
                calls.withLock { $0 += 1 }
                return 0
            }
        }
        #expect(calls.withLock { $0 } == 0)
        expectFailure(.ioError) { () throws(ContentError) in try part.write([1], at: 0) }
        for size in [1, 2] {
            let other = try store.create(name("dl_other\(size)"))
            let batch = [part, other].prefix(size).map { CompletedPart(part: $0, length: 0) }
            let results = store.publish(batch)
            expectFailure(.ioError) { () throws(ContentError) in
                try results[0].get()
            }
        }
        #expect(try place.files() == ["dl_other1.1.part", "dl_other2.1"])
    }

    @Test func reportsAFullDisk() throws {
        let place = try TemporaryDirectory()
        let part = try substitute(place.store(), "/dev/full")
        do throws(ContentError) {
            try part.write([1], at: 0)
            Issue.record("a full device took a byte")
        } catch {
            #expect(error.code == .noSpace)
            #expect(error.errno == .noSpace)
            #expect(error.retryable)
            #expect(error.description == "pwrite: No space left on device (errno 28)")
        }
    }

    private func next(_ name: ContentName) -> ContentName {
        ContentName(id: name.id, fence: name.fence + 1)
    }

    /// A part whose descriptor is a device, under a name that exists.
    private func substitute(_ store: ContentStore, _ device: String) throws -> PartFile {
        let name = name("dl_device")
        try store.create(name).write([], at: 0)
        let descriptor = unsafe open(device, O_RDWR)
        return PartFile(
            name: name, at: name.partPath, in: store.directory,
            owning: FileDescriptor(owning: try #require(descriptor >= 0 ? descriptor : nil)))
    }
}

extension SHA256 {
    /// The digest of the written bytes.
    fileprivate consuming func finished() -> [UInt8] {
        var hash = self
        return hash.finalize()
    }
}
