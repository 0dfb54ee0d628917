// How replicas recognize each other's requests: by a key that follows from the encryption key.
package import Core
package import Crypto
internal import HTTPWire
internal import Store

/// Signs requests to other replicas, and judges those of others.
///
/// A signature covers the method, the path, the range and the time. Whoever records one may repeat
/// that request for a minute, and gets the bytes that passed beside it.
package struct PeerKeys: Sendable {
    static let scheme = "Lull-Replica"
    /// How far the clocks of two replicas may be apart; both follow the database's.
    static let tolerance = Duration.seconds(60)

    private let box: SecretBox
    private var keys: [[UInt8]] { box.derivedKeys(for: "lull requests of replicas") }

    /// The keys that follow from a deployment's: the first signs, all are accepted.
    package init(_ box: SecretBox) { self.box = box }

    /// The value of `Authorization`.
    ///
    /// - Parameters:
    ///   - method: the method's token.
    ///   - path: the path of the request, as it is sent.
    ///   - range: the value of `Range`; empty without one.
    ///   - now: the database's clock.
    /// - Returns: scheme, seconds since 1970 and signature.
    package func authorization(
        _ method: String, _ path: String, range: String, at now: Timestamp
    ) -> String {
        guard let key = keys.first else { preconditionFailure("a signature needs a key") }
        let text = PeerKeys.text(method, path, range, now.seconds)
        let signature = Hex.encode(HMAC.sha256(key: key, message: text))
        return "\(PeerKeys.scheme) \(now.seconds):\(signature)"
    }

    /// Whether a request comes from a replica of this deployment, just now.
    func admit(_ request: Request, at now: Timestamp) -> Bool {
        guard let field = request.headers["authorization"], field.utf8.count <= 128,
            field.hasPrefix(PeerKeys.scheme + " ")
        else { return false }
        let parts = field.dropFirst(PeerKeys.scheme.count + 1).split(
            separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int64(parts[0]),
            let signature = Hex.decode(String(parts[1])),
            (now - Timestamp(seconds: seconds)).magnitude <= PeerKeys.tolerance
        else { return false }
        let text = PeerKeys.text(
            request.method, request.path, request.headers["range"] ?? "", seconds)
        return keys.contains {
            ConstantTime.areEqual(HMAC.sha256(key: $0, message: text), signature)
        }
    }

    private static func text(
        _ method: String, _ path: String, _ range: String, _ seconds: Int64
    ) -> [UInt8] {
        Array("\(method)\n\(path)\n\(range)\n\(seconds)".utf8)
    }
}

extension Duration {
    /// The duration without its sign.
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
