// The secrets of a session, bound to the origins that they were given for.
package import Base

/// The secrets of one version of a session: to take one out, the caller has to name the URL that it
/// is sent to.
package struct BoundSessionSecrets: Equatable, Sendable {
    private let secrets: SessionSecrets
    private let reach: SecretReach

    /// Binds secrets to the origins that `http_additional_headers_origins` names.
    package init(_ secrets: SessionSecrets, for reach: SecretReach) {
        (self.secrets, self.reach) = (secrets, reach)
    }

    /// The part that is sent to a URL: headers and the client's certificate, or the open fields
    /// only.
    ///
    /// - Parameters:
    ///   - url: where to.
    ///   - isOpenOnly: whether secrets stay here, whatever the URL is.
    /// - Returns: what is sent.
    package func sent(to url: SourceURL, isOpenOnly: Bool = false) -> SessionSecrets {
        guard !isOpenOnly, reach.includes(SecretOrigin(of: url)) else {
            var open = SessionSecrets()
            open.headers = secrets.headers.filter(\.isOpen)
            return open
        }
        return secrets
    }

    /// Whether headers or the certificate are not sent to a URL.
    func withholds(from url: SourceURL) -> Bool {
        let sent = sent(to: url)
        return sent.headers != secrets.headers
            || sent.tls.clientCertificatePEM != secrets.tls.clientCertificatePEM
    }

    /// All secrets, to be kept for other origins; nil if one of these is new.
    package func kept(for other: SecretReach) -> SessionSecrets? {
        other.isWithin(reach) ? secrets : nil
    }

    /// The secrets for the receiver of `webhook_url`, which have an origin of their own.
    package var webhook: BoundSecrets? { secrets.webhook }
    /// The secrets for the receiver of `begin_hook`.
    package var hook: BoundSecrets? { secrets.hook }
    /// The secrets for the receiver of finished files, and for its hook.
    package var relay: BoundSecrets? { secrets.relay }

    /// A mask that removes them from a text that an origin sent back; a private key is never sent.
    var mask: SecretMask { SecretMask(headers: secrets.headers) }

    /// The authorities that are trusted for every connection; they are no secret.
    package var caPEM: String? { secrets.tls.caPEM }

    /// The bytes that are sealed.
    package var plain: [UInt8] {
        var object = JSONObject()
        object["origins"] = .array(reach.entries.map { .string($0) })
        if !secrets.headers.isEmpty { object["headers"] = HeaderField.json(secrets.headers) }
        let material = secrets.tls.json
        if !material.isEmpty { object["tls"] = .object(material) }
        for (name, receiver) in [
            ("webhook", secrets.webhook), ("hook", secrets.hook), ("relay", secrets.relay),
        ] {
            object[name] = receiver.map { .string(String(decoding: $0.plain, as: UTF8.self)) }
        }
        return object.serialized()
    }

    /// Reads `plain`; nil for anything else.
    ///
    /// Secrets that were stored without origins are sent nowhere.
    package init?(plain bytes: [UInt8]) {
        guard let object = JSONObject(text: bytes), let fields = HeaderField.list(object["headers"])
        else { return nil }
        var secrets = SessionSecrets()
        secrets.headers = fields
        if let material = object["tls"]?.objectValue {
            secrets.tls = TLSMaterial(sealed: material)
        }
        secrets.webhook = BoundSecrets(text: object["webhook"])
        secrets.hook = BoundSecrets(text: object["hook"])
        secrets.relay = BoundSecrets(text: object["relay"])
        let entries = object["origins"]?.arrayValue?.compactMap(\.stringValue)
        self.init(secrets, for: SecretReach(entries))
    }
}
