// Kills at each call that puts a file into a folder: the file is there whole and once, or not yet.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct PlacingKillTests {
        private static let isFull = ProcessInfo.processInfo.environment["LULL_FAULTS"] == "full"
        /// The calls between a whole body and its name in a folder, with the number of the killed
        /// call; if the folder is on another volume, the first `linkat` fails and a copy is made.
        private static let kills =
            isFull
            ? [
                "fdatasync", "fchmod", "mkdirat", "openat2", "linkat", "renameat", "pwrite64",
                "fsync", "unlinkat",
            ].flatMap { call in (1...4).map { (call, $0) } }
            : [
                ("fchmod", 1), ("fchmod", 3), ("mkdirat", 1), ("linkat", 1), ("linkat", 2),
                ("renameat", 1), ("pwrite64", 2), ("fsync", 1), ("fsync", 2), ("unlinkat", 1),
            ]

        private static let settings = [
            "LULL_RETRY_BASE": "100ms", "LULL_RETRY_CAP": "500ms", "LULL_MAX_ATTEMPTS": "1000",
            "LULL_MAX_RUNNING_PER_ORIGIN": "32", "LULL_MIN_FREE_BYTES": "1MiB",
        ]

        @Test(
            .enabled("strace may not trace here") { await Injection.isPossible() },
            .timeLimit(.minutes(isFull ? 60 : 8)))
        func aPlacedFileIsWholeAndThereOnce() async throws {
            // A file system other than that of the content.
            let far = "/dev/shm/lull-placing-\(UUID().uuidString.lowercased())"
            try FileManager.default.createDirectory(
                atPath: far, withIntermediateDirectories: false)
            let wrapper = { (scratch: Scratch) in
                let near = scratch.file("near")
                let setting = "LULL_DESTINATIONS=near=\(near),far=\(far)"
                return ["/bin/sh", "-c", "mkdir -p \"$0\" && exec env \"$@\"", near, setting]
            }
            try await World.with(settings: Self.settings, wrapper: wrapper) { world in
                let folders = ["near": world.scratch.file("near"), "far": far]
                var sources: [Data] = []
                for (index, length) in [1_000, 400_000, 9_000_000].enumerated() {
                    _ = try await world.origin.makeFile("f\(index)", length: length)
                    let url = URL(filePath: "\(world.origin.files)/f\(index)")
                    sources.append(try Data(contentsOf: url))
                }
                var hits = 0
                for (round, (call, number)) in Self.kills.enumerated() {
                    let kill = Injection(call: call, what: "signal=KILL", when: number)
                    var files = try PlacedFiles(round: round, sources: sources, in: folders)
                    if try await files.place(under: kill, world) { hits += 1 }
                    // The files are looked at as the kill left them.
                    try files.expectNoHalfFile(kill)
                    if await world.lull.identifier == nil {
                        await world.lull.killHard()
                        try await world.lull.start()
                    }
                    try await files.expectEachOnce(kill, world)
                }
                let text = "placing: \(Self.kills.count) kills, \(hits) hit\n"
                FileHandle.standardError.write(Data(text.utf8))
                #expect(hits * 3 > Self.kills.count * 2, "kills must hit")
            }
            try FileManager.default.removeItem(atPath: far)
        }
    }
}

/// The files of one round: some for a folder on the volume of the content, some over existing
/// files, some for another volume.
private struct PlacedFiles {
    private struct File {
        let source: Int
        let folder: String
        let path: String
        let onConflict: String
        /// The identifier; nil if the create was not answered, and it may have been stored all the
        /// same.
        var id: String?
    }

    private static let old = Data("the bytes that were there before".utf8)
    private let sources: [Data]
    private let folders: [String: String]
    private let top: String
    private var files: [File] = []

    /// Names the files, and writes the existing ones that are to be replaced.
    init(round: Int, sources: [Data], in folders: [String: String]) throws {
        self.sources = sources
        self.folders = folders
        top = "round-\(round)"
        for source in sources.indices {
            for (folder, rule) in [("near", "rename"), ("near", "replace"), ("far", "rename")] {
                // A replaced file has its folder; for the others the service makes it.
                let path = "\(top)\(rule == "replace" ? "-old" : "")/\(rule)-\(source).bin"
                files.append(File(source: source, folder: folder, path: path, onConflict: rule))
            }
        }
        for file in files where file.onConflict == "replace" {
            let url = URL(filePath: place(of: file))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try PlacedFiles.old.write(to: url)
        }
    }

    private func place(of file: File) -> String {
        "\(folders[file.folder, default: ""])/\(file.path)"
    }

    /// Downloads all files, until the program is killed or the files are there.
    ///
    /// - Returns: whether it was killed.
    mutating func place(under kill: Injection, _ world: World) async throws -> Bool {
        let process = try #require(await world.lull.identifier)
        let tracer = try await Tracer(kill, to: process, in: world.scratch)
        for (index, file) in files.enumerated() {
            var order = LullClient.Order(url: "\(world.origin.base)/f\(file.source)")
            order.destination = LullClient.Destination(
                name: file.folder, path: file.path, onConflict: file.onConflict)
            do { files[index].id = try await world.client.create(order).id } catch { break }
        }
        for _ in 0..<100 where await world.lull.identifier != nil {
            if await world.client.haveSucceeded(files.compactMap(\.id)) { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        return try await tracer.detach()
    }

    /// Each name has the whole new file, the whole old one, or none.
    func expectNoHalfFile(_ kill: Injection) throws {
        for file in files where FileManager.default.fileExists(atPath: place(of: file)) {
            let bytes = try Data(contentsOf: URL(filePath: place(of: file)))
            let isWhole = bytes == sources[file.source]
            #expect(isWhole || file.onConflict == "replace" && bytes == PlacedFiles.old, "\(kill)")
        }
    }

    /// After all downloads have succeeded each file has its name, and no second one.
    func expectEachOnce(_ kill: Injection, _ world: World) async throws {
        for file in files {
            guard let id = file.id else { continue }
            let download = try await world.client.download(id, wait: 60)
            #expect(download.state == "succeeded", "\(kill) \(file)")
            let bytes = try Data(contentsOf: URL(filePath: place(of: file)))
            #expect(bytes == sources[file.source], "\(kill) \(file)")
        }
        for (name, folder) in folders {
            let found = try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasPrefix("\(top)/") || $0.hasPrefix("\(top)-old/") }
            let named = Set(files.filter { $0.folder == name }.map(\.path))
            #expect(named.isSuperset(of: found), "\(kill): \(found)")
        }
    }
}
