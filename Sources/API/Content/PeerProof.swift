// The proof of another replica's answer: for its head in a field, for its bytes block by block.
internal import Crypto

/// The proof of one answer of a replica to one question.
///
/// The key of an answer is derived from the deployment's key, the nonce of the question, the path
/// (which names the file and the range), the status and the length of the file. So an answer to
/// another question, or an older answer to an equal one, proves nothing.
package struct PeerProof: Sendable {
    /// The bytes of a file between two proofs; the last block of a range may be shorter.
    package static let blockBytes = 131_072
    /// The header field that proves the head.
    package static let field = "Lull-Proof"
    /// The header field with the length of the file, in bytes.
    package static let lengthField = "Lull-Length"

    private let key: [UInt8]

    /// Creates the proof of an answer.
    ///
    /// - Parameters:
    ///   - key: the deployment's, for answers of replicas.
    ///   - question: nonce and path of the request.
    ///   - status: of the answer.
    ///   - length: of the whole file, in bytes; nil if there is none.
    package init(
        key: [UInt8], _ question: PeerQuestion, status: Int, length: Int64?
    ) {
        let text =
            "\(question.nonce)\n\(status)\n\(question.path)\n\(length.map { "\($0)" } ?? "none")"
        self.key = HMAC.sha256(key: key, message: Array(text.utf8))
    }

    /// The value of the field that proves status and length, 64 hexadecimal digits.
    package var headText: String { Hex.encode(HMAC.sha256(key: key, message: Array("head".utf8))) }

    /// Whether a field proves status and length.
    func provesHead(_ text: String?) -> Bool {
        guard let given = text.flatMap({ Hex.decode($0) }) else { return false }
        return ConstantTime.areEqual(HMAC.sha256(key: key, message: Array("head".utf8)), given)
    }

    /// The bytes that are sent behind a block and prove it.
    ///
    /// - Parameters:
    ///   - block: bytes of the file, 1 to `blockBytes`.
    ///   - offset: where in the file they begin.
    /// - Returns: 32 bytes.
    package func seal(_ block: [UInt8], at offset: Int64) -> [UInt8] {
        let place = Array("block \(offset) \(block.count)\n".utf8)
        return HMAC.sha256(key: key, message: place + SHA256.digest(of: block))
    }

    /// The number of bytes that are sent for a number of bytes of a file: with a seal behind each
    /// block.
    package static func sentLength(of count: Int64) -> Int64 {
        let blocks = (count + Int64(blockBytes) - 1) / Int64(blockBytes)
        return count + blocks * Int64(SHA256.byteCount)
    }
}
