// The bytes of a local file that a request sends.
internal import Glibc
internal import Platform

/// A file from an offset on to the length that it had when it was opened.
struct FileRange {
    let file: LocalFile
    /// The first byte.
    let offset: Int64

    /// The number of bytes.
    var length: Int64 { file.length - offset }

    /// Reads bytes.
    ///
    /// - Parameters:
    ///   - room: takes them, as many as are there and fit.
    ///   - place: the first byte, counted within the range.
    /// - Returns: their number, 0 behind the last one; nil if they cannot be read, or the file has
    ///   become shorter.
    func read(into room: UnsafeMutableRawBufferPointer, from place: Int64) -> Int? {
        let most = Int(min(Int64(room.count), length - place))
        guard most > 0 else { return 0 }
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<most])
        guard let count = unsafe file.read(into: part, from: offset + place), count > 0 else {
            return nil
        }
        return count
    }
}
