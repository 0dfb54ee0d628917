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
