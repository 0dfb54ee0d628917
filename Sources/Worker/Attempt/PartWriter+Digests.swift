// Compares digests of parts of the file with those that answers announced.
internal import Content
internal import Crypto
internal import Downloads

extension PartWriter {
    /// The most bytes that are read back in one step, for which another file of the lane waits.
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
    /// The algorithm as libcrypto's wrapper has it.
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
