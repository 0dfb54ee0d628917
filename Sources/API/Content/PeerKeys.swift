// The keys by which replicas recognize each other's requests and answers; they are derived from the
// encryption key.
package import Base
package import Crypto
internal import HTTPWire
internal import Store

/// Signs requests to other replicas, checks their requests, and proves answers.
///
/// The signature of a request covers the method, the path with the range, a nonce and the time.
/// Somebody who records one may repeat that request for a minute, and gets the bytes that passed
/// by. The proof of an answer covers the nonce, so an older answer proves nothing.
package struct PeerKeys: Sendable {
    static let scheme = "Lull-Replica"
    /// The most that the clocks of two replicas may differ; both follow the database's.
    static let tolerance = Duration.seconds(60)

    /// A request from a replica of this deployment.
    struct Admission {
        /// The request.
        let question: PeerQuestion
        /// The key of answers, for a replica that has the key of the request's signature.
        let answerKey: [UInt8]
        /// The key of the content of passed requests, likewise.
        let contentKey: [UInt8]

        /// The proof of an answer to the request.
        func proof(status: Int, length: Int64?) -> PeerProof {
            PeerProof(key: answerKey, question, status: status, length: length)
        }
    }

    private let box: SecretBox
    private var requestKeys: [[UInt8]] { box.derivedKeys(for: "lull requests of replicas") }
    /// The keys that prove answers, the newest first.
    var answerKeys: [[UInt8]] { box.derivedKeys(for: "lull answers of replicas") }
    /// The keys that prove the content of passed requests, the newest first.
    var contentKeys: [[UInt8]] { box.derivedKeys(for: "lull content of replicas") }

    /// Creates the keys from a deployment's encryption keys: the first signs, all are accepted.
    package init(_ box: SecretBox) { self.box = box }

    /// A question with a new nonce.
    package static func question(_ path: String) -> PeerQuestion {
        PeerQuestion(path: path, nonce: Hex.encode(SecureRandom.bytes(16)))
    }

    /// The value of `Authorization`.
    ///
    /// - Parameters:
    ///   - method: the method's token.
    ///   - question: the path of the request, as it is sent, and its nonce.
    ///   - now: the database's clock.
    /// - Returns: scheme, seconds since 1970, nonce and signature.
    package func authorization(
        _ method: String, _ question: PeerQuestion, at now: Timestamp
    ) -> String {
        guard let key = requestKeys.first else { preconditionFailure("a signature needs a key") }
        let text = PeerKeys.text(method, question, now.seconds)
        let signature = Hex.encode(HMAC.sha256(key: key, message: text))
        return "\(PeerKeys.scheme) \(now.seconds):\(question.nonce):\(signature)"
    }

    /// Checks whether a request comes from a replica of this deployment and is recent.
    ///
    /// - Returns: nil if it does not.
    func admit(_ request: Request, at now: Timestamp) -> Admission? {
        guard let field = request.headers["authorization"], field.utf8.count <= 160,
            field.hasPrefix(PeerKeys.scheme + " ")
        else { return nil }
        let parts = field.dropFirst(PeerKeys.scheme.count + 1).split(
            separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let seconds = Int64(parts[0]), parts[1].utf8.count == 32,
            let signature = Hex.decode(String(parts[2])),
            (now - Timestamp(seconds: seconds)).magnitude <= PeerKeys.tolerance
        else { return nil }
        let question = PeerQuestion(path: request.path, nonce: String(parts[1]))
        let text = PeerKeys.text(request.method, question, seconds)
        let (answerKeys, contentKeys) = (answerKeys, contentKeys)
        for (place, key) in requestKeys.enumerated()
        where ConstantTime.areEqual(HMAC.sha256(key: key, message: text), signature) {
            return Admission(
                question: question, answerKey: answerKeys[place], contentKey: contentKeys[place])
        }
        return nil
    }

    /// The proof of an answer's head.
    ///
    /// - Parameters:
    ///   - head: the value of `Lull-Proof`; nil without one.
    ///   - question: what was asked.
    ///   - status: of the answer.
    ///   - length: what the answer says of the length of the file, in bytes; nil for nothing.
    /// - Returns: what the bytes are judged by; nil if the head is not proved.
    package func proof(
        _ head: String?, of question: PeerQuestion, status: Int, length: Int64?
    ) -> PeerProof? {
        answerKeys.lazy.map {
            PeerProof(key: $0, question, status: status, length: length)
        }.first { $0.provesHead(head) }
    }

    private static func text(
        _ method: String, _ question: PeerQuestion, _ seconds: Int64
    ) -> [UInt8] {
        Array("\(method)\n\(question.path)\n\(question.nonce)\n\(seconds)".utf8)
    }
}

extension Duration {
    /// The duration without its sign.
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
