// The places of the program under test and of the files that belong to the tests.
import Foundation

/// The work tree that these tests were compiled from.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The file or folder at a path inside the work tree.
    static func path(_ relative: String) -> String {
        root.appending(path: relative).path(percentEncoded: false)
    }

    /// The `lull` to test: `LULL_BINARY`; without it the release build, or the debug build.
    static func lull() throws -> String {
        let named = ProcessInfo.processInfo.environment["LULL_BINARY"].map { [$0] } ?? []
        let built = [path(".build/release/lull"), path(".build/debug/lull")]
        guard
            let found = (named + built).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else {
            throw HarnessError("no lull to test: run scripts/test, or set LULL_BINARY")
        }
        return found
    }

    /// The Python of `.venv`, which has the clients that Lull's authors did not write.
    static func python() throws -> String {
        let python = path(".venv/bin/python")
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw HarnessError("no .venv: run scripts/setup --tests")
        }
        return python
    }
}
