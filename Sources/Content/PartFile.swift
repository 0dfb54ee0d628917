// The file of one attempt while its bytes arrive.
internal import CPlatform
internal import Glibc
internal import Platform
internal import Synchronization

/// An unfinished file and the only descriptor that writes to it.
///
/// All calls block: use them on a file lane. After a failed sync nothing more is written or synced,
/// and neither after another attempt has adopted the file.
package final class PartFile: Sendable {
    /// The download and the attempt of the file.
    package let name: ContentName

    let directory: ContentDirectory
    let descriptor: FileDescriptor
    private let state: Mutex<State>

    private struct State: Sendable {
        /// The path of the file; nil once it was adopted, published or removed.
        var path: String?
        /// Whether bytes may still change; false once the file has its final name.
        var isWritable = true
        /// The failure after which the contents on disk are unknown; nil for none.
        var failure: ContentError?
        /// The descriptor for writes past the page cache; nil if they were not asked for or are not
        /// possible.
        var direct: DirectDescriptor?
        /// Whether writes past the page cache were asked for.
        var isDirect = false
    }

    /// A second descriptor of the file, opened with O_DIRECT.
    private final class DirectDescriptor: Sendable {
        let descriptor: FileDescriptor

        init(owning descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
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

    /// Reserves space on the disk without changing the length; see fallocate(2), KEEP_SIZE.
    ///
    /// - Parameter bytes: how long the file will be; a file system that cannot reserve is no error.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func preallocate(bytes: Int64) throws(ContentError) {
        guard bytes > 0 else { return }
        try whileWritable { _ throws(ContentError) in
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

    /// Writes bytes at an offset; see pwrite(2).
    ///
    /// - Parameters:
    ///   - bytes: any number.
    ///   - offset: bytes from the start of the file, not negative.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ContentError) {
        precondition(offset >= 0, "a file has no bytes before its start")
        try whileWritable { state throws(ContentError) in
            var written = 0
            if state.direct != nil {
                written = try unsafe writePages(bytes, at: offset, &state)
                guard written < bytes.count else { return }
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            try directory.health.watch { () throws(ContentError) in
                try unsafe PartFile.write(
                    rest, to: descriptor.rawValue, at: offset + Int64(written))
            }
        }
    }

    /// Writes all bytes at an offset of a file.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64
    ) throws(ContentError) {
        var written = 0
        while written < bytes.count {
            let count = try attempt("pwrite") {
                unsafe pwrite(
                    file, bytes.baseAddress.map { unsafe $0 + written },
                    bytes.count - written, off_t(offset) + off_t(written))
            }
            guard count > 0 else { throw ContentError(.ioError, "pwrite wrote nothing") }
            written += count
        }
    }

    /// Writes the whole pages at the beginning past the page cache, if address and offset are
    /// aligned.
    ///
    /// After a file system has refused once, everything goes through the page cache.
    ///
    /// - Returns: how many bytes were written; the rest is for the page cache.
    private func writePages(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, _ state: inout State
    ) throws(ContentError) -> Int {
        let page = MemoryBlock.pageBytes
        let whole = bytes.count - bytes.count % page
        guard let base = bytes.baseAddress, offset % Int64(page) == 0,
            Int(bitPattern: base) % page == 0, let number = state.direct?.descriptor.rawValue
        else { return 0 }
        var written = 0
        var isRefused = false
        try directory.health.watch { () throws(ContentError) in
            // After a short write the rest may begin in the middle of a page.
            while written < whole, written % page == 0, !isRefused {
                do throws(ContentError) {
                    let count = try attempt("pwrite") {
                        unsafe pwrite(
                            number, base + written, whole - written,
                            off_t(offset) + off_t(written))
                    }
                    guard count > 0 else { throw ContentError(.ioError, "pwrite wrote nothing") }
                    written += count
                } catch {
                    guard error.errno == .invalidArgument || error.errno == .notSupported else {
                        throw error
                    }
                    isRefused = true
                }
            }
        }
        if isRefused { state.direct = nil }
        return written
    }

    /// Writes whole pages past the page cache from now on, if the file system can.
    ///
    /// See open(2), O_DIRECT. Pieces that do not fill whole pages go through the page cache.
    ///
    /// - Returns: whether it can.
    @discardableResult
    package func bypassPageCache() -> Bool {
        state.withLock { state in
            guard !state.isDirect, state.isWritable, let path = state.path else {
                return state.direct != nil
            }
            state.isDirect = true
            // A file system without such writes answers EINVAL; the page cache is used instead.
            do throws(ContentError) {
                state.direct = DirectDescriptor(
                    owning: try directory.open(
                        path, O_WRONLY | lull_open_direct(), operation: "open part directly"))
            } catch {}
            return state.direct != nil
        }
    }

    /// Drops the cached pages of a file that was written past the page cache.
    ///
    /// These hold parts of pages and bytes that were read back. Pages that are not durable yet
    /// stay.
    func leavePageCache() {
        let isDirect = state.withLock { state in
            state.direct = nil
            return state.isDirect
        }
        if isDirect { _ = posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED) }
    }

    /// Writes bytes at an offset; see `write(_:at:)` over raw memory.
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

    /// Frees the space reserved beyond a length, so that a waiting file takes only the space of its
    /// bytes.
    ///
    /// - Parameter length: the bytes to keep.
    /// - Throws: `ContentError`: `ioError`, `locked`.
    package func trim(to length: Int64) throws(ContentError) {
        try whileWritable { _ throws(ContentError) in
            try attempt("ftruncate") { ftruncate(descriptor.rawValue, off_t(length)) }
        }
    }

    /// Removes all bytes, so that the attempt can start again.
    ///
    /// - Throws: `ContentError`: `ioError`, `locked`.
    package func truncate() throws(ContentError) {
        try whileWritable { _ throws(ContentError) in
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
        guard try unlink() else { return }
        // A file that was placed has another name, and keeps its bytes.
        guard try FileStatus(of: descriptor.rawValue).names == 0 else { return }
        // Truncating frees the space at once, not when the last owner closes the descriptor.
        try attempt("ftruncate") { ftruncate(descriptor.rawValue, 0) }
    }

    /// Removes the name of the file and leaves its bytes to other names, unless it was adopted or
    /// published.
    ///
    /// - Returns: whether the file had its name.
    /// - Throws: `ContentError`: `ioError`; the file is left for the sweep.
    @discardableResult
    func unlink() throws(ContentError) -> Bool {
        let path = state.withLock { state in
            defer { (state.path, state.direct) = (nil, nil) }
            return state.path
        }
        guard let path else { return false }
        try directory.remove(path)
        return true
    }

    /// Whether the file has its name and may be written.
    var isOurs: Bool { state.withLock { $0.path != nil && $0.isWritable && $0.failure == nil } }

    /// Ends this attempt's access to the file; waits for a call in progress.
    package func close() {
        state.withLock { state in
            state.path = nil
            state.direct = nil
        }
    }

    /// Renames the file to its final name, after which it is not written any more.
    func rename(to path: String) throws(ContentError) {
        try whileOurs { state throws(ContentError) in
            guard let part = state.path, state.isWritable else { return }
            try directory.rename(part, to: path)
            state.path = path
            state.isWritable = false
        }
    }

    /// Makes a sync call; after a failure every later call fails.
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

    private func whileWritable(
        _ body: (inout State) throws(ContentError) -> Void
    ) throws(ContentError) {
        try whileOurs { state throws(ContentError) in
            guard state.isWritable else { throw PartFile.lost }
            try body(&state)
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

    private static let lost = ContentError(.locked, "another attempt has the part file")
}

extension Errno {
    /// The kernel does not have the call: ENOSYS.
    static let unknownCall = Errno(rawValue: ENOSYS)
}
