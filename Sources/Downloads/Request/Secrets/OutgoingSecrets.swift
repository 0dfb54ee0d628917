// The secrets of one attempt, released request by request.
package import Base

/// The secrets that the requests of an attempt may carry: first requests, redirects, mirrors and
/// further streams all ask this object.
///
/// A class, because the value is large and passed through several types.
package final class OutgoingSecrets: Sendable {
    /// The secrets of one request.
    package struct Sent: Equatable, Sendable {
        /// The fields, `Authorization` included.
        package var headers: [HeaderField] = []
        /// The credentials with which digest challenges of the origin are answered.
        package var digest: DigestCredentials?
        /// The keys with which the request is signed when it is sent.
        package var signing: SigningKeys?
        /// The client certificate of the connection.
        package var certificate: ClientCertificate?

        /// Creates a value without secrets.
        package init() {}
    }

    /// A certificate with its key, as PEM texts.
    package struct ClientCertificate: Equatable, Sendable {
        /// The certificate with its chain.
        package let certificatePEM: String
        /// Its private key.
        package let keyPEM: String

        /// Creates a pair of both values.
        package init(certificatePEM: String, keyPEM: String) {
            (self.certificatePEM, self.keyPEM) = (certificatePEM, keyPEM)
        }
    }

    private let own: BoundSecrets
    private let session: BoundSessionSecrets

    /// Joins the secrets of a download and of its session.
    package init(_ own: BoundSecrets, _ session: BoundSessionSecrets) {
        (self.own, self.session) = (own, session)
    }

    /// The parts that a request to a URL carries; a download's own fields win over those of its
    /// session.
    ///
    /// - Parameters:
    ///   - url: where to.
    ///   - isOpenOnly: whether secrets stay here, whatever the URL is.
    /// - Returns: the fields and the certificate.
    package func sent(to url: SourceURL, isOpenOnly: Bool = false) -> Sent {
        let own = own.sent(to: url, isOpenOnly: isOpenOnly)
        let session = session.sent(to: url, isOpenOnly: isOpenOnly)
        var sent = Sent()
        sent.headers = session.headers.overridden(by: own.headers)
        switch own.authorization {
        case .digest(let credentials):
            // The session's fields may have an `Authorization` with a plain password.
            sent.headers.removeAll { $0.isNamed("Authorization") }
            sent.digest = credentials
        case .signature(let keys):
            sent.headers.removeAll { $0.isNamed("Authorization") }
            sent.signing = keys
        case let authorization?:
            let field = HeaderField("Authorization", authorization.fieldValue)
            sent.headers = sent.headers.overridden(by: [field])
        case nil: break
        }
        if let certificate = session.tls.clientCertificatePEM, let key = session.tls.clientKeyPEM {
            sent.certificate = ClientCertificate(certificatePEM: certificate, keyPEM: key)
        }
        return sent
    }

    /// Whether headers or credentials are not sent to a URL, which may be why it refuses.
    package func withholds(from url: SourceURL) -> Bool {
        own.withholds(from: url) || session.withholds(from: url)
    }

    /// The body that a request to a URL carries.
    package func body(to url: SourceURL) -> [UInt8]? { own.sent(to: url).body }

    /// A mask that removes all of them from a text that an origin sent back.
    package var mask: SecretMask { own.mask.joined(with: session.mask) }

    /// The credentials for the proxy.
    package var proxyCredentials: ProxyCredentials? { own.proxyCredentials }

    /// The authorities that are trusted for every connection; nil for those of the system.
    package var caPEM: String? { session.caPEM }
}

extension Authorization {
    /// The value of the field (RFC 7617 section 2, RFC 6750 section 2.1).
    ///
    /// For digest credentials it is that of Basic, and for keys a list of them: both are never sent
    /// but let the mask find them in other texts.
    var fieldValue: String {
        switch self {
        case .basic(let username, let password):
            "Basic " + Base64.encode(Array("\(username):\(password)".utf8))
        case .bearer(let token): "Bearer " + token
        case .digest(let credentials):
            "Basic "
                + Base64.encode(Array("\(credentials.username):\(credentials.password)".utf8))
        case .signature(let keys):
            [keys.accessKey, keys.secretKey, keys.sessionToken ?? ""].joined(separator: " ")
        }
    }
}
