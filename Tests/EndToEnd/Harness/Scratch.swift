// A directory under /tmp for one test, removed after it.
import Foundation

/// A temporary folder that other users may enter, because the embedded database runs as one.
struct Scratch: Sendable {
    let path: String

    init() throws {
        path = "/tmp/lull-end-to-end-\(UUID().uuidString.lowercased())"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
    }

    /// The path of a name inside the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder inside this one and returns its path.
    func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: file(name), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        return file(name)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }

    /// The text of a file; empty if the file does not exist.
    func read(_ name: String) throws -> String {
        do {
            return String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
        } catch CocoaError.fileReadNoSuchFile {
            return ""
        }
    }

    /// Removes the directory; a stopping database may remove files meanwhile.
    func remove() throws {
        for _ in 0..<100 {
            do {
                return try FileManager.default.removeItem(atPath: path)
            } catch CocoaError.fileNoSuchFile where FileManager.default.fileExists(atPath: path) {
                continue
            }
        }
        try FileManager.default.removeItem(atPath: path)
    }
}
