// One request of a run: the first, or the one that follows a redirect.
internal import Base
internal import Downloads

/// The next request of a transfer, with the URL, method and body.
struct Hop {
    /// The target.
    let url: SourceURL
    /// The method after redirects.
    let method: TransferRequest.Method
    /// The body; nil for methods other than POST and PUT.
    let body: [UInt8]?
    /// The source of the body; nil without one, and for methods other than POST and PUT.
    let source: TransferSource?
    /// Whether the receiver is asked for its consent before the body is sent (RFC 9110 section
    /// 10.1.1).
    let expectsContinue: Bool
    /// Whether it goes to the caller's origin, and not without TLS after a hop with it.
    let keepsHeaders: Bool
    /// Whether a redirect has led from https to http.
    let hasLeftTLS: Bool
    /// The number of challenges to this request; above 0 its URL was requested before.
    let challenges: Int
    /// The URL of the first request.
    private let home: SourceURL
    /// See `TransferRequest.bufferBytes`.
    let bufferBytes: Int
    /// See `TransferRequest.connectTimeout`.
    let connectMilliseconds: Int

    /// The first hop.
    init(_ request: TransferRequest) {
        url = request.url
        method = request.method
        body = request.method.takesBody ? request.body : nil
        source = request.method.takesBody ? request.source : nil
        expectsContinue = Hop.asksForConsent(source)
        keepsHeaders = true
        hasLeftTLS = false
        challenges = 0
        home = request.url
        bufferBytes = min(max(request.bufferBytes, 1024), 524_288)
        let nanoseconds = max(1_000_000, Deadline.nanoseconds(request.connectTimeout))
        connectMilliseconds = Int(nanoseconds / 1_000_000)
    }

    private init(after hop: Hop, to url: SourceURL, method: TransferRequest.Method) {
        self.url = url
        self.method = method
        body = method.takesBody ? hop.body : nil
        source = method.takesBody ? hop.source : nil
        expectsContinue = Hop.asksForConsent(source)
        hasLeftTLS = hop.hasLeftTLS || hop.url.scheme == .https && url.scheme == .http
        challenges = 0
        home = hop.home
        keepsHeaders = !hasLeftTLS && SecretOrigin(of: url) == SecretOrigin(of: home)
        bufferBytes = hop.bufferBytes
        connectMilliseconds = hop.connectMilliseconds
    }

    private init(again hop: Hop, expectsContinue: Bool) {
        (url, method, body, source) = (hop.url, hop.method, hop.body, hop.source)
        self.expectsContinue = expectsContinue
        (keepsHeaders, hasLeftTLS, home) = (hop.keepsHeaders, hop.hasLeftTLS, hop.home)
        challenges = hop.challenges + 1
        (bufferBytes, connectMilliseconds) = (hop.bufferBytes, hop.connectMilliseconds)
    }

    /// The request once more, with the answer to a challenge.
    ///
    /// The first challenge is answered, even if the request answered an earlier one; a further one
    /// only if it says that just the nonce was too old.
    ///
    /// - Parameters:
    ///   - head: the answer's.
    ///   - request: what knows credentials and challenges.
    /// - Returns: nil where the answer is final.
    func answering(_ head: ResponseHead, _ request: TransferRequest) -> Hop? {
        guard head.status == 401, challenges < 2, let memory = request.memory,
            request.digest(at: self) != nil
        else { return nil }
        let fields = head.fields.filter { $0.name == "www-authenticate" }.map(\.bytes)
        guard let challenge = DigestChallenge.best(in: fields),
            challenges == 0 || challenge.isStale
        else { return nil }
        memory.meet(challenge)
        return Hop(again: self, expectsContinue: expectsContinue)
    }

    /// The request once more without `Expect`, which the receiver does not understand.
    ///
    /// - Parameter head: the answer's.
    /// - Returns: nil where the answer is final.
    func withoutExpectation(_ head: ResponseHead) -> Hop? {
        guard head.status == 417, expectsContinue else { return nil }
        return Hop(again: self, expectsContinue: false)
    }

    private static func asksForConsent(_ source: TransferSource?) -> Bool {
        source.map { $0.length > TransferLimits.unaskedBodyBytesMax } ?? false
    }

    /// The consequence of an answer for this hop (RFC 9110 section 15.4).
    enum Redirect {
        /// The answer is final.
        case none
        /// Another request follows.
        case follow(Hop)
        /// The run ends here.
        case refuse(TransferFailure)
    }

    /// Decides about an answer.
    ///
    /// Location is a redirect only with the statuses of one, so other answers may have any number
    /// of them. Two different ones, or an empty one, have no target.
    ///
    /// - Parameters:
    ///   - head: the answer's.
    ///   - allowsDowngrade: whether https may lead to http.
    /// - Returns: what comes next. A body is never sent to another origin: then the 3xx is final.
    func redirect(_ head: ResponseHead, allowsDowngrade: Bool) -> Redirect {
        let status = head.status
        guard [301, 302, 303, 307, 308].contains(status), let location = head.location else {
            return .none
        }
        guard head.fields.allSatisfy({ $0.name != "location" || $0.bytes == location }) else {
            return .refuse(
                TransferFailure(
                    .redirectToNonExistentLocation, detail: "two different Locations"))
        }
        guard !location.text.isEmpty else {
            return .refuse(
                TransferFailure(.redirectToNonExistentLocation, detail: "empty Location"))
        }
        let target: SourceURL
        do throws(SourceURLError) {
            target = try url.resolving(location)
        } catch {
            let code: FailureCode =
                error.reason == .unsupportedScheme
                ? .unsupportedURL : .redirectToNonExistentLocation
            return .refuse(TransferFailure(code, detail: error.reason.rawValue))
        }
        if url.scheme == .https, target.scheme == .http, !allowsDowngrade {
            return .refuse(TransferFailure(.requiresSecureConnection))
        }
        // Only a POST is repeated as a GET after 301 and 302.
        if method.takesBody, status >= 307 || (status != 303 && method != .post) {
            let next = Hop(after: self, to: target, method: method)
            return next.keepsHeaders ? .follow(next) : .none
        }
        let next: TransferRequest.Method = method == .head ? .head : .get
        return .follow(Hop(after: self, to: target, method: next))
    }
}

extension TransferRequest {
    /// The fields that a hop carries.
    func headers(at hop: Hop) -> [HeaderField] {
        let own = hop.keepsHeaders ? headers.map { HeaderField($0.name, $0.value) } : []
        guard let secrets = secrets(at: hop) else { return own }
        return own.overridden(by: secrets.headers)
    }

    /// The credentials with which challenges at a hop are answered.
    func digest(at hop: Hop) -> DigestCredentials? { secrets(at: hop)?.digest }

    /// The fields that a hop carries, with the fields of a signature that is made now.
    func signedHeaders(at hop: Hop) -> [HeaderField] {
        let headers = headers(at: hop)
        guard let keys = secrets(at: hop)?.signing, let memory else { return headers }
        return memory.signed(headers, by: keys, at: hop)
    }

    /// The header lines that depend on earlier answers of a hop's origin.
    ///
    /// - Parameters:
    ///   - hop: where to.
    ///   - given: the client's own cookies for there.
    /// - Returns: `Cookie`, which takes the place of the client's, and `Authorization`.
    func remembered(
        at hop: Hop, with given: String?
    ) -> (cookie: FieldValue?, authorization: FieldValue?) {
        guard let memory else { return (nil, nil) }
        let cookie = hop.hasLeftTLS ? nil : memory.cookies(with: given, to: hop.url)
        let authorization = digest(at: hop).flatMap {
            memory.authorization($0, method: hop.method.rawValue, target: hop.url.target)
        }
        return (cookie, authorization)
    }

    /// The client certificate for a hop's connection; nil for none.
    func certificate(at hop: Hop) -> OutgoingSecrets.ClientCertificate? {
        if let certificate = secrets(at: hop)?.certificate { return certificate }
        guard hop.keepsHeaders, let certificate = tls?.certificatePEM, let key = tls?.keyPEM else {
            return nil
        }
        return OutgoingSecrets.ClientCertificate(certificatePEM: certificate, keyPEM: key)
    }

    /// The secrets for the origin of a hop; none for a hop that leads from TLS to plain HTTP.
    private func secrets(at hop: Hop) -> OutgoingSecrets.Sent? {
        secrets?.sent(to: hop.url, isOpenOnly: hop.hasLeftTLS)
    }
}

extension TransferRequest.Method {
    /// Whether the method has a body.
    var takesBody: Bool { self == .post || self == .put || self == .patch }
}
