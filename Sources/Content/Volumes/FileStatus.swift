// The metadata of a file; see stat(2).
internal import Downloads
internal import Glibc
internal import Platform

/// The fields of stat(2) that this program uses.
struct FileStatus {
    let length: Int64
    let modifiedSeconds: Int64
    let isRegular: Bool
    /// The number of links to the file.
    let names: Int
    /// The length, modification time and inode of the file.
    let facts: FileFacts
    /// The facts by which a write to an unfinished file is noticed.
    let mark: FileMark

    /// Reads the status of an open file.
    init(of descriptor: Int32) throws(ContentError) {
        var status = stat()
        try attempt("fstat") { unsafe fstat(descriptor, &status) }
        self.init(status)
    }

    /// Reads the status of a name below a directory, without following a symbolic link.
    init(of name: String, in directory: Int32) throws(ContentError) {
        var status = stat()
        try attempt("fstatat") {
            unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW)
        }
        self.init(status)
    }

    private init(_ status: stat) {
        length = Int64(status.st_size)
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        names = Int(status.st_nlink)
        facts = FileFacts(
            length: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000
                &+ Int64(status.st_mtim.tv_nsec),
            inode: Int64(truncatingIfNeeded: status.st_ino))
        mark = FileMark(
            device: Int64(truncatingIfNeeded: status.st_dev), inode: facts.inode,
            length: facts.length, modified: facts.modified,
            changed: Int64(status.st_ctim.tv_sec) &* 1_000_000_000
                &+ Int64(status.st_ctim.tv_nsec))
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
