// The content of a download in a local file: complete and verified, or absent.
internal import Base
internal import Crypto
internal import Glibc
internal import Platform

/// A temporary file beside the destination, which is renamed once it is complete.
final class ContentFile {
    /// The path of the destination; nil for standard output.
    private let path: String?
    private let draft: String
    private let descriptor: FileDescriptor
    private var digest = SHA256()
    /// The number of bytes that were written.
    private(set) var length: Int64 = 0
    /// The error that stopped writing; nil for none.
    private(set) var failure: Errno?
    private var isPlaced = false

    /// Creates the temporary file, so that a folder that is not writable is noticed before anything
    /// else happens.
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
                throw .usage("\(path) is not a regular file")
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

    /// Appends bytes; returns false once writing fails.
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

    /// Sets the modification time of the file; a file system that refuses keeps its own.
    func setModified(_ instant: Timestamp) {
        guard path != nil else { return }
        let time = timespec(tv_sec: Int(instant.seconds), tv_nsec: 0)
        _ = unsafe [time, time].withUnsafeBufferPointer {
            unsafe futimens(descriptor.rawValue, $0.baseAddress)
        }
    }

    /// Starts again with no bytes; returns false if that is impossible, as on standard output.
    func restart() -> Bool {
        guard length > 0 else { return true }
        guard path != nil, ftruncate(descriptor.rawValue, 0) == 0,
            lseek(descriptor.rawValue, 0, SEEK_SET) == 0
        else { return false }
        _ = digest.finalize()
        length = 0
        return true
    }

    /// Verifies the bytes, and gives the file its name.
    ///
    /// - Throws: `ClientFailure` where they are not those that the service has.
    func place(sha256: String?, overwrites: Bool) throws(ClientFailure) {
        let found = digest.finalizeText()
        if let sha256, found != sha256 {
            throw ClientFailure(
                "the received bytes have the SHA-256 \(found), not \(sha256): "
                    + (path.map { "\($0) was not written; try again" }
                        ?? "discard what was printed, and try again"))
        }
        guard let path else { return }
        do throws(Errno) {
            try retryingInterrupts { fsync(descriptor.rawValue) }
            if overwrites {
                try retryingInterrupts { unsafe rename(draft, path) }
            } else {
                // A file that was created meanwhile is kept: link(2) does not replace files.
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
