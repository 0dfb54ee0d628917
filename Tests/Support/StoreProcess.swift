// Object stores in processes of their own; see Tests/Stores.
internal import Foundation

/// An object store at 127.0.0.1 with the bucket `bucket` and the keys `access` and `secret`.
package struct StoreProcess: Sendable {
    /// The programs that speak the protocol.
    package enum Kind: Sendable {
        /// Tests/Stores/store.py with these options.
        case strict([String])
        /// SeaweedFS.
        case weed
        /// `rclone serve s3`, which ignores conditions.
        case rclone
    }

    /// The port of the protocol.
    package let port: Int
    private let shell: ChildShell
    private let folder: URL

    private struct Trouble: Error { let words: String }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a body with a store, and ends it.
    package static func with(
        _ kind: Kind, _ body: (StoreProcess) async throws -> Void
    ) async throws {
        let store = try await StoreProcess(kind)
        do {
            try await body(store)
        } catch {
            try await store.end()
            throw error
        }
        try await store.end()
    }

    /// Starts a store; it has to be ended by `end()`.
    package init(_ kind: Kind) async throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("lull-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let stores = Self.root.appending(path: "Tests/Stores")
        let words =
            switch kind {
            case .strict(let options):
                ["python3", "\(stores.path)/store.py", "--until-line"] + options
            case .weed: Self.real("weed", stores, folder)
            case .rclone: Self.real("rclone", stores, folder)
            }
        shell = try ChildShell("exec \"$@\" >port 2>errors", words, in: folder.path)
        port = try await Self.port(in: folder, shell)
    }

    private static func real(_ name: String, _ stores: URL, _ folder: URL) -> [String] {
        [
            root.appending(path: ".venv/bin/python").path, "\(stores.path)/real.py", name,
            folder.appending(path: "data").path,
        ]
    }

    private static func port(in folder: URL, _ shell: ChildShell) async throws -> Int {
        let file = folder.appending(path: "port")
        var found: Int?
        let isUp = try await eventually {
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.hasSuffix("\n") else { return false }
            found = text.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
            return true
        }
        guard isUp, let found else {
            shell.word()
            throw Trouble(words: "the store does not start; see \(folder.path)")
        }
        return found
    }

    /// Ends the store, and removes its files.
    package func end() async throws {
        shell.word()
        _ = try await shell.end()
        try FileManager.default.removeItem(at: folder)
    }
}
