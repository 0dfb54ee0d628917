// The content of a download in a file of this machine: whole and proved, or not there at all.
internal import Core
internal import Crypto
internal import Glibc
internal import Platform

/// A file beside its place, which gets its name once it is whole.
final class ContentFile {
    /// Where it goes; nil for standard output.
    private let path: String?
    private let draft: String
    private let descriptor: FileDescriptor
    private var digest = SHA256()
    /// Bytes that were written.
    private(set) var length: Int64 = 0
    /// What kept bytes from being written.
    private(set) var failure: Errno?
    private var isPlaced = false

    /// Makes the draft, so that a folder that cannot be written is known before anything else.
    ///
    /// - Throws: `ClientFailure` where that cannot be done, or the file exists already.
    init(_ path: String, overwrites: Bool) throws(ClientFailure) {
        guard path != "-" else {
            (self.path, draft) = (nil, "")
            descriptor = FileDescriptor(owning: dup(1))
            return
        }
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            guard overwrites else {
                throw .usage("\(path) exists: name another file with -o, or use --overwrite")
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw .usage("\(path) is no regular file")
            }
        }
        let folder =
            path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
        let suffix = Hex.encode(SecureRandom.bytes(6))
        let draft = "\(folder).lull-\(suffix).part"
        self.path = path
        self.draft = draft
        do throws(Errno) {
            let number = try retryingInterrupts {
                unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            }
            descriptor = FileDescriptor(owning: number)
        } catch {
            throw ClientFailure("\(path) cannot be written: \(error)")
        }
    }

    /// Appends bytes; false once that fails.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe digest.update(bytes)
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            do throws(Errno) {
                let count = try retryingInterrupts {
                    unsafe Glibc.write(descriptor.rawValue, part.baseAddress, part.count)
                }
                length += Int64(count)
                unsafe rest = unsafe rest.dropFirst(count)
            } catch {
                failure = error
                return false
            }
        }
        return true
    }

    /// Sets the time of the file; a file system that has none keeps its own.
    func setModified(_ instant: Timestamp) {
        guard path != nil else { return }
        let time = timespec(tv_sec: Int(instant.seconds), tv_nsec: 0)
        _ = unsafe [time, time].withUnsafeBufferPointer {
            unsafe futimens(descriptor.rawValue, $0.baseAddress)
        }
    }

    /// Begins again with no bytes; false where that cannot be done, as on standard output.
    func restart() -> Bool {
        guard length > 0 else { return true }
        guard path != nil, ftruncate(descriptor.rawValue, 0) == 0,
            lseek(descriptor.rawValue, 0, SEEK_SET) == 0
        else { return false }
        _ = digest.finalize()
        length = 0
        return true
    }

    /// Proves the bytes, and gives the file its name.
    ///
    /// - Throws: `ClientFailure` where they are not those that the service has.
    func place(sha256: String?, overwrites: Bool) throws(ClientFailure) {
        let found = digest.finalizeText()
        if let sha256, found != sha256 {
            throw ClientFailure(
                "the bytes that arrived have the SHA-256 \(found) and not \(sha256); "
                    + (path.map { "\($0) is not written" } ?? "what was printed is wrong"))
        }
        guard let path else { return }
        do throws(Errno) {
            try retryingInterrupts { fsync(descriptor.rawValue) }
            if overwrites {
                try retryingInterrupts { unsafe rename(draft, path) }
            } else {
                // A file that was made meanwhile is kept: link(2) does not replace.
                try retryingInterrupts { unsafe link(draft, path) }
                _ = unsafe unlink(draft)
            }
            isPlaced = true
        } catch {
            throw ClientFailure("\(path) cannot be written: \(error)")
        }
    }

    deinit {
        if path != nil, !isPlaced { _ = unsafe unlink(draft) }
    }
}
