// The open content directory, and the writers in it.
internal import CPlatform
internal import Glibc
internal import Platform
internal import Synchronization

/// The descriptor of `content/` and the parts that this process has open.
///
/// Every path is relative to the descriptor: if the volume is unmounted or replaced, nothing is
/// written to the directory beneath the mount point.
final class ContentDirectory: Sendable {
    /// The descriptor; opened before any file is written, so that syncfs(2) reports every error of
    /// write-back.
    let descriptor: FileDescriptor
    /// Whether it is the folder that this data directory used before, as far as is known.
    let isOwn = Atomic(true)
    /// The health of writes and syncs on this disk.
    let health = DiskHealth()
    private let parts = Mutex<[ContentName: WeakPart]>([:])

    private struct WeakPart: Sendable {
        weak let part: PartFile?
    }

    init(owning descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Opens a file below the directory; a symbolic link in its place is an error.
    func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0, operation: String
    ) throws(ContentError) -> FileDescriptor {
        FileDescriptor(
            owning: try attempt(operation) {
                unsafe path.withCString { path in
                    unsafe openat(
                        descriptor.rawValue, path, flags | O_NOFOLLOW | O_CLOEXEC, mode)
                }
            })
    }

    /// Renames without ever replacing a file; see renameat2(2).
    func rename(_ from: String, to: String) throws(ContentError) {
        try attempt("renameat2") {
            unsafe from.withCString { from in
                unsafe to.withCString { to in
                    unsafe lull_rename_noreplace(
                        descriptor.rawValue, from, descriptor.rawValue, to)
                }
            }
        }
    }

    /// Removes a file.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ path: String) throws(ContentError) -> Bool {
        do {
            try attempt("unlinkat") { unsafe unlinkat(descriptor.rawValue, path, 0) }
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Makes the directory entries of a shard durable.
    func syncShard(_ shard: UInt8) throws(ContentError) {
        let directory = try open(
            ContentName.directory(ofShard: shard), O_RDONLY | O_DIRECTORY, operation: "open shard")
        try health.watch { () throws(ContentError) in
            try attemptOnce("fsync of a directory") { fsync(directory.rawValue) }
        }
    }

    /// Syncs the whole file system; see syncfs(2).
    func syncFileSystem() throws(ContentError) {
        try health.watch { () throws(ContentError) in
            try attemptOnce("syncfs") { lull_syncfs(descriptor.rawValue) }
        }
    }

    /// Records the writer of a name.
    func register(_ part: PartFile) {
        parts.withLock { $0[part.name] = WeakPart(part: part) }
    }

    /// Removes the writer of a name unless a newer writer has replaced it.
    func unregister(_ name: ContentName) {
        parts.withLock { parts in
            if parts[name]?.part == nil { parts[name] = nil }
        }
    }

    /// The unfinished file of a name that is open in this process; nil for none.
    func openPart(_ name: ContentName) -> PartFile? {
        parts.withLock { $0[name]?.part }
    }
}
