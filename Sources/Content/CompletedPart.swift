internal import CPlatform
package import Platform

/// A file whose bytes have all arrived and passed the checks.
package struct CompletedPart: Sendable {
    /// The place of the bytes.
    enum Source: Sendable {
        case file(PartFile)
        /// In memory, nil for no bytes: the file is made when it is published.
        case memory(MemoryBlock?)
    }

    /// The download and the attempt of the file.
    package let name: ContentName
    /// The required length of the file in bytes.
    package let length: Int64
    let source: Source

    /// Creates a completed part from a finished file and its length.
    package init(part: PartFile, length: Int64) {
        name = part.name
        self.length = length
        source = .file(part)
    }

    /// Creates a completed part from bytes that are in no file yet; nil for none.
    package init(name: ContentName, bytes: MemoryBlock?) {
        self.name = name
        length = Int64(bytes?.count ?? 0)
        source = .memory(bytes)
    }

    /// The file; nil while the bytes are in memory.
    package var part: PartFile? {
        if case .file(let part) = source { part } else { nil }
    }

    /// The bytes that are in memory; empty if there is a file.
    package var held: [UInt8] {
        if case .memory(let block?) = source { block.array } else { [] }
    }

    /// Reads bytes for a place that moves them; blocks.
    ///
    /// - Parameters:
    ///   - start: the first byte.
    ///   - end: the byte after the last one, within the length.
    /// - Returns: the bytes.
    /// - Throws: `ContentError`: `ioError`, or `notFound` when the file is shorter.
    package func bytes(from start: Int64, to end: Int64) throws(ContentError) -> [UInt8] {
        guard let part else { return Array(held[Int(start)..<Int(end)]) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(end - start))
        try unsafe part.readBack(from: start, length: end) { piece in
            unsafe bytes.append(contentsOf: piece)
        }
        return bytes
    }

    /// Removes the file after a place has its own copy; a second name of it keeps the bytes.
    ///
    /// - Throws: `ContentError`: `ioError`; the file is left for the sweep.
    package func release() throws(ContentError) { try part?.unlink() }
}
