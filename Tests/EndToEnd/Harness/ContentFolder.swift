// The files that a replica keeps, as they stand in its data directory.
import Foundation

/// The content below a data directory: `content/XX/NAME`, XX two hexadecimal digits.
struct ContentFolder {
    private let path: String

    /// The content of a data directory.
    init(_ data: String) { path = "\(data)/content" }

    /// The names of all files, those of unfinished downloads too.
    ///
    /// A file that disappears meanwhile is left out; other entries of the folder, such as the file
    /// by which a disk is probed after its errors, are not looked at.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.utf8.count == 2 }
            .flatMap { try FileManager.default.contentsOfDirectory(atPath: "\(path)/\($0)") }
    }

    /// Moves all files into a folder.
    ///
    /// - Returns: the earlier place of each file, by its new one.
    func takeAway(to aside: String) throws -> [String: String] {
        let files = FileManager.default
        try files.createDirectory(atPath: aside, withIntermediateDirectories: true)
        var places: [String: String] = [:]
        for shard in try files.contentsOfDirectory(atPath: path) where shard.utf8.count == 2 {
            for name in try files.contentsOfDirectory(atPath: "\(path)/\(shard)") {
                places["\(aside)/\(name)"] = "\(path)/\(shard)/\(name)"
            }
        }
        for (away, home) in places { try files.moveItem(atPath: home, toPath: away) }
        return places
    }

    /// Moves the files back.
    func bringBack(_ places: [String: String]) throws {
        for (away, home) in places { try FileManager.default.moveItem(atPath: away, toPath: home) }
    }

    /// The SHA-256 of every finished file that stays, in hexadecimal digits.
    func digests() async throws -> Set<String> {
        // The error line of a file that is removed meanwhile is no digest.
        let command = "find '\(path)' -mindepth 2 -type f ! -name '*.part' -exec sha256sum {} +"
        let lines = try await ChildProcess.run("sh", ["-c", command]).output.split(separator: "\n")
        let words = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        return Set(words.filter { $0.utf8.count == 64 })
    }
}
