// The repository's own files, as the rules read them.
import Foundation
import Synchronization

/// A Swift file of the repository.
struct SwiftFile: Sendable {
    /// The path from the root, such as `Sources/Base/JSON/JSON.swift`.
    let path: String
    /// The lines as they are.
    let lines: [Substring]
    /// The lines without comments and literals.
    let code: [Substring]

    init(path: String, text: String) {
        self.path = path
        lines = SwiftFile.lines(of: text)
        code = SwiftFile.lines(of: SourceMask.code(of: text))
    }

    /// `Sources` or `Tests`.
    var tree: Substring { path.prefix { $0 != "/" } }

    /// The target: the folder below `Sources` or `Tests`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// The file's name without its ending.
    var name: String {
        String((path.split(separator: "/").last ?? "").dropLast(".swift".count))
    }

    /// A line in the notation of compilers.
    func place(_ index: Int) -> String { "\(path):\(index + 1)" }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// The checkout that this test was built from.
enum Repository {
    /// The directory that holds `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// All Swift files below a folder of the root, sorted by path; read once.
    static func swiftFiles(in tree: String) throws -> [SwiftFile] {
        try read.withLock { read in
            if let files = read[tree] { return files }
            let files = try readFiles(in: tree)
            read[tree] = files
            return files
        }
    }

    private static let read = Mutex<[String: [SwiftFile]]>([:])

    private static func readFiles(in tree: String) throws -> [SwiftFile] {
        let folder = root.appendingPathComponent(tree)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.contains("/.") && !$0.hasPrefix(".") }
            .sorted()
            .map { path in
                SwiftFile(
                    path: tree + "/" + path,
                    text: try String(
                        contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
            }
    }

    /// All Swift files of the product and its tests.
    static func allFiles() throws -> [SwiftFile] {
        try swiftFiles(in: "Sources") + swiftFiles(in: "Tests")
    }
}
