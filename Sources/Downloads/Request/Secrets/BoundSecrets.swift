// The secrets of a download, bound to the origin that they were given for.
package import Base

/// The secrets of one download: to take one out, the caller has to name the URL that it is sent to.
package struct BoundSecrets: Equatable, Sendable {
    private let secrets: RequestSecrets
    /// The origin that they were given for; nil for one that cannot be read, and then they are sent
    /// nowhere.
    private let origin: SecretOrigin?

    /// Binds secrets to the origin of the URL that they were given with.
    package init(_ secrets: RequestSecrets, for url: String) {
        self.init(secrets, SecretOrigin(of: url))
    }

    private init(_ secrets: RequestSecrets, _ origin: SecretOrigin?) {
        (self.secrets, self.origin) = (secrets, origin)
    }

    /// The part that is sent to a URL: headers, credentials and body, or the open fields only.
    ///
    /// - Parameters:
    ///   - url: where to.
    ///   - isOpenOnly: whether secrets stay here, whatever the URL is.
    /// - Returns: what is sent.
    package func sent(to url: SourceURL, isOpenOnly: Bool = false) -> RequestSecrets {
        guard !isOpenOnly, origin == SecretOrigin(of: url) else {
            var open = RequestSecrets()
            open.headers = secrets.headers.filter(\.isOpen)
            return open
        }
        var sent = secrets
        sent.proxyCredentials = nil
        (sent.hook, sent.relay) = (nil, nil)
        return sent
    }

    /// These secrets without some fields.
    ///
    /// - Parameter isDropped: whether a field, named in lower case, is left out.
    /// - Returns: the rest, bound to the same origin.
    func without(_ isDropped: (String) -> Bool) -> BoundSecrets {
        var rest = secrets
        rest.headers.removeAll { isDropped($0.name.lowercased()) }
        return BoundSecrets(rest, origin)
    }

    /// Whether headers or credentials are not sent to a URL.
    func withholds(from url: SourceURL) -> Bool {
        let sent = sent(to: url)
        return sent.headers != secrets.headers || sent.authorization != secrets.authorization
    }

    /// All secrets, to be kept with a download that has this URL; nil if the URL has another
    /// origin.
    package func kept(for url: String) -> RequestSecrets? {
        guard let origin, origin == SecretOrigin(of: url) else { return nil }
        return secrets
    }

    /// The visible part of them.
    package var shape: RequestShape { RequestShape(method: .get, secrets, proxyURL: nil) }

    /// A mask that removes them from a text that an origin sent back.
    var mask: SecretMask {
        let credentials = secrets.authorization.map { HeaderField("Authorization", $0.fieldValue) }
        return SecretMask(
            headers: secrets.headers + (credentials.map { [$0] } ?? []), body: secrets.body,
            proxy: secrets.proxyCredentials)
    }

    /// The credentials of the proxy, which are sent to the proxy only.
    package var proxyCredentials: ProxyCredentials? { secrets.proxyCredentials }

    /// Fields and credentials for the receiver of `begin_hook`; nil for none.
    package var hook: BoundSecrets? { secrets.hook }

    /// Fields and credentials for the receiver of the finished file; nil for none.
    package var relay: BoundSecrets? { secrets.relay }

    /// The bytes that are sealed: one line of JSON, then the body.
    package var plain: [UInt8] {
        var object = JSONObject()
        object["origin"] = origin.map { .string($0.description) } ?? .null
        if !secrets.headers.isEmpty { object["headers"] = HeaderField.json(secrets.headers) }
        object["authorization"] = secrets.authorization?.json
        object["proxy"] = secrets.proxyCredentials.map {
            ["username": .string($0.username), "password": .string($0.password)]
        }
        object["hook"] = secrets.hook.map { .string(String(decoding: $0.plain, as: UTF8.self)) }
        object["relay"] = secrets.relay.map { .string(String(decoding: $0.plain, as: UTF8.self)) }
        if secrets.body != nil { object["has_body"] = true }
        return object.serialized() + [0x0a] + (secrets.body ?? [])
    }

    /// Reads `plain`; nil for anything else.
    ///
    /// - Parameters:
    ///   - bytes: what was opened.
    ///   - url: the download's own, whose origin counts for secrets that were stored without one.
    package init?(plain bytes: [UInt8], of url: String) {
        guard let end = bytes.firstIndex(of: 0x0a),
            let object = JSONObject(text: bytes[..<end]),
            let fields = HeaderField.list(object["headers"])
        else { return nil }
        var secrets = RequestSecrets()
        secrets.headers = fields
        var reader = FieldReader(object)
        secrets.authorization = Authorization(reading: &reader)
        if let proxy = object["proxy"] {
            secrets.proxyCredentials = ProxyCredentials(
                username: proxy["username"]?.stringValue ?? "",
                password: proxy["password"]?.stringValue ?? "")
        }
        if object["has_body"] == true { secrets.body = Array(bytes[(end + 1)...]) }
        secrets.hook = BoundSecrets(text: object["hook"])
        secrets.relay = BoundSecrets(text: object["relay"])
        let stored = object["origin"].map { $0.stringValue.flatMap { SecretOrigin(of: $0) } }
        self.init(secrets, stored ?? SecretOrigin(of: url))
    }

    /// The secrets of a receiver, as `plain` has them within those of its download or session; nil
    /// for none.
    init?(text: JSON?) {
        guard let text = text?.stringValue else { return nil }
        self.init(plain: Array(text.utf8), of: "")
    }
}
