// File operations for the server's directory.
internal import Glibc
internal import Platform

/// Operations on files and directories by path; see the manual page of each call.
enum ServerFiles {
    /// The owner and the mode of a file.
    struct Status {
        let userID: uid_t
        let groupID: gid_t
        let mode: mode_t
        let size: Int64

        var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
    }

    /// Reads a file's status (lstat(2)); nil if the path does not exist.
    static func status(_ path: String) -> Status? {
        var found = stat()
        guard unsafe lstat(path, &found) == 0 else { return nil }
        return Status(
            userID: found.st_uid, groupID: found.st_gid, mode: found.st_mode,
            size: Int64(found.st_size))
    }

    /// Resolves a path; see realpath(3).
    static func realPath(_ path: String) throws(Errno) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw Errno.current }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// The target of a symbolic link; nil if it cannot be read (readlink(2)).
    static func link(_ path: String) -> String? {
        var room = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe room.withUnsafeMutableBytes { buffer -> Int in
            guard let base = buffer.baseAddress else { return -1 }
            return unsafe readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard count > 0 else { return nil }
        return String(decoding: room[..<count], as: UTF8.self)
    }

    /// Opens a file without following a link at its end; see open(2).
    static func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0o600
    ) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            owning: try retryingInterrupts {
                unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
            })
    }

    /// The beginning of a file as text; nil if there is no file.
    static func text(_ path: String, bytesMax: Int = 65_536) -> String? {
        do throws(Errno) {
            let file = try open(path, O_RDONLY)
            return String(decoding: try bytes(of: file, bytesMax: bytesMax), as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// Reads to the end of a file and keeps the first bytes; see read(2).
    static func bytes(of file: borrowing FileDescriptor, bytesMax: Int) throws(Errno) -> [UInt8] {
        var kept: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16_384)
        let number = file.rawValue
        while true {
            let count = try retryingInterrupts { unsafe read(number, &room, room.count) }
            guard count > 0 else { return kept }
            kept.append(contentsOf: room[..<min(count, bytesMax - kept.count)])
        }
    }

    /// Writes all bytes; see write(2).
    static func write(_ text: String, to file: borrowing FileDescriptor) throws(Errno) {
        var rest = Array(text.utf8)[...]
        let number = file.rawValue
        while !rest.isEmpty {
            let piece = Array(rest)
            let count = try retryingInterrupts { unsafe Glibc.write(number, piece, piece.count) }
            rest = rest.dropFirst(count)
        }
    }

    /// The last lines of a file in one line, for an error message.
    static func tail(_ path: String, lines: Int = 5) -> String {
        guard let size = status(path)?.size else { return "" }
        do throws(Errno) {
            let file = try open(path, O_RDONLY)
            _ = lseek(file.rawValue, off_t(max(0, size - 4_096)), SEEK_SET)
            let text = String(decoding: try bytes(of: file, bytesMax: 65_536), as: UTF8.self)
            return text.split(separator: "\n").suffix(lines).joined(separator: "; ")
        } catch {
            return ""
        }
    }

    /// The names in a directory; see readdir(3).
    static func names(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
