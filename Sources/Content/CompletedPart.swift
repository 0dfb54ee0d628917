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
}
