package import Crypto
package import Downloads
internal import Glibc
internal import Platform
internal import Synchronization

/// The file of an upload whose bytes its client brings; its length is the offset of the next byte.
///
/// It is the part file of fence 0, which the attempt that sends it adopts. All calls block: use
/// them on a file lane. One user writes at a time.
package final class StagingFile: Sendable {
    private struct State: ~Copyable {
        /// The number of bytes in the file.
        var length: Int64
        /// SHA-256 over the first `hashed` bytes.
        var hash = SHA256()
        var hashed: Int64 = 0
        /// The finished SHA-256 of all bytes; nil while more may come.
        var sha256: String?
    }

    private let part: PartFile
    private let state: Mutex<State>

    init(_ part: PartFile) throws(ContentError) {
        let length = try part.length()
        self.part = part
        state = Mutex(State(length: length))
    }

    /// The number of bytes.
    package var length: Int64 { state.withLock { $0.length } }

    /// Adds bytes behind the last one.
    ///
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`. The bytes that were written before
    ///   the failure are counted.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(ContentError) {
        try state.withLock { state throws(ContentError) in
            state.sha256 = nil
            do throws(ContentError) {
                try unsafe part.write(bytes, at: state.length)
            } catch {
                state.length = try part.length()
                throw error
            }
            if state.hashed == state.length {
                unsafe state.hash.update(bytes)
                state.hashed += Int64(bytes.count)
            }
            state.length += Int64(bytes.count)
        }
    }

    /// Adds bytes behind the last one.
    ///
    /// - Throws: as `append(_:)` of memory.
    package func append(_ bytes: [UInt8]) throws(ContentError) {
        var failure: ContentError?
        unsafe bytes.withUnsafeBytes { memory in
            do throws(ContentError) {
                try unsafe append(memory)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Adds the bytes of a chunk behind the last one.
    ///
    /// - Throws: as `append(_:)` of memory, and `notFound` if the chunk is shorter than it was.
    package func append(_ chunk: ChunkFile) throws(ContentError) {
        try unsafe chunk.read { piece throws(ContentError) in try unsafe append(piece) }
    }

    /// Removes all bytes, and the space that was reserved for them.
    ///
    /// - Throws: `ContentError`: `ioError`, `locked`.
    package func truncate() throws(ContentError) {
        try state.withLock { state throws(ContentError) in
            try part.truncate()
            state.length = 0
            state.hash = SHA256()
            state.hashed = 0
            state.sha256 = nil
        }
    }

    /// Makes all bytes durable.
    ///
    /// - Throws: `ContentError`: the contents on disk are unknown.
    package func sync() throws(ContentError) { try part.checkpoint() }

    /// The SHA-256 of all bytes; those that were not added by this object are read.
    ///
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ContentError`: `ioError`, or `notFound` if the file is shorter than it was.
    package func sha256() throws(ContentError) -> String {
        try state.withLock { state throws(ContentError) in
            if let known = state.sha256 { return known }
            let (start, end) = (state.hashed, state.length)
            // Taken out, because a closure cannot change what is locked.
            var hash = SHA256()
            swap(&hash, &state.hash)
            state.hashed = 0
            try unsafe part.readBack(from: start, length: end) { unsafe hash.update($0) }
            let text = hash.finalizeText()
            state.sha256 = text
            return text
        }
    }

    /// A digest of all bytes, which are read for it unless it is SHA-256.
    ///
    /// - Returns: lower-case hexadecimal digits.
    /// - Throws: as `sha256()`.
    package func digest(_ algorithm: DigestAlgorithm) throws(ContentError) -> String {
        guard algorithm != .sha256 else { return try sha256() }
        let digest = RunningDigest(RunningDigest.Algorithm(algorithm))
        try unsafe part.readBack(length: length) { unsafe digest.update($0) }
        return Hex.encode(digest.finished())
    }

    /// Removes the file, unless an attempt has adopted it.
    ///
    /// - Throws: `ContentError`: `ioError`; the file is left for the sweep.
    package func discard() throws(ContentError) { try part.discard() }

    /// Whether the file still has its name, so that more can be written.
    package var isOurs: Bool { part.isOurs }

    /// Reserves the space of the whole on the volume.
    func reserve(
        _ bytes: Int64, in store: ContentStore, leaving reserve: (Volume) -> Int64
    ) throws(ContentError) {
        guard bytes > length else { return }
        try store.preallocate(bytes: bytes, for: part, written: length, leaving: reserve)
    }
}

extension RunningDigest.Algorithm {
    /// The algorithm as libcrypto's wrapper has it.
    package init(_ algorithm: DigestAlgorithm) {
        self =
            switch algorithm {
            case .sha256: .sha256
            case .sha512: .sha512
            case .sha1: .sha1
            case .md5: .md5
            case .crc32: .crc32
            case .crc32c: .crc32c
            case .crc64nvme: .crc64nvme
            }
    }
}
