// Cookies and challenges of origins that later requests of an attempt answer.
internal import Base
package import Downloads
internal import Platform
internal import Synchronization

/// The cookies and the challenge of one attempt, shared by all its transfers; not stored.
package final class AttemptMemory: Sendable {
    private struct State {
        var jar = CookieJar()
        var session: DigestSession?
    }

    /// The challenge that is answered; only one, because credentials belong to one origin.
    private struct DigestSession {
        let challenge: DigestChallenge
        let clientNonce: String
        var count: UInt32 = 0
    }

    private let hash: DigestChallenge.Hash
    private let signer: UnsignedRequest.Signer
    private let state = Mutex(State())

    /// Creates a memory without cookies or a challenge.
    ///
    /// - Parameters:
    ///   - hash: makes the digests of answers to challenges.
    ///   - signer: makes the fields of requests that are signed.
    package init(
        hash: @escaping DigestChallenge.Hash, signer: @escaping UnsignedRequest.Signer
    ) {
        self.hash = hash
        self.signer = signer
    }

    private static var now: Timestamp { Timestamp(microseconds: SystemClock.wallMicroseconds()) }

    // MARK: - Cookies

    /// Takes the cookies of an answer.
    func take(_ head: ResponseHead) {
        for field in head.fields where field.name == "set-cookie" {
            state.withLock { $0.jar.take(field.bytes, from: head.url, at: Self.now) }
        }
    }

    /// The value of `Cookie` for a request; nil if the client's own value is used.
    func cookies(with given: String?, to url: SourceURL) -> FieldValue? {
        state.withLock { state in
            state.jar.isEmpty ? nil : state.jar.field(with: given, to: url, at: Self.now)
        }
    }

    // MARK: - Signatures

    /// The fields of a request with the fields of its signature, which is made now.
    func signed(_ headers: [HeaderField], by keys: SigningKeys, at hop: Hop) -> [HeaderField] {
        let request = UnsignedRequest(
            method: hop.method.rawValue, url: hop.url, headers: headers, body: hop.body ?? [])
        return headers.overridden(by: signer(request, keys))
    }

    // MARK: - Digests

    /// Notes a challenge, which requests from now on answer.
    func meet(_ challenge: DigestChallenge) {
        var random = SystemRandomNumberGenerator()
        let nonce = String(random.next(), radix: 16) + String(random.next(), radix: 16)
        state.withLock { $0.session = DigestSession(challenge: challenge, clientNonce: nonce) }
    }

    /// The value of `Authorization`; nil without a challenge.
    func authorization(
        _ credentials: DigestCredentials, method: String, target: String
    ) -> FieldValue? {
        let session = state.withLock { state in
            state.session?.count += 1
            return state.session
        }
        return session.map {
            let use = DigestChallenge.Use(
                method: method, target: target, count: $0.count, clientNonce: $0.clientNonce)
            return $0.challenge.answer(credentials, use, hash)
        }
    }
}
