// Writes past the page cache: the bytes are right at any place, and no pages are left behind.
import Foundation
import Glibc
import Platform
import Testing

@testable import Content

@Suite struct DirectWriteTests {
    /// A place on a disk; the folder of temporary files may be in memory.
    static func place() throws -> TemporaryDirectory {
        try TemporaryDirectory(below: "/var/tmp")
    }

    /// Whether the file system allows writes past the page cache.
    static func isPossible() throws -> Bool {
        let place = try place()
        return try withExtendedLifetime(place) {
            try place.store().create(name("dl_probe")).bypassPageCache()
        }
    }

    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// The part of a file's pages that is in memory.
    static func resident(_ path: String) throws -> Double {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let length = Int(lseek(file, 0, SEEK_END))
        let memory = unsafe mmap(nil, length, PROT_READ, MAP_SHARED, file, 0)
        defer { unsafe munmap(memory, length) }
        var pages = [UInt8](repeating: 0, count: (length + 4095) / 4096)
        let answer = unsafe mincore(memory, length, &pages)
        try #require(answer == 0)
        return Double(pages.count { $0 & 1 == 1 }) / Double(pages.count)
    }

    private func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to part: PartFile) throws {
        let block = MemoryBlock(
            capacity: max(bytes.count, MemoryBlock.pageBytes), owner: ObjectIdentifier(part))
        _ = unsafe bytes.withUnsafeBytes { unsafe block.append($0) }
        try unsafe part.write(block.bytes(), at: Int64(offset))
    }

    @Test(
        .enabled("this file system refuses direct writes") { try DirectWriteTests.isPossible() },
        arguments: [1, 2])
    func aLargeFileLeavesNoPages(batch: Int) throws {
        let place = try DirectWriteTests.place()
        let store = try place.store()
        let whole = bytes((8 << 20) + 1234, seed: 5)
        let part = try store.create(name("dl_large"))
        try part.preallocate(bytes: Int64(whole.count))
        #expect(part.bypassPageCache())
        for start in stride(from: 0, to: whole.count, by: 1 << 20) {
            try write(whole[start..<min(start + 1 << 20, whole.count)], at: start, to: part)
        }
        var parts = [CompletedPart(part: part, length: Int64(whole.count))]
        if batch == 2 { parts.append(CompletedPart(name: name("dl_small"), bytes: nil)) }
        for result in store.publish(parts) { _ = try result.get() }
        let file = "\(place.path)/content/\(part.name.path)"
        let share = try Self.resident(file)
        #expect(share < 0.05, "\(share) of the pages are in memory")
        #expect(try place.bytes(of: part.name) == whole)
    }

    /// Pieces of any length at any place, in memory at any address.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func anyPiecesGiveTheSameBytes(seed: UInt64) throws {
        let place = try DirectWriteTests.place()
        let part = try place.store().create(name("dl_pieces"))
        part.bypassPageCache()
        var model = [UInt8](repeating: 0, count: 1 << 18)
        var state = seed
        func dice(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
        var length = 0
        for round in 0..<40 {
            let isPaged = dice(3) > 0
            let start = isPaged ? dice(40) * 4096 : dice(200_000)
            let count = isPaged && dice(2) == 0 ? 4096 * (1 + dice(8)) : 1 + dice(40_000)
            let piece = bytes(count, seed: UInt64(round) ^ seed << 8)
            if dice(4) == 0 {
                // An address in the middle of a page.
                try part.write(piece, at: Int64(start))
            } else {
                try write(piece[...], at: start, to: part)
            }
            model.replaceSubrange(start..<start + count, with: piece)
            length = max(length, start + count)
            if dice(10) == 0 { try part.checkpoint() }
        }
        try part.checkpoint()
        #expect(try place.bytes(of: part.name, ".part") == Array(model[..<length]))
    }

    @Test func aLostFileIsNotWrittenDirectly() throws {
        let place = try DirectWriteTests.place()
        let store = try place.store()
        let old = try store.create(name("dl_a"))
        let page = bytes(4096, seed: 1)
        old.bypassPageCache()
        try write(page[...], at: 0, to: old)
        let new = try store.adopt(old.name, as: name("dl_a", 2), length: 4096)
        let other = bytes(4096, seed: 2)
        #expect(throws: ContentError.self) { try write(other[...], at: 0, to: old) }
        #expect(!old.bypassPageCache())
        #expect(try place.bytes(of: new.name, ".part") == page)
    }
}
