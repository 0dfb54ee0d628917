// Reading a part of an open file into memory.
internal import Glibc

/// Reads from an offset, without moving the position of the descriptor; see pread(2).
package enum PositionedRead {
    /// Reads exactly this number of bytes.
    ///
    /// - Parameters:
    ///   - descriptor: a regular file, open for reading.
    ///   - offset: the first byte, not negative.
    ///   - count: how many bytes, not negative.
    /// - Returns: the bytes; nil if the file ends before, or cannot be read.
    package static func bytes(of descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
        precondition(offset >= 0 && count >= 0, "a stretch of a file")
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let got = unsafe pread(
                    descriptor, room.baseAddress.map { unsafe $0 + filled }, count - filled,
                    off_t(offset) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
