// A file of this machine that is sent to the service.
internal import Base
internal import Crypto
internal import Glibc
internal import Platform

/// A regular file that is open for reading.
final class LocalFile {
    /// Its absolute path.
    let path: String
    /// Its length when it was opened, in bytes.
    let length: Int64
    /// The time at which it was last written, in nanoseconds since 1970.
    let modified: Int64
    private let descriptor: FileDescriptor

    private static let stepBytes = 1 << 20

    /// Opens a file.
    ///
    /// - Throws: `ClientFailure` for one that cannot be read or is no regular file.
    init(_ path: String) throws(ClientFailure) {
        do throws(Errno) {
            let number = try retryingInterrupts { unsafe open(path, O_RDONLY | O_CLOEXEC) }
            descriptor = FileDescriptor(owning: number)
        } catch {
            throw .usage("\(path) cannot be read: \(error)")
        }
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { throw .usage("\(path) is not a regular file") }
        length = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        self.path = LocalFile.absolute(path)
    }

    /// The length of a file or another entry of a folder, and whether it is a regular file.
    ///
    /// - Returns: nil if nothing has this path.
    static func facts(_ path: String) -> (length: Int64, isRegular: Bool)? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return (Int64(status.st_size), status.st_mode & S_IFMT == S_IFREG)
    }

    private static func absolute(_ path: String) -> String {
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// The last component of its path.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Reads bytes; nil if they cannot be read.
    func read(into room: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int? {
        do throws(Errno) {
            return try retryingInterrupts {
                unsafe pread(descriptor.rawValue, room.baseAddress, room.count, Int(offset))
            }
        } catch {
            return nil
        }
    }

    /// Reads the whole file for its SHA-256.
    ///
    /// - Parameter everyStep: is told the number of bytes that were read, after each mebibyte.
    /// - Returns: the digest, 64 hexadecimal digits.
    /// - Throws: `ClientFailure` for one that cannot be read, and on Ctrl-C.
    func digest(everyStep: (Int64) -> Void) throws(ClientFailure) -> String {
        var digest = SHA256()
        var room = [UInt8](repeating: 0, count: LocalFile.stepBytes)
        var place: Int64 = 0
        while place < length {
            guard !Interrupt.isRaised else { throw .interrupted }
            let most = Int(min(Int64(room.count), length - place))
            let count = unsafe room.withUnsafeMutableBytes { bytes -> Int? in
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<most])
                guard let count = unsafe read(into: part, from: place), count > 0 else {
                    return nil
                }
                unsafe digest.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
                return count
            }
            guard let count else {
                throw ClientFailure("\(path) cannot be read to its end")
            }
            place += Int64(count)
            everyStep(place)
        }
        return digest.finalizeText()
    }
}
