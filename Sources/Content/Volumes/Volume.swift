internal import CPlatform
internal import Glibc
internal import Platform

/// The size and the free space of a file system; see fstatvfs(3).
package struct Volume: Equatable, Sendable {
    /// The bytes that processes without privileges may still use; 0 also if no file can be created.
    package let free: Int64
    /// The size in bytes.
    package let total: Int64
}

extension Volume {
    /// Reads the volume of an open file or directory; see fstatvfs(3).
    init(of descriptor: Int32) throws(ContentError) {
        var status = CPlatform.statvfs()
        try attempt("fstatvfs") { unsafe fstatvfs(descriptor, &status) }
        let unit = UInt64(status.f_frsize)
        // A file system without a fixed number of inodes reports 0 for both.
        let isOutOfFiles = status.f_files > 0 && status.f_favail == 0
        self.init(
            free: isOutOfFiles ? 0 : Volume.bytes(UInt64(status.f_bavail), of: unit),
            total: Volume.bytes(UInt64(status.f_blocks), of: unit))
    }

    private static func bytes(_ count: UInt64, of unit: UInt64) -> Int64 {
        let (bytes, overflowed) = count.multipliedReportingOverflow(by: unit)
        return overflowed ? .max : Int64(clamping: bytes)
    }
}
