// Tests a folder's disk for `lull doctor`, before anything is stored.
internal import Glibc
internal import Platform

/// The result of testing the disk of a folder.
package struct FolderProbe: Sendable, Equatable {
    /// The size and free space of the volume.
    package let volume: Volume
    /// The median of several times that it took to make 4 KiB durable.
    package let syncTime: Duration

    /// Writes a small file to the folder, syncs it several times and removes it.
    ///
    /// - Parameter path: a folder that exists.
    /// - Throws: the call that failed.
    package init(of path: String) throws(ContentError) {
        let folder = FileDescriptor(
            owning: try attempt("open \(path)") {
                unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            })
        volume = try Volume(of: folder.rawValue)
        let name = ".lull-doctor-\(getpid())"
        let file = FileDescriptor(
            owning: try attempt("make a file in \(path)") {
                unsafe openat(
                    folder.rawValue, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            })
        defer { _ = unsafe unlinkat(folder.rawValue, name, 0) }
        let block = [UInt8](repeating: 7, count: 4096)
        var times: [Duration] = []
        for round in 0..<9 {
            let began = ContinuousClock.now
            let written = try attempt("write to \(path)") {
                unsafe block.withUnsafeBytes {
                    unsafe pwrite(file.rawValue, $0.baseAddress, $0.count, off_t(round * 4096))
                }
            }
            guard written == block.count else { throw ContentError("write", .noSpace) }
            try attemptOnce("fdatasync in \(path)") { fdatasync(file.rawValue) }
            times.append(ContinuousClock.now - began)
        }
        syncTime = times.sorted()[times.count / 2]
    }

    /// Whether users other than its owner may read or write a file; false if the file does not
    /// exist.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }
}
