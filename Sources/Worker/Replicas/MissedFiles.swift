internal import Downloads
internal import Synchronization

/// Files that readers did not find, for the duty that looks for them.
package final class MissedFiles: Sendable {
    /// The most noted files; further ones are found by the look through all files.
    private static let filesAtMost = 1000

    private let files = Mutex<Set<MissingFiles.File>>([])

    /// Notes a file.
    func note(_ file: MissingFiles.File) {
        files.withLock { if $0.count < MissedFiles.filesAtMost { $0.insert(file) } }
    }

    /// Takes the noted files.
    func take() -> Set<MissingFiles.File> {
        files.withLock { files in
            defer { files = [] }
            return files
        }
    }
}
