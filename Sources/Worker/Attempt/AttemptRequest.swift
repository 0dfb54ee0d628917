// The request of an attempt: the choices of the download, and its decrypted secrets.
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Store
internal import Transfers

/// One request; each hop gets the secrets for its origin.
struct AttemptRequest: Sendable {
    var method = RequestMethod.get
    var secrets: OutgoingSecrets?
    var body: [UInt8]?
    var proxy: TransferProxy?
    /// Whether it may be sent twice.
    var isRepeatable: Bool
    /// The origins' cookies and challenges during the attempt.
    let memory = AttemptMemory(hash: AttemptRequest.hash, signer: AttemptRequest.signer)

    /// A mask that removes its secrets from the origin's answers.
    var mask: SecretMask { secrets?.mask ?? SecretMask(headers: []) }

    /// Sets the request's members in a transfer.
    func apply(to transfer: inout TransferRequest) {
        transfer.method =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            }
        transfer.secrets = secrets
        transfer.memory = memory
        transfer.body = body
        transfer.isRepeatable = isRepeatable
        transfer.tls = secrets?.caPEM.map {
            TransferTLS(caPEM: $0, certificatePEM: nil, keyPEM: nil)
        }
        transfer.proxy = proxy
    }

    /// A request without secrets.
    init(_ shape: RequestShape) throws(DownloadFailure) {
        method = shape.method
        isRepeatable = RepeatRules.isRepeatable(shape.method, headers: [])
        guard let text = shape.proxyURL else { return }
        do throws(SourceURLError) {
            proxy = TransferProxy(url: try SourceURL(parsing: text), credentials: nil)
        } catch {
            throw DownloadFailure(
                .permanent, code: .unsupportedURL, detail: "the proxy: \(error)",
                isRetryable: false)
        }
    }

    /// The digest function for answers to challenges.
    private static let hash: DigestChallenge.Hash = { algorithm, bytes in
        let digest = RunningDigest(RunningDigest.Algorithm(algorithm))
        unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
        return Hex.encode(digest.finished())
    }

    /// The stand-in for the requests to a store, which `ObjectStore` makes.
    static let toStore = AttemptRequest(sending: Relay(url: ""), nil, to: nil)

    /// Signs requests to the origins whose keys the client gave.
    private static let signer: UnsignedRequest.Signer = { request, keys in
        let signature = SignatureV4(
            SigningCredentials(
                accessKey: keys.accessKey, secretKey: keys.secretKey,
                sessionToken: keys.sessionToken),
            region: keys.region, service: keys.service,
            at: Timestamp(microseconds: SystemClock.wallMicroseconds()))
        let fields = signature.fields(
            method: request.method, url: request.url,
            headers: request.headers.map { (name: $0.name, value: $0.value) },
            payloadHash: Hex.encode(SHA256.digest(of: request.body)))
        return fields.map { HeaderField($0.name, $0.value) }
    }

    /// A request without secrets, or the reason why it cannot be sent.
    static func plain(_ shape: RequestShape) -> Result<AttemptRequest, DownloadFailure> {
        do throws(DownloadFailure) {
            return .success(try AttemptRequest(shape))
        } catch {
            return .failure(error)
        }
    }

    /// The request that sends a file to its receiver.
    init(sending relay: Relay, _ secrets: BoundSecrets?, to url: SourceURL?) {
        method = relay.method
        let outgoing = secrets.map { relay.outgoing($0) }
        self.secrets = outgoing
        // An upload is created anew without harm, and goes on at the offset that it has.
        isRepeatable =
            relay.speaks == .tus
            || RepeatRules.isRepeatable(
                method, headers: url.flatMap { outgoing?.sent(to: $0).headers } ?? [])
    }

    /// Adds the secrets, for a request that begins at a URL.
    ///
    /// - Throws: where the request has a body and that is meant for another origin.
    mutating func add(
        _ secrets: OutgoingSecrets, to url: SourceURL, _ shape: RequestShape
    ) throws(DownloadFailure) {
        self.secrets = secrets
        body = secrets.body(to: url)
        proxy?.credentials = secrets.proxyCredentials
        isRepeatable = RepeatRules.isRepeatable(method, headers: secrets.sent(to: url).headers)
        guard shape.bodyBytes == nil || body != nil else {
            throw DownloadFailure(
                .attention, code: .credentialsUnreadable,
                detail: "the body was given for another origin than that of url: PATCH body, then "
                    + "resume", isRetryable: true)
        }
    }
}

extension TransferRequest {
    /// Adds the trace context of the create; a field that the client gave takes precedence.
    mutating func addTrace(_ field: String) {
        headers.append((name: "traceparent", value: field))
    }

    /// Adds the validators of the content that is known.
    mutating func addCondition(of question: AttemptQuestion) {
        if let tags = question.ifNoneMatch { headers.append((name: "If-None-Match", value: tags)) }
        if let date = question.ifModifiedSince {
            headers.append((name: "If-Modified-Since", value: date))
        }
    }
}

/// Reads the secrets of a download's request and decrypts them.
struct RequestReader: Sendable {
    let downloads: Downloads
    let box: SecretBox

    /// The request of a claimed download.
    ///
    /// - Returns: the request, or why it cannot be sent.
    func read(_ claim: ClaimedDownload) async -> Result<AttemptRequest, DownloadFailure> {
        let shape = claim.download.shared.value.request
        do throws(DownloadFailure) {
            if claim.isSending, let relay = claim.download.shared.value.relay {
                return .success(try await sending(relay, claim))
            }
            var request = try AttemptRequest(shape)
            guard shape.hasSecrets || shape.usesSession else { return .success(request) }
            let sealed = try await sealed(claim)
            let own =
                shape.hasSecrets
                ? try open(sealed.own, claim)
                : BoundSecrets(RequestSecrets(), for: claim.download.url)
            let session =
                shape.usesSession
                ? try openSession(sealed.session, claim)
                : BoundSessionSecrets(SessionSecrets(), for: .origins([]))
            // A text that is no URL is reported by the attempt itself.
            if case .success(let url) = claim.source {
                try request.add(OutgoingSecrets(own, session), to: url, shape)
            }
            return .success(request)
        } catch {
            return .failure(error)
        }
    }

    /// The request to the receiver of a file, with its secrets.
    private func sending(
        _ relay: Relay, _ claim: ClaimedDownload
    ) async throws(DownloadFailure) -> AttemptRequest {
        var secrets: BoundSecrets?
        let shape = claim.download.shared.value.request
        if shape.hasRelaySecrets {
            secrets = try open(try await sealed(claim).own, claim).relay
        } else if shape.usesSession {
            secrets = try openSession(try await sealed(claim).session, claim).relay
        }
        var url: SourceURL?
        if case .success(let source) = claim.source { url = source }
        return AttemptRequest(sending: relay, secrets, to: url)
    }

    private func sealed(_ claim: ClaimedDownload) async throws(DownloadFailure) -> SealedSecrets {
        do throws(StoreError) {
            return try await downloads.secrets(
                of: claim.download.id, session: claim.sessionKey,
                version: claim.download.spec.sessionVersion)
        } catch {
            throw DownloadFailure(
                .internal, code: .credentialsUnavailable,
                detail: "the database did not return the headers, body or credentials of the "
                    + "request",
                isRetryable: true)
        }
    }

    private func open(
        _ sealed: [UInt8]?, _ claim: ClaimedDownload
    ) throws(DownloadFailure) -> BoundSecrets {
        let associatedData = RequestSecrets.associatedData(of: claim.download.id, app: claim.app)
        guard let plain = sealed.flatMap({ box.open($0, for: associatedData) }),
            let secrets = BoundSecrets(plain: plain, of: claim.download.url)
        else {
            let names = claim.download.spec.request.secretMembers.joined(separator: ", ")
            throw RequestReader.unreadable("PATCH \(names), then resume")
        }
        return secrets
    }

    private func openSession(
        _ sealed: [UInt8]?, _ claim: ClaimedDownload
    ) throws(DownloadFailure) -> BoundSessionSecrets {
        let associatedData = SessionSecrets.associatedData(
            app: claim.app, session: claim.download.session)
        guard let plain = sealed.flatMap({ box.open($0, for: associatedData) }),
            let secrets = BoundSessionSecrets(plain: plain)
        else {
            throw RequestReader.unreadable(
                "PUT the session \(claim.download.session) again, then create the download again")
        }
        return secrets
    }

    private static func unreadable(_ remedy: String) -> DownloadFailure {
        DownloadFailure(
            .attention, code: .credentialsUnreadable,
            detail: "the headers, body or credentials of the request were sealed with an "
                + "encryption key that this service does not have: let the operator add that key "
                + "to LULL_ENCRYPTION_KEY_FILE, then resume; or \(remedy)",
            isRetryable: true)
    }
}
