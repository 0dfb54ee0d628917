// The files of uploads: bytes in order, digests across requests, and disks without room.
import Crypto
import Downloads
import Foundation
import Platform
import Testing

@testable import Content

@Suite struct StagingFileTests {
    private static let name = ContentName(id: "up", fence: 0)

    private func open(
        _ store: ContentStore, length: Int64 = 100, isNew: Bool = false
    ) throws -> StagingFile {
        try store.stage(Self.name, length: length, isNew: isNew) { _ in 0 }
    }

    @Test func theDigestIsThatOfAllBytesInAnyNumberOfOpenings() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        var all: [UInt8] = []
        var file = try open(store, isNew: true)
        for (number, count) in [1, 0, 70_000, 3].enumerated() {
            let bytes = [UInt8](repeating: UInt8(number + 1), count: count)
            try file.append(bytes)
            all += bytes
            #expect(file.length == Int64(all.count))
            #expect(try file.sha256() == Hex.encode(SHA256.digest(of: all)))
            if number % 2 == 1 { file = try open(store) }
            #expect(file.length == Int64(all.count))
        }
        #expect(try file.sha256() == Hex.encode(SHA256.digest(of: all)))
        #expect(try file.digest(.sha512).utf8.count == 128)
        #expect(try place.bytes(of: Self.name, ".part") == all)
        try file.truncate()
        #expect(try file.length == 0 && file.sha256() == Hex.encode(SHA256.digest(of: "")))
        try file.append([7])
        #expect(try file.sha256() == Hex.encode(SHA256.digest(of: [7])))
    }

    @Test func theAttemptThatSendsTheFileAdoptsIt() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let file = try open(store)
        try file.append([1, 2, 3])
        let sending = ContentName(id: "up", fence: 4)
        let part = try store.adopt(Self.name, as: sending, length: 3)
        expectFailure(.locked) { () throws(ContentError) in try file.append([4]) }
        #expect(!file.isOurs)
        try file.discard()
        #expect(try part.length() == 3)
        #expect(try place.bytes(of: sending, ".part") == [1, 2, 3])
    }

    @Test func aDiskWithoutRoomLeavesNoFile() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        expectFailure(.noSpace) { () throws(ContentError) in
            try store.stage(Self.name, length: 100, isNew: true) { _ in .max }.length
        }
        #expect(try place.files().isEmpty)
        let file = try open(store, isNew: true)
        expectFailure(.alreadyExists) { () throws(ContentError) in
            try store.stage(Self.name, length: 1, isNew: true) { _ in 0 }.length
        }
        try file.append([1])
        expectFailure(.noSpace) { () throws(ContentError) in
            try store.reserve(file, length: 100) { _ in .max }
        }
        #expect(file.length == 1)
    }

    @Test func aChunkHasNoNameAndCountsOnceItIsAdded() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        let file = try open(store)
        try file.append([1])
        let chunk = try store.chunk(ContentName(id: "chunk", fence: 0))
        let bytes = [UInt8](repeating: 9, count: 300_000)
        try chunk.append(bytes)
        try chunk.append([8])
        #expect(chunk.length == 300_001)
        #expect(try chunk.digest(.sha256) == Hex.encode(SHA256.digest(of: bytes + [8])))
        #expect(try place.files().count == 1 && file.length == 1)
        try file.append(chunk)
        #expect(try file.sha256() == Hex.encode(SHA256.digest(of: [1] + bytes + [8])))
    }
}
