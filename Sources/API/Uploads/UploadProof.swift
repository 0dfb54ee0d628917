// The proofs of requests about uploads that replicas pass on to each other.
internal import Crypto
package import HTTPWire

/// What proves the content of a passed request, its header fields, and the answer.
package enum UploadProof {
    /// The header field with the proof of an answer.
    package static let field = "Lull-Proof"
    /// The header field with the length of a request's content before it was sealed, in bytes.
    package static let lengthField = "Lull-Length"
    /// The header fields of an answer that are passed on to the client.
    package static let answerFields = [
        "Content-Type", "Upload-Offset", "Upload-Length", "Upload-Expires", "Tus-Resumable",
        "Tus-Version", "Accept-Patch", "Repr-Digest", "Retry-After",
    ]

    /// The digest of header fields and length that stands in the path, which is signed.
    ///
    /// - Parameters:
    ///   - headers: the fields in the order of `UploadPassing.fields`.
    ///   - length: of the content, in bytes.
    /// - Returns: 64 hexadecimal digits.
    static func digest(of headers: [(name: String, value: String)], length: Int64) -> String {
        let lines = headers.map { "\($0.name): \($0.value)\n" }.joined()
        return Hex.encode(SHA256.digest(of: "\(length)\n" + lines))
    }

    /// The text of an answer that is proved: its status, the passed header fields and the body.
    static func text(
        status: Int, headers: [(String, String)], body: [UInt8]
    ) -> [UInt8] {
        var lines = "upload answer\n\(status)\n"
        for name in answerFields {
            for (other, value) in headers where other.lowercased() == name.lowercased() {
                lines += "\(name): \(value)\n"
            }
        }
        return Array((lines + "\n").utf8) + body
    }
}

extension PeerKeys {
    /// The proof of the blocks of a request's content; both sides compute it.
    ///
    /// - Parameters:
    ///   - question: path and nonce of the request.
    ///   - length: of the content, in bytes.
    /// - Returns: the proof.
    package func contentProof(of question: PeerQuestion, length: Int64) -> PeerProof {
        PeerProof(key: contentKeys[0], question, status: 0, length: length)
    }

    /// Whether an answer to a passed request is that of a replica of this deployment.
    ///
    /// - Parameters:
    ///   - proof: the value of `Lull-Proof`; nil without one.
    ///   - question: path and nonce of the request.
    ///   - response: the answer, with a body in memory.
    /// - Returns: true if the proof is that of the answer.
    package func proves(
        _ proof: String?, of question: PeerQuestion, _ response: Response
    ) -> Bool {
        guard let given = proof.flatMap({ Hex.decode($0) }) else { return false }
        let text = UploadProof.text(of: response)
        return answerKeys.contains { key in
            ConstantTime.areEqual(PeerKeys.seal(text, question, key), given)
        }
    }

    fileprivate static func seal(
        _ text: [UInt8], _ question: PeerQuestion, _ key: [UInt8]
    ) -> [UInt8] {
        let name = Array("\(question.nonce)\n\(question.path)\n".utf8)
        return HMAC.sha256(key: key, message: name + text)
    }
}

extension PeerKeys.Admission {
    /// The proof of the blocks of the request's content, whose length is in bytes.
    func contentProof(length: Int64) -> PeerProof {
        PeerProof(key: contentKey, question, status: 0, length: length)
    }

    /// The answer with its proof.
    func sealed(_ response: Response) -> Response {
        var sealed = response
        let seal = PeerKeys.seal(UploadProof.text(of: response), question, answerKey)
        sealed.headers.append((UploadProof.field, Hex.encode(seal)))
        return sealed
    }
}

extension UploadProof {
    fileprivate static func text(of response: Response) -> [UInt8] {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return text(status: response.status, headers: response.headers, body: body)
    }
}
