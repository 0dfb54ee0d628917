// The facts of a placed file, by which a later edit is noticed.
package import Downloads
internal import Glibc
internal import Platform

extension PartFile {
    /// `UTIME_OMIT` of utimensat(2), a macro that Swift does not import.
    private static let unchanged = (1 << 30) - 2

    /// The facts of a complete file that is about to get a name in another folder.
    ///
    /// Its modification time is set to a whole second first. An edit right after the file got its
    /// name could otherwise fall into the tick of the kernel's clock in which the file was written,
    /// and go unnoticed.
    ///
    /// - Parameter modified: the origin's time of the file in seconds since 1970; nil leaves that
    ///   at which it was written.
    /// - Returns: length, time of change and number.
    /// - Throws: `ContentError`: `ioError`.
    package func settledFacts(modified: Int64? = nil) throws(ContentError) -> FileFacts {
        let file = descriptor.rawValue
        let written = try FileStatus(of: file).modifiedSeconds
        try PartFile.setModified(of: file, to: modified ?? written)
        return try FileStatus(of: file).facts
    }

    /// Sets a file's modification time, in seconds since 1970; see futimens(3).
    static func setModified(of file: Int32, to seconds: Int64) throws(ContentError) {
        let times = [
            timespec(tv_sec: 0, tv_nsec: PartFile.unchanged),
            timespec(tv_sec: Int(seconds), tv_nsec: 0),
        ]
        try attempt("futimens") {
            unsafe times.withUnsafeBufferPointer { unsafe futimens(file, $0.baseAddress) }
        }
    }
}

extension FileFacts {
    /// The facts of an open file; nil if they cannot be read.
    package init?(ofOpenFile descriptor: Int32) {
        do throws(ContentError) {
            self = try FileStatus(of: descriptor).facts
        } catch {
            return nil
        }
    }
}
