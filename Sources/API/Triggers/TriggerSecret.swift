// The secrets that sign the calls of triggers.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// The secret of a trigger, in the form in which its sender takes it.
struct TriggerSecret: Sendable {
    /// The longest time between the signature of a message and its arrival, before and behind, in
    /// seconds.
    static let tolerance: Int64 = 300

    /// A refusal of a call, with the reason for its sender.
    struct Refusal: Error {
        let reason: String
    }

    /// The form of the signatures.
    let signature: TriggerSignature
    /// The text that is shown once.
    let text: String

    /// Reads a secret.
    init(_ signature: TriggerSignature, text: String) {
        self.signature = signature
        self.text = text
    }

    /// A new secret; nil for calls without signatures.
    static func make(_ signature: TriggerSignature) -> TriggerSecret? {
        let key = SecureRandom.bytes(EndpointSecret.madeBytes)
        return switch signature {
        case .none: nil
        case .github: TriggerSecret(signature, text: Hex.encode(key))
        case .standardWebhooks: TriggerSecret(signature, text: EndpointSecret(key: key).text)
        }
    }

    /// The associated data that binds a sealed secret to its trigger.
    static func associatedData(of id: Identifier, app: Int64) -> [UInt8] {
        Array("triggers.sealed/\(app)/\(id.text(.trigger))".utf8)
    }

    /// Checks the signature of a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - now: the present time, in Unix seconds.
    /// - Returns: the name of the message and the time of its signature, as `TriggerCall` has them.
    /// - Throws: `Refusal`.
    func check(
        _ request: Request, at now: Int64
    ) throws(Refusal) -> (message: String?, signedAt: Int64) {
        switch signature {
        case .none: return (nil, 0)
        case .github:
            try checkGitHub(request)
            return (nil, 0)
        case .standardWebhooks: return try checkStandard(request, at: now)
        }
    }

    private func checkGitHub(_ request: Request) throws(Refusal) {
        guard let given = TriggerSecret.single("X-Hub-Signature-256", request),
            given.hasPrefix("sha256="), let bytes = Hex.decode(String(given.dropFirst(7)))
        else {
            throw Refusal(reason: "it needs one X-Hub-Signature-256 of the form sha256=…")
        }
        let own = HMAC.sha256(key: Array(text.utf8), message: request.body)
        guard ConstantTime.areEqual(bytes, own) else {
            throw Refusal(reason: "its X-Hub-Signature-256 was not made with this trigger's secret")
        }
    }

    private func checkStandard(
        _ request: Request, at now: Int64
    ) throws(Refusal) -> (message: String?, signedAt: Int64) {
        guard let id = TriggerSecret.single("webhook-id", request), !id.isEmpty,
            id.utf8.count <= 256,
            let time = TriggerSecret.single("webhook-timestamp", request),
            let seconds = Int64(time), String(seconds) == time,
            let given = TriggerSecret.single("webhook-signature", request),
            let key = EndpointSecret(text)?.key
        else {
            throw Refusal(
                reason: "it needs one webhook-id, webhook-timestamp and webhook-signature each")
        }
        let own = HMAC.sha256(key: key, message: Array("\(id).\(time).".utf8) + request.body)
        let signatures = given.split(separator: " ").prefix(16).compactMap { word in
            word.hasPrefix("v1,") ? Base64.decode(String(word.dropFirst(3))) : nil
        }
        guard signatures.contains(where: { ConstantTime.areEqual($0, own) }) else {
            throw Refusal(reason: "its webhook-signature was not made with this trigger's secret")
        }
        let (age, overflows) = now.subtractingReportingOverflow(seconds)
        guard !overflows, age.magnitude <= UInt64(TriggerSecret.tolerance) else {
            throw Refusal(
                reason:
                    "its webhook-timestamp is more than \(TriggerSecret.tolerance) seconds away "
                    + "from now")
        }
        return (
            SHA256.digest(of: id).prefix(16).reduce(into: "") { text, byte in
                text += Hex.encode([byte])
            }, seconds
        )
    }

    /// The value of a field that came once; nil for any other number.
    private static func single(_ name: String, _ request: Request) -> String? {
        let values = request.headers.all(name)
        return values.count == 1 ? values[0] : nil
    }
}
