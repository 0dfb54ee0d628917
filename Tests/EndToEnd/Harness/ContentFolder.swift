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

    /// The SHA-256 of every finished file that stays, in hexadecimal digits.
    func digests() async throws -> Set<String> {
        // What is removed meanwhile has a line of its own, which is no digest.
        let command = "find '\(path)' -mindepth 2 -type f ! -name '*.part' -exec sha256sum {} +"
        let lines = try await ChildProcess.run("sh", ["-c", command]).output.split(separator: "\n")
        let words = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        return Set(words.filter { $0.utf8.count == 64 })
    }
}
