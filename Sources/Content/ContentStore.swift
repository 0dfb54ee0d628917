// The data directory of one process: its lock, its identifier and its shards.
package import Base
internal import Glibc
internal import Platform
internal import Synchronization

/// Stores the files of finished and unfinished downloads in a data directory.
///
/// Layout: `<data>/lock`, `<data>/instance`, `<data>/content/<shard>/<id>.<fence>[.part]`, and the
/// empty folder `<data>/content/instance-<instance>`, which marks the volume: a folder that is
/// mounted in its place, or lies beneath its mount point, does not have it, and nothing is written
/// there. All calls block: use them on a file lane.
package final class ContentStore: Sendable {
    /// The identifier of this data directory, made once.
    package let instance: Identifier
    /// The identifier as text, as resume points contain it.
    package let instanceText: String

    /// The name of the empty folder that marks `content/` as this data directory's.
    let mark: String
    let directory: ContentDirectory
    /// The data directory; `content/` is opened again below it when its volume comes back.
    let data: ContentDirectory
    /// The lock of the directory; flock(2) releases it with the descriptor.
    private let lock: FileDescriptor

    private init(
        instance: Identifier, directory: ContentDirectory, data: ContentDirectory,
        lock: consuming FileDescriptor
    ) {
        self.instance = instance
        instanceText = instance.hexadecimal
        mark = ContentStore.markPrefix + instanceText
        self.directory = directory
        self.data = data
        self.lock = lock
    }

    /// Locks and opens a data directory, and creates what is missing in it.
    ///
    /// - Parameters:
    ///   - path: the data directory, which must exist.
    ///   - newInstance: 16 random bytes, used if the directory has no name yet.
    /// - Returns: the store; the directory is locked until its last reference is gone.
    /// - Throws: `ContentError`: `locked` when another process has the directory, `noSpace`,
    ///   `ioError`, `notFound` when there is no such directory.
    package static func open(
        directory path: String, newInstance: [UInt8]
    ) throws(ContentError) -> ContentStore {
        precondition(newInstance.count == 16, "an instance has 16 random bytes")
        let data = ContentDirectory(
            owning: FileDescriptor(
                owning: try attempt("open \(path)") {
                    unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                }))
        let lock = try data.open("lock", O_RDWR | O_CREAT, mode: 0o600, operation: "open lock")
        do {
            try attempt("flock") { flock(lock.rawValue, LOCK_EX | LOCK_NB) }
        } catch {
            guard error.errno == .wouldBlock else { throw error }
            throw ContentError(
                .locked,
                "another process uses the data directory \(path); each replica needs its own "
                    + "LULL_DATA_DIR")
        }
        let isNew = try makeDirectory("content", in: data)
        if isNew { try attemptOnce("fsync of a directory") { fsync(data.descriptor.rawValue) } }
        let content = ContentDirectory(
            owning: try data.open("content", O_RDONLY | O_DIRECTORY, operation: "open content"))
        let (instance, wasNamed) = try name(of: data, content, orMake: newInstance)
        let store = ContentStore(
            instance: instance, directory: content, data: data, lock: lock)
        // A data directory that was used before and has no mark in `content/` misses its volume.
        var isOwn = !wasNamed
        if !isOwn { isOwn = try store.isOwn(content) }
        if !isOwn { isOwn = try content.isUnmarked() }
        if isOwn { try store.claimFolder() } else { content.isOwn.store(false, ordering: .relaxed) }
        // The folder's mark is made first: after a crash in between, the identifier is read from
        // it.
        if !wasNamed { try write(instance, in: data) }
        return store
    }

    /// Makes `content/` the folder of this data directory: creates its 256 shards and its mark.
    ///
    /// - Throws: `ContentError`: `noSpace`, `ioError`.
    func claimFolder() throws(ContentError) {
        var made = false
        for shard in UInt8.min...UInt8.max {
            let name = ContentName.directory(ofShard: shard)
            if try ContentStore.makeDirectory(name, in: directory) { made = true }
        }
        if try ContentStore.makeDirectory(mark, in: directory) { made = true }
        if made { try attemptOnce("fsync of a directory") { fsync(directory.descriptor.rawValue) } }
        directory.isOwn.store(true, ordering: .relaxed)
    }

    /// Creates a directory.
    ///
    /// - Returns: whether it was missing.
    static func makeDirectory(
        _ name: String, in parent: ContentDirectory
    ) throws(ContentError) -> Bool {
        do {
            try attempt("mkdirat") { unsafe mkdirat(parent.descriptor.rawValue, name, 0o700) }
            return true
        } catch {
            guard error.code == .alreadyExists else { throw error }
            return false
        }
    }

    /// The identifier of the data directory, and whether it already had one.
    ///
    /// If only `content/` is kept on a volume, its mark contains the identifier.
    private static func name(
        of data: ContentDirectory, _ content: ContentDirectory, orMake random: [UInt8]
    ) throws(ContentError) -> (instance: Identifier, wasNamed: Bool) {
        do {
            return (try instance(in: data), true)
        } catch {
            guard error.code == .notFound else { throw error }
        }
        let marks = try ContentDirectory.fileNames(in: content.descriptor.rawValue)
            .filter { $0.hasPrefix(markPrefix) }
            .compactMap { Identifier(hexadecimal: String($0.dropFirst(markPrefix.utf8.count))) }
        let made =
            marks.count == 1
            ? marks[0]
            : Identifier(
                high: random[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: random[8...].reduce(0) { $0 << 8 | UInt64($1) })
        return (made, false)
    }

    private static func write(
        _ instance: Identifier, in data: ContentDirectory
    ) throws(ContentError) {
        let line = Array((instance.hexadecimal + "\n").utf8)
        // Written to a temporary file and renamed: a crash leaves the complete identifier or none.
        do {
            let file = try data.open(
                "instance.new", O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600,
                operation: "open instance")
            let count = try attempt("write instance") {
                unsafe line.withUnsafeBytes {
                    unsafe Glibc.write(file.rawValue, $0.baseAddress, $0.count)
                }
            }
            guard count == line.count else { throw ContentError("write instance", .noSpace) }
            try attemptOnce("fsync of instance") { fsync(file.rawValue) }
        }
        try data.rename("instance.new", to: "instance")
        try attemptOnce("fsync of a directory") { fsync(data.descriptor.rawValue) }
    }

    /// The reason why a directory could not be opened as a store, as far as reading can tell.
    ///
    /// - Returns: a sentence; nil if it can be opened, or does not exist.
    package static func complaint(about path: String) -> String? {
        do throws(ContentError) {
            let data = ContentDirectory(
                owning: FileDescriptor(
                    owning: try attempt("open \(path)") {
                        unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    }))
            _ = try instance(in: data)
            return nil
        } catch {
            return error.code == .notFound ? nil : error.description
        }
    }

    private static func instance(in data: ContentDirectory) throws(ContentError) -> Identifier {
        let file = try data.open("instance", O_RDONLY, operation: "open instance")
        var room = [UInt8](repeating: 0, count: 64)
        let count = try attempt("read instance") {
            unsafe room.withUnsafeMutableBytes {
                unsafe Glibc.read(file.rawValue, $0.baseAddress, $0.count)
            }
        }
        let text = String(decoding: room[..<count], as: UTF8.self)
        guard count == 33, text.hasSuffix("\n"),
            let instance = Identifier(hexadecimal: String(text.dropLast()))
        else {
            throw ContentError(
                .ioError,
                "the file instance in the data directory is damaged; restore it from a backup")
        }
        return instance
    }
}
