// Digests of some of the file's bytes, as the answers that brought them name them.
internal import Content
internal import Core
internal import Crypto

extension PartWriter {
    /// Bytes that are read back in one go: so long another file of the same lane waits.
    private static let checkBytes: Int64 = 4 << 20

    /// Reads parts of the finished file back and compares their digests.
    ///
    /// - Parameter parts: within the file.
    /// - Returns: the first that has another one; nil where all agree.
    /// - Throws: what `PartFile.readBack` throws.
    func mismatch(in parts: [PartDigest]) async throws(ContentError) -> PartDigest? {
        for part in parts {
            let digest = RunningDigest(RunningDigest.Algorithm(part.digest.algorithm))
            var place = part.range.lowerBound
            while place < part.range.upperBound {
                let goal = min(part.range.upperBound, place + PartWriter.checkBytes)
                try unsafe read(from: place, to: goal) { unsafe digest.update($0) }
                place = goal
                await Task.yield()
            }
            if Hex.encode(digest.finished()) != part.digest.hexadecimal { return part }
        }
        return nil
    }
}

extension RunningDigest.Algorithm {
    /// The same algorithm in libcrypto's shell.
    init(_ algorithm: DigestAlgorithm) {
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
