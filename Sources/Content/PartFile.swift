// The bytes of one attempt while they arrive.
internal import CPlatform
internal import Glibc
internal import Platform
internal import Synchronization

/// An unfinished file and the only descriptor that writes to it.
///
/// All calls block: use them on a file lane. After a failed sync nothing more is written or synced;
/// after another attempt has adopted the file, neither.
package final class PartFile: Sendable {
    /// The download and the attempt.
    package let name: ContentName

    let directory: ContentDirectory
    let descriptor: FileDescriptor
    private let state: Mutex<State>

    private struct State: Sendable {
        /// The path of the file; nil once it was adopted, published or removed.
        var path: String?
        /// Whether bytes may still change; not after the file has its final name.
        var isWritable = true
        /// Why what is on disk is unknown.
        var failure: ContentError?
    }

    init(
        name: ContentName, at path: String, in directory: ContentDirectory,
        owning descriptor: consuming FileDescriptor
    ) {
        self.name = name
        self.directory = directory
        self.descriptor = descriptor
        state = Mutex(State(path: path))
        directory.register(self)
    }

    deinit { directory.unregister(name) }

    /// Reserves room on the disk without changing the length; see fallocate(2), KEEP_SIZE.
    ///
    /// - Parameter bytes: how long the file will be; a file system that cannot reserve is no error.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func preallocate(bytes: Int64) throws(ContentError) {
        guard bytes > 0 else { return }
        try whileWritable { () throws(ContentError) in
            do throws(ContentError) {
                try attempt("fallocate") {
                    lull_fallocate_keep_size(descriptor.rawValue, 0, off_t(bytes))
                }
            } catch {
                guard error.errno == .notSupported || error.errno == .unknownCall else {
                    throw error
                }
            }
        }
    }

    /// Writes bytes at a place; see pwrite(2).
    ///
    /// - Parameters:
    ///   - bytes: any number.
    ///   - offset: bytes from the start of the file, not negative.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ContentError) {
        precondition(offset >= 0, "a file has no bytes before its start")
        try whileWritable { () throws(ContentError) in
            try directory.health.watch { () throws(ContentError) in
                try unsafe writeAll(bytes, at: offset)
            }
        }
    }

    private func writeAll(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(ContentError) {
        var written = 0
        while written < bytes.count {
            let count = try attempt("pwrite") {
                unsafe pwrite(
                    descriptor.rawValue, bytes.baseAddress.map { unsafe $0 + written },
                    bytes.count - written, off_t(offset) + off_t(written))
            }
            guard count > 0 else { throw ContentError(.ioError, "pwrite wrote nothing") }
            written += count
        }
    }

    /// Writes bytes at a place; see `write(_:at:)` over raw memory.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(ContentError) {
        var failure: ContentError?
        unsafe bytes.withUnsafeBytes { memory in
            do throws(ContentError) {
                try unsafe write(memory, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Makes everything written so far durable; see fdatasync(2).
    ///
    /// - Throws: `ContentError`: the attempt is lost, discard the file.
    package func checkpoint() throws(ContentError) {
        try sync("fdatasync") { Glibc.fdatasync(descriptor.rawValue) }
    }

    /// Gives back what was reserved beyond a length, so that a file which waits holds only bytes.
    ///
    /// - Parameter length: the bytes to keep.
    /// - Throws: `ContentError`: `ioError`, `locked`.
    package func trim(to length: Int64) throws(ContentError) {
        try whileWritable { () throws(ContentError) in
            try attempt("ftruncate") { ftruncate(descriptor.rawValue, off_t(length)) }
        }
    }

    /// Drops all bytes, so that the attempt can start again.
    ///
    /// - Throws: `ContentError`: `ioError`, `locked`.
    package func truncate() throws(ContentError) {
        try whileWritable { () throws(ContentError) in
            try attempt("ftruncate") { ftruncate(descriptor.rawValue, 0) }
        }
    }

    /// The file's length in bytes.
    ///
    /// - Throws: `ContentError`: `ioError`.
    package func length() throws(ContentError) -> Int64 {
        try FileStatus(of: descriptor.rawValue).length
    }

    /// Removes the file, unless it was adopted or published.
    ///
    /// - Throws: `ContentError`: `ioError`; the file is left for the sweep.
    package func discard() throws(ContentError) {
        let path = state.withLock { state in
            defer { state.path = nil }
            return state.path
        }
        guard let path else { return }
        try directory.remove(path)
        // The room is free at once, not when the last owner lets the descriptor go.
        try attempt("ftruncate") { ftruncate(descriptor.rawValue, 0) }
    }

    /// Ends all work of this attempt on the file; waits for a call that is under way.
    func close() { state.withLock { $0.path = nil } }

    /// Renames the file to its final name; it is not written to any more.
    func rename(to path: String) throws(ContentError) {
        try whileOurs { state throws(ContentError) in
            guard let part = state.path, state.isWritable else { return }
            try directory.rename(part, to: path)
            state.path = path
            state.isWritable = false
        }
    }

    /// Calls a sync; after a failure every later call fails.
    func sync(_ operation: String, _ call: () -> Int32) throws(ContentError) {
        try whileOurs { state throws(ContentError) in
            do throws(ContentError) {
                try directory.health.watch { () throws(ContentError) in
                    try attemptOnce(operation, call)
                }
            } catch {
                state.failure = error
                throw error
            }
        }
    }

    private func whileWritable(_ body: () throws(ContentError) -> Void) throws(ContentError) {
        try whileOurs { state throws(ContentError) in
            guard state.isWritable else { throw PartFile.lost }
            try body()
        }
    }

    private func whileOurs(
        _ body: (inout State) throws(ContentError) -> Void
    ) throws(ContentError) {
        try state.withLock { state throws(ContentError) in
            if let failure = state.failure { throw failure }
            guard state.path != nil else { throw PartFile.lost }
            try body(&state)
        }
    }

    private static let lost = ContentError(.locked, "the file is no longer this attempt's")
}

extension Errno {
    /// The kernel does not have the call: ENOSYS.
    static let unknownCall = Errno(rawValue: ENOSYS)
}
