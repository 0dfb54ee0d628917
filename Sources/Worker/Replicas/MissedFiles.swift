internal import Core
internal import Synchronization

/// Files that readers missed, until the duty looks at them.
package final class MissedFiles: Sendable {
    /// More are found by the look through all files.
    private static let filesAtMost = 1000

    private let files = Mutex<Set<MissingFiles.File>>([])

    /// Notes one.
    func note(_ file: MissingFiles.File) {
        files.withLock { if $0.count < MissedFiles.filesAtMost { $0.insert(file) } }
    }

    /// Takes them.
    func take() -> Set<MissingFiles.File> {
        files.withLock { files in
            defer { files = [] }
            return files
        }
    }
}
