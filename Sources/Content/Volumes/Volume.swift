internal import CPlatform
internal import Glibc
internal import Platform

/// The size and the room of a file system; see fstatvfs(3).
package struct Volume: Equatable, Sendable {
    /// Bytes that processes without privileges may still take; 0 also when no file can be made.
    package let free: Int64
    /// Bytes that it has in all.
    package let total: Int64
}

extension Volume {
    /// The volume of an open file or directory as it is now; see fstatvfs(3).
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
