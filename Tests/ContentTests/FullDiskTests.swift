// A small file system that fills up; needs the right to mount one.
import Foundation
import Testing

@testable import Content

@Suite struct FullDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "mounting is not permitted here"))
    func resumesWhenTheDiskHasRoom() throws {
        let place = try TemporaryDirectory()
        let disk = try SmallDisk(at: place.path, mebibytes: 2)
        defer { disk.unmount() }
        do {
            let store = try place.store()
            let part = try store.create(name("dl_big"))
            expectFailure(.noSpace) { () throws(ContentError) in
                try part.preallocate(bytes: 64 << 20)
            }
            try part.preallocate(bytes: 1 << 20)
            let filler = try store.create(name("dl_filler"))
            let mebibyte = [UInt8](repeating: 1, count: 1 << 20)
            expectFailure(.noSpace) { () throws(ContentError) in
                try filler.write(mebibyte, at: 0)
                try filler.write(mebibyte, at: 1 << 20)
            }
            #expect(try store.freeBytes() < 1 << 20)
            // The reserved room is there although the disk is full.
            try part.write(mebibyte, at: 0)
            try filler.discard()
            #expect(try store.freeBytes() > 1 << 18)
            let results = store.publish([CompletedPart(part: part, length: 1 << 20)])
            #expect(try results[0].get().length == 1 << 20)
        }
    }
}

/// A tmpfs that is mounted on a directory.
private struct SmallDisk {
    let path: String

    static var isPossible: Bool {
        do {
            let place = try TemporaryDirectory()
            try SmallDisk(at: place.path, mebibytes: 1).unmount()
            return true
        } catch {
            return false
        }
    }

    init(at path: String, mebibytes: Int) throws {
        self.path = path
        try SmallDisk.run("mount -t tmpfs -o size=\(mebibytes)m none '\(path)'")
    }

    func unmount() {
        #expect(throws: Never.self) { try SmallDisk.run("umount '\(path)'") }
    }

    /// Runs a command without Foundation's Process, which reads beyond a directory's entries if
    /// very many descriptors are open.
    private static func run(_ command: String) throws {
        guard unsafe system(command + " 2> /dev/null") == 0 else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }
}
