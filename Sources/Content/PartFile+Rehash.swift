// Hashing the bytes of an earlier attempt, so that its digest can be continued.
package import Crypto
internal import Glibc
internal import Platform

extension PartFile {
    /// Computes the digest of the file up to a length; it can take more bytes.
    ///
    /// - Parameter length: how many bytes to read.
    /// - Returns: SHA-256 over them, not finished.
    /// - Throws: `ContentError`: `ioError`, or `notFound` when the file is shorter.
    package func rehash(length: Int64) throws(ContentError) -> SHA256 {
        var hash = SHA256()
        try unsafe readBack(length: length) { piece in unsafe hash.update(piece) }
        return hash
    }

    /// Reads a part of the file piece by piece.
    ///
    /// - Parameters:
    ///   - start: the first byte.
    ///   - length: the byte after the last one.
    ///   - body: takes each piece in order; its memory is valid during the call only.
    /// - Throws: `ContentError`: `ioError`, or `notFound` when the file is shorter.
    package func readBack(
        from start: Int64 = 0, length: Int64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ContentError) {
        try unsafe PartFile.read(descriptor.rawValue, from: start, length: length, body)
    }

    /// Reads a part of any file piece by piece.
    static func read(
        _ file: Int32, from start: Int64, length: Int64,
        _ body: (UnsafeRawBufferPointer) throws(ContentError) -> Void
    ) throws(ContentError) {
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 256 << 10, alignment: 4096)
        defer { unsafe room.deallocate() }
        var offset = start
        while offset < length {
            let wanted = Int(min(Int64(room.count), length - offset))
            let count = try attempt("pread") {
                unsafe pread(file, room.baseAddress, wanted, off_t(offset))
            }
            guard count > 0 else {
                throw ContentError(
                    .notFound, "the part file is shorter than the length that was synced")
            }
            try unsafe body(UnsafeRawBufferPointer(rebasing: room[..<count]))
            offset += Int64(count)
        }
    }
}
