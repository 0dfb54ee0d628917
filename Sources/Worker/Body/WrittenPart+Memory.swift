// A small body that stays in memory until it is published, and is digested there.
internal import Content
internal import Crypto
internal import Downloads
internal import Platform

extension WrittenPart {
    /// A body in memory.
    ///
    /// - Parameters:
    ///   - body: its bytes; nil for none.
    ///   - name: of the file that will be made of it.
    ///   - digests: what is wanted beside SHA-256.
    init(holding body: MemoryBlock?, name: ContentName, digests: Set<DigestAlgorithm>) {
        var digest = SHA256()
        if let body { unsafe digest.update(body.bytes()) }
        var others: [DigestAlgorithm: String] = [:]
        for algorithm in digests {
            let other = RunningDigest(RunningDigest.Algorithm(algorithm))
            if let body { unsafe other.update(body.bytes()) }
            others[algorithm] = Hex.encode(other.finished())
        }
        self.init(
            file: CompletedPart(name: name, bytes: body), sha256: digest.finalizeText(),
            others: others)
    }
}

extension CompletedPart {
    /// Compares digests of parts of a body in memory.
    ///
    /// - Parameter parts: within the body.
    /// - Returns: the first that has another one; nil where all agree.
    func mismatch(in parts: [PartDigest]) -> PartDigest? {
        let bytes = held
        return parts.first { part in
            let digest = RunningDigest(RunningDigest.Algorithm(part.digest.algorithm))
            let range = Int(part.range.lowerBound)..<Int(part.range.upperBound)
            unsafe bytes[range].withUnsafeBytes { unsafe digest.update($0) }
            return Hex.encode(digest.finished()) != part.digest.hexadecimal
        }
    }
}
