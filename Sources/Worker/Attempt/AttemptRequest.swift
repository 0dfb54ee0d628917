// What an attempt asks with: the choices of the download, and its secrets opened for this once.
internal import Core
internal import Crypto
internal import Store
internal import Transfers

/// One request as it is sent.
struct AttemptRequest: Sendable {
    var method = RequestMethod.get
    var headers: [HeaderField] = []
    var body: [UInt8]?
    var tls: TransferTLS?
    var proxy: TransferProxy?

    /// Whether it may be sent twice.
    var isRepeatable: Bool { RepeatRules.isRepeatable(method, headers: headers) }

    /// Finds its secrets where the origin repeats them.
    var mask: SecretMask {
        SecretMask(headers: headers, body: body, proxy: proxy?.credentials)
    }

    /// Puts the request into a transfer.
    func apply(to transfer: inout TransferRequest) {
        transfer.method =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            }
        if !headers.isEmpty { transfer.headers = headers.map { ($0.name, $0.value) } }
        transfer.body = body
        transfer.isRepeatable = isRepeatable
        transfer.tls = tls
        transfer.proxy = proxy
    }

    /// A request without secrets.
    init(_ shape: RequestShape) throws(DownloadFailure) {
        method = shape.method
        guard let text = shape.proxyURL else { return }
        do throws(SourceURLError) {
            proxy = TransferProxy(url: try SourceURL(parsing: text), credentials: nil)
        } catch {
            throw DownloadFailure(
                .permanent, code: .unsupportedURL, detail: "the proxy: \(error)",
                isRetryable: false)
        }
    }

    /// A request without secrets, or why it cannot be sent.
    static func plain(_ shape: RequestShape) -> Result<AttemptRequest, DownloadFailure> {
        do throws(DownloadFailure) {
            return .success(try AttemptRequest(shape))
        } catch {
            return .failure(error)
        }
    }

    /// Adds what was sealed; the download's own fields win over those of its session.
    mutating func add(_ own: RequestSecrets, _ session: SessionSecrets) {
        headers = session.headers.overridden(by: own.headers)
        if let authorization = own.authorization {
            let field = HeaderField("Authorization", authorization.fieldValue)
            headers = headers.overridden(by: [field])
        }
        body = own.body
        proxy?.credentials = own.proxyCredentials
        if !session.tls.names.isEmpty {
            tls = TransferTLS(
                caPEM: session.tls.caPEM, certificatePEM: session.tls.clientCertificatePEM,
                keyPEM: session.tls.clientKeyPEM)
        }
    }
}

extension AttemptRequest {
    /// Leaves out what is meant for the origin of the download's own URL.
    mutating func leaveOutCredentials() {
        headers = []
        tls?.certificatePEM = nil
        tls?.keyPEM = nil
    }
}

extension TransferRequest {
    /// Sends the caller's place in its trace, unless the client gave that field itself.
    mutating func addTrace(_ field: String) {
        let isGiven = headers.contains { $0.name.lowercased() == "traceparent" }
        if !isGiven { headers.append((name: "traceparent", value: field)) }
    }
}

extension Authorization {
    /// The value of the field (RFC 7617 section 2, RFC 6750 section 2.1).
    fileprivate var fieldValue: String {
        switch self {
        case .basic(let username, let password):
            "Basic " + Base64.encode(Array("\(username):\(password)".utf8))
        case .bearer(let token): "Bearer " + token
        }
    }
}

/// Reads what a download is asked for with, and opens it.
struct RequestReader: Sendable {
    let downloads: Downloads
    let box: SecretBox

    /// The request of a claimed download.
    ///
    /// - Returns: the request, or why it cannot be sent.
    func read(_ claim: ClaimedDownload) async -> Result<AttemptRequest, DownloadFailure> {
        let shape = claim.download.shared.spec.request
        do throws(DownloadFailure) {
            var request = try AttemptRequest(shape)
            guard shape.hasSecrets || shape.usesSession else { return .success(request) }
            let sealed = try await sealed(claim)
            let own =
                shape.hasSecrets ? try open(sealed.own, claim) : RequestSecrets()
            let session =
                shape.usesSession ? try openSession(sealed.session, claim) : SessionSecrets()
            request.add(own, session)
            if !claim.asksOwnOrigin { request.leaveOutCredentials() }
            return .success(request)
        } catch {
            return .failure(error)
        }
    }

    private func sealed(_ claim: ClaimedDownload) async throws(DownloadFailure) -> SealedSecrets {
        do throws(StoreError) {
            return try await downloads.secrets(
                of: claim.download.id, session: claim.sessionKey,
                version: claim.download.spec.sessionVersion)
        } catch {
            throw DownloadFailure(
                .internal, code: .credentialsUnavailable,
                detail: "the database did not give what the request is sent with",
                isRetryable: true)
        }
    }

    private func open(
        _ sealed: [UInt8]?, _ claim: ClaimedDownload
    ) throws(DownloadFailure) -> RequestSecrets {
        let place = RequestSecrets.place(of: claim.download.id, app: claim.app)
        guard let plain = sealed.flatMap({ box.open($0, for: place) }),
            let secrets = RequestSecrets(plain: plain)
        else {
            let names = claim.download.spec.request.secretMembers.joined(separator: ", ")
            throw RequestReader.unreadable("PATCH \(names) and resume")
        }
        return secrets
    }

    private func openSession(
        _ sealed: [UInt8]?, _ claim: ClaimedDownload
    ) throws(DownloadFailure) -> SessionSecrets {
        let place = SessionSecrets.place(app: claim.app, session: claim.download.session)
        guard let plain = sealed.flatMap({ box.open($0, for: place) }),
            let secrets = SessionSecrets(plain: plain)
        else {
            throw RequestReader.unreadable(
                "PUT the session \(claim.download.session) again and create the download anew")
        }
        return secrets
    }

    private static func unreadable(_ remedy: String) -> DownloadFailure {
        DownloadFailure(
            .attention, code: .credentialsUnreadable,
            detail: "what the request is sent with was sealed with an encryption key that this "
                + "service does not have: give it that key and resume, or \(remedy)",
            isRetryable: true)
    }
}
