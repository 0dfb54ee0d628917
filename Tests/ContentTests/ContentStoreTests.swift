// The data directory: its lock, its identifier, its shards and their files.
import Base
import Foundation
import Platform
import Testing

@testable import Content

@Suite struct ContentStoreTests {
    @Test func opensAnExistingDirectoryAgain() throws {
        let place = try TemporaryDirectory()
        let instance = Identifier(high: 0x0001_0203_0405_0607, low: 0x0809_0a0b_0c0d_0e0f)
        do {
            let store = try place.store()
            #expect(store.instance == instance)
        }
        let shards = try FileManager.default.contentsOfDirectory(atPath: place.path + "/content")
        #expect(Set(shards).count == 257, "256 shards and the mark")
        #expect(shards.contains("instance-\(instance.hexadecimal)"))
        #expect(shards.contains("00") && shards.contains("ff"))
        let again = try ContentStore.open(
            directory: place.path, newInstance: Array(repeating: 7, count: 16))
        #expect(again.instance == instance)
        #expect(try again.freeBytes() > 0)
    }

    @Test func locksTheDirectory() throws {
        let place = try TemporaryDirectory()
        do {
            let store = try place.store()
            expectFailure(.locked) { () throws(ContentError) in
                try ContentStore.open(directory: place.path, newInstance: Array(0..<16))
            }
            #expect(store.instance != Identifier(high: 0, low: 0))
        }
        #expect(throws: Never.self) { try place.store() }
    }

    @Test func reportsMissingOrDamagedParts() throws {
        let place = try TemporaryDirectory()
        expectFailure(.notFound) { () throws(ContentError) in
            try ContentStore.open(directory: place.path + "/none", newInstance: Array(0..<16))
        }
        let instance = place.path + "/instance"
        try Data("half".utf8).write(to: URL(fileURLWithPath: instance))
        expectFailure(.ioError) { () throws(ContentError) in
            try ContentStore.open(directory: place.path, newInstance: Array(0..<16))
        }
        // The file that a crash leaves before the name has its place.
        try FileManager.default.moveItem(atPath: instance, toPath: place.path + "/instance.new")
        #expect(try place.store().instance.hexadecimal == "000102030405060708090a0b0c0d0e0f")
    }

    @Test(arguments: ["", "A", "a/b", "a.b", "..", "ä", "a b", String(repeating: "a", count: 101)])
    func refusesUnsafeIdentifiers(_ id: String) {
        #expect(!ContentName.isSafe(id))
    }

    @Test func acceptsSafeIdentifiers() {
        #expect(ContentName.isSafe(String(repeating: "a", count: 100)))
        #expect(ContentName(id: "dl_0-z", fence: .max).description == "dl_0-z.\(Int64.max)")
    }

    @Test func readsAndDeletesPublishedContent() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let name = name("dl_read")
        expectFailure(.notFound) { () throws(ContentError) in try store.openForReading(name).length
        }
        try publish(["dl_read": [1, 2, 3]], in: store)
        let content = try store.openForReading(name)
        #expect(content.length == 3)
        #expect(try store.delete(name))
        #expect(try !store.delete(name))
        // The reader can still read the file that it has open.
        var byte: [UInt8] = [0, 0, 0]
        let count = unsafe byte.withUnsafeMutableBytes { memory in
            unsafe pread(content.descriptor.rawValue, memory.baseAddress, memory.count, 0)
        }
        #expect(count == 3)
        #expect(byte == [1, 2, 3])
    }

    @Test func sweepsUnreferencedFiles() throws {
        let place = try TemporaryDirectory()
        let kept = name("dl_kept"), lost = name("dl_lost"), running = name("dl_running")
        do {
            let earlier = try place.store()
            try publish(["dl_kept": [1], "dl_lost": [2]], in: earlier)
            _ = try earlier.create(name("dl_crashed", 4))
        }
        let store = try place.store()
        let part = try store.create(running)
        // Files of other programs stay.
        let foreign = place.path + "/content/00/README.txt"
        try Data("x".utf8).write(to: URL(fileURLWithPath: foreign))
        let removed = try store.sweep { $0.name == kept }
        #expect(Set(removed.map(\.name)) == [lost, name("dl_crashed", 4)])
        #expect(removed.contains { $0.isPart && $0.length == 0 && $0.modifiedSeconds > 0 })
        #expect(try place.files() == ["README.txt", "dl_kept.1", "dl_running.1.part"])
        try part.write([1], at: 0)
        #expect(try store.sweep { _ in true }.isEmpty)
    }

    @Test func listsEachFileInOneShard() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let ids = (0..<300).map { "dl_\($0)" }
        try publish(Dictionary(uniqueKeysWithValues: ids.map { ($0, [0, 1]) }), in: store)
        var found: [String] = []
        var used = 0
        for shard in UInt8.min...UInt8.max {
            let files = try store.files(inShard: shard)
            #expect(files.allSatisfy { !$0.isPart && $0.length == 2 })
            found += files.map(\.name.id)
            used += files.isEmpty ? 0 : 1
        }
        #expect(found.sorted() == ids.sorted())
        #expect(used > 128, "ids are spread over the shards")
    }
}
