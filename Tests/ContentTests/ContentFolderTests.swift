// The content folder is away, or another one is in its place.
import Downloads
import Foundation
import Testing

@testable import Content

@Suite struct ContentFolderTests {
    /// The thing that is found where the folder was.
    enum Place: CaseIterable {
        case nothing, emptyFolder, folderOfAnother
    }

    private static let length: Int64 = 3

    private func takeAway(_ place: TemporaryDirectory, _ what: Place) throws {
        let files = FileManager.default
        try files.moveItem(atPath: place.path + "/content", toPath: place.path + "/away")
        switch what {
        case .nothing: break
        case .emptyFolder:
            try files.createDirectory(
                atPath: place.path + "/content", withIntermediateDirectories: false)
        case .folderOfAnother:
            let other = place.path + "/other"
            try files.createDirectory(atPath: other, withIntermediateDirectories: false)
            _ = try ContentStore.open(
                directory: other, newInstance: Array(repeating: 9, count: 16))
            try files.moveItem(atPath: other + "/content", toPath: place.path + "/content")
            // The shards of the folder exist, as in every data directory.
            #expect(files.fileExists(atPath: place.path + "/content/00"))
        }
    }

    private func bringBack(_ place: TemporaryDirectory) throws {
        let files = FileManager.default
        if files.fileExists(atPath: place.path + "/content") {
            try files.removeItem(atPath: place.path + "/content")
        }
        try files.moveItem(atPath: place.path + "/away", toPath: place.path + "/content")
    }

    @Test(arguments: Place.allCases)
    func nothingIsWrittenToAFolderThatReplacedItsOwn(_ what: Place) throws {
        let place = try TemporaryDirectory()
        let kept = name("dl_kept")
        do {
            let store = try place.store()
            try publish(["dl_kept": [1, 2, 3]], in: store)
            #expect(store.presence(of: kept, length: Self.length) == .there)
            #expect(store.presence(of: kept, length: 4) == .missing, "another length")
            #expect(store.presence(of: name("dl_none"), length: 1) == .missing)
        }
        try takeAway(place, what)
        let store = try place.store()
        #expect(store.presence(of: kept, length: Self.length) == .unreadable)
        #expect(store.presence(of: name("dl_none"), length: 1) == .unreadable)
        expectFailure(.ioError) { () throws(ContentError) in try store.volume().free }
        expectFailure(.ioError) { () throws(ContentError) in
            _ = try store.create(name("dl_new"))
        }
        expectFailure(.ioError) { () throws(ContentError) in try store.probe() }
        let small = CompletedPart(name: name("dl_small"), bytes: nil)
        guard case .failure(let error) = store.publish([small])[0] else {
            Issue.record("a file was published into a folder that is not its own")
            return
        }
        #expect(error.code == .ioError && error.retryable)
        // The volume comes back while the process runs, and is found without a restart.
        try bringBack(place)
        #expect(try store.volume().free > 0)
        #expect(store.presence(of: kept, length: Self.length) == .there)
        #expect(
            try store.openForReading(kept).digest(length: Self.length).hasPrefix("039058c6f2c0cb49")
        )
        #expect(throws: Never.self) { _ = try store.create(name("dl_new")) }
    }

    @Test(arguments: Place.allCases)
    func anOperatorMayGiveTheOldFolderUp(_ what: Place) throws {
        let place = try TemporaryDirectory()
        do { try publish(["dl_kept": [1, 2, 3]], in: try place.store()) }
        try takeAway(place, what)
        do {
            let store = try place.store()
            try store.adoptFolder()
            #expect(store.presence(of: name("dl_kept"), length: Self.length) == .missing)
            #expect(throws: Never.self) { _ = try store.create(name("dl_new")) }
        }
        #expect(try place.store().volume().free > 0, "it stays its own")
        try FileManager.default.removeItem(atPath: place.path + "/away")
    }

    @Test func aShardThatIsAwaySaysNothingAboutItsFiles() throws {
        let place = try TemporaryDirectory()
        let store = try place.store()
        try publish(["dl_kept": [1, 2, 3]], in: store)
        let files = FileManager.default
        for shard in try files.contentsOfDirectory(atPath: place.path + "/content")
        where shard.utf8.count == 2 {
            try files.moveItem(
                atPath: place.path + "/content/" + shard, toPath: place.path + "/" + shard)
        }
        #expect(store.presence(of: name("dl_kept"), length: Self.length) == .unreadable)
    }

    /// A first start that ended before the name was written leaves a volume that has `content/`
    /// alone.
    @Test func theMarkNamesADataDirectoryWithoutAName() throws {
        let place = try TemporaryDirectory()
        let first = try place.store().instance
        try FileManager.default.removeItem(atPath: place.path + "/instance")
        let again = try ContentStore.open(
            directory: place.path, newInstance: Array(repeating: 7, count: 16))
        #expect(again.instance == first)
        #expect(try again.volume().free > 0)
    }
}
