// The data directory of one process: the lock, the instance's name, the shards.
package import Core
internal import Glibc
internal import Platform

/// The files of finished and unfinished downloads.
///
/// Layout: `<data>/lock`, `<data>/instance`, `<data>/content/<shard>/<id>.<fence>[.part]`.
/// All calls block: use them on a file lane.
package final class ContentStore: Sendable {
    /// The identifier of this data directory, made once.
    package let instance: Identifier
    /// The same as text, as resume points name it.
    package let instanceText: String

    let directory: ContentDirectory
    /// The lock of the directory; flock(2) ends with the descriptor.
    private let lock: FileDescriptor

    private init(
        instance: Identifier, directory: ContentDirectory, lock: consuming FileDescriptor
    ) {
        self.instance = instance
        instanceText = instance.hexadecimal
        self.directory = directory
        self.lock = lock
    }

    /// Takes a data directory into possession, and makes what is missing in it.
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
            throw ContentError(.locked, "another process uses the data directory \(path)")
        }
        let instance = try readInstance(in: data, orMake: newInstance)
        let content = try makeShards(in: data)
        return ContentStore(instance: instance, directory: content, lock: lock)
    }

    /// Opens `content/` with its 256 shards and makes them durable if any was missing.
    private static func makeShards(
        in data: ContentDirectory
    ) throws(ContentError) -> ContentDirectory {
        let isNew = try makeDirectory("content", in: data)
        if isNew { try attemptOnce("fsync of a directory") { fsync(data.descriptor.rawValue) } }
        let content = ContentDirectory(
            owning: try data.open("content", O_RDONLY | O_DIRECTORY, operation: "open content"))
        var made = false
        for shard in UInt8.min...UInt8.max {
            let name = ContentName.directory(ofShard: shard)
            if try makeDirectory(name, in: content) { made = true }
        }
        if made { try attemptOnce("fsync of a directory") { fsync(content.descriptor.rawValue) } }
        return content
    }

    /// Makes a directory.
    ///
    /// - Returns: whether it was missing.
    private static func makeDirectory(
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

    private static func readInstance(
        in data: ContentDirectory, orMake random: [UInt8]
    ) throws(ContentError) -> Identifier {
        do {
            return try instance(in: data)
        } catch {
            guard error.code == .notFound else { throw error }
        }
        let made = Identifier(
            high: random[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: random[8...].reduce(0) { $0 << 8 | UInt64($1) })
        let line = Array((made.hexadecimal + "\n").utf8)
        // Written aside and renamed: a crash leaves the whole name or none.
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
        return made
    }

    /// Why a directory could not be opened as a store, as far as reading can tell.
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
            throw ContentError(.ioError, "the file instance in the data directory is damaged")
        }
        return instance
    }
}
