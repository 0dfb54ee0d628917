// The content of a download in a local file: complete and verified, or absent.
internal import Base
internal import Crypto
internal import Glibc
internal import Platform

/// A part file beside the destination, which is renamed once it is complete.
///
/// The part file has the name of the download, so that a later command goes on with its bytes.
final class ContentFile {
    /// The path of the destination; nil for standard output.
    private let path: String?
    private let draft: String
    private let descriptor: FileDescriptor
    private var digest = SHA256()
    /// The number of bytes that are in the part file.
    private(set) var length: Int64 = 0
    /// The error that stopped writing; nil for none.
    private(set) var failure: Errno?
    private var isPlaced = false

    private static let stepBytes = 1 << 20

    /// Opens the part file, with the bytes that an earlier command wrote.
    ///
    /// - Parameters:
    ///   - path: the destination; `-` for standard output.
    ///   - overwrites: whether a file that has this name is replaced.
    ///   - view: the download.
    /// - Throws: `ClientFailure` where the file exists already, the part file cannot be written, or
    ///   another command writes it.
    init(_ path: String, overwrites: Bool, of view: DownloadView) throws(ClientFailure) {
        guard path != "-" else {
            (self.path, draft) = (nil, "")
            descriptor = FileDescriptor(owning: dup(1))
            return
        }
        try ContentFile.check(path, overwrites: overwrites)
        let draft = LocalName.folder(of: path) + ".lull-\(view.id).part"
        self.path = path
        self.draft = draft
        do throws(Errno) {
            let number = try retryingInterrupts {
                unsafe open(draft, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            }
            descriptor = FileDescriptor(owning: number)
        } catch {
            throw ClientFailure("\(path) cannot be written: \(error)")
        }
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            isPlaced = true
            throw ClientFailure("another command writes \(path) at the moment")
        }
        try readPart(atMost: view.length)
    }

    /// Refuses a destination that may not be written.
    ///
    /// - Parameters:
    ///   - path: the destination.
    ///   - overwrites: whether a file that has this name is replaced.
    /// - Throws: `ClientFailure` with exit status 2.
    static func check(_ path: String, overwrites: Bool) throws(ClientFailure) {
        let folder = LocalName.folder(of: path)
        guard unsafe access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 else {
            throw ClientFailure("\(path) cannot be written: \(Errno(rawValue: errno))")
        }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard overwrites else {
            throw .usage("\(path) exists: name another file with -o, or use --overwrite")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .usage("\(path) is not a regular file")
        }
    }

    /// Reads the bytes of an earlier command for the digest; a part file that is longer than the
    /// content is emptied.
    private func readPart(atMost most: Int64?) throws(ClientFailure) {
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { throw ClientFailure("\(draft) is not a regular file") }
        let size = Int64(status.st_size)
        guard size > 0, let most, size <= most else {
            guard size == 0 || ftruncate(descriptor.rawValue, 0) == 0 else {
                throw ClientFailure("\(draft) cannot be emptied")
            }
            return
        }
        var room = [UInt8](repeating: 0, count: ContentFile.stepBytes)
        while length < size {
            guard !Interrupt.isRaised else { throw .interrupted }
            let count = unsafe room.withUnsafeMutableBytes { bytes in
                let count = unsafe pread(
                    descriptor.rawValue, bytes.baseAddress, bytes.count, Int(length))
                if count > 0 {
                    unsafe digest.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                }
                return count
            }
            guard count > 0 else { throw ClientFailure("\(draft) cannot be read") }
            length += Int64(count)
        }
        guard lseek(descriptor.rawValue, off_t(length), SEEK_SET) >= 0 else {
            throw ClientFailure("\(draft) cannot be written")
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
    /// - Parameters:
    ///   - sha256: the digest that the service has; nil for none.
    ///   - overwrites: whether a file that has the name is replaced.
    ///   - other: another path in the same folder; nil for the path that the file was opened for.
    /// - Returns: false where another file has the name, and is not replaced.
    /// - Throws: `ClientFailure` where the bytes are not those that the service has.
    func place(
        sha256: String?, overwrites: Bool, as other: String? = nil
    ) throws(ClientFailure) -> Bool {
        if proof == nil { proof = digest.finalizeText() }
        let found = proof ?? ""
        if let sha256, found != sha256 {
            if path != nil { _ = unsafe unlink(draft) }
            isPlaced = true
            throw ClientFailure(
                "the received bytes have the SHA-256 \(found), not \(sha256): "
                    + (path.map { "\($0) was not written; try again" }
                        ?? "discard what was printed, and try again"))
        }
        guard let path = path.map({ other ?? $0 }) else { return true }
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
            return true
        } catch {
            if error == Errno(rawValue: EEXIST) { return false }
            throw ClientFailure("\(path) cannot be written: \(error)")
        }
    }

    /// The digest of all bytes, once it was made.
    private var proof: String?

    deinit {
        if path != nil, !isPlaced, length == 0 { _ = unsafe unlink(draft) }
    }
}
