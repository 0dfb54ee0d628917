// The token of a link, by which content is read without a key.
internal import Base
internal import Crypto
internal import Downloads

/// A link to content: a download with the digest of its content, until an instant.
struct ContentLink: Equatable, Sendable {
    /// The way in which a browser takes the content.
    enum Disposition: String, CaseIterable, Sendable {
        /// It saves a file.
        case attachment
        /// It shows or plays the content, if its media type is harmless.
        case inline
    }

    /// The shortest life of a link, in seconds.
    static let lifeAtLeast: Int64 = 60
    /// The longest life of a link, in seconds: a week.
    static let lifeAtMost: Int64 = 604_800
    /// The life of a link without `ttl_seconds`, in seconds.
    static let standardLife: Int64 = 3600

    /// The download.
    let id: Identifier
    /// The app that it belongs to.
    let app: Int64
    /// SHA-256 of the content, 32 bytes.
    let digest: [UInt8]
    /// The end of the link, whole seconds.
    let expiresAt: Timestamp
    /// How a browser takes the content.
    let disposition: Disposition

    private static let version: UInt8 = 1
    /// Version, disposition, identifier, app, end and digest.
    private static let factBytes = 2 + 16 + 8 + 8 + SHA256.byteCount
    private static let tokenBytes = factBytes + SHA256.byteCount

    /// The keys of links, the newest first; every replica derives them from the encryption keys.
    private static func keys(_ box: SecretBox) -> [[UInt8]] {
        box.derivedKeys(for: "lull content links")
    }

    /// The token: the facts and their signature by the first key of a box, as base64url without
    /// padding (RFC 4648 section 5).
    func token(_ box: SecretBox) -> String {
        precondition(digest.count == SHA256.byteCount, "a digest has 32 bytes")
        guard let key = ContentLink.keys(box).first else {
            preconditionFailure("a signature needs a key")
        }
        var facts = [ContentLink.version, disposition == .inline ? 1 : 0]
        for number in [
            id.high, id.low, UInt64(bitPattern: app), UInt64(bitPattern: expiresAt.seconds),
        ] {
            facts += ContentLink.bytes(number)
        }
        facts += digest
        return ContentLink.text(facts + HMAC.sha256(key: key, message: facts))
    }

    /// Reads a token that one of the keys of a box signed; its end may be over.
    ///
    /// - Returns: nil for every other text.
    init?(token: String, _ box: SecretBox) {
        guard let bytes = ContentLink.bytes(of: token) else { return nil }
        let (facts, signature) = (
            Array(bytes[..<ContentLink.factBytes]), Array(bytes[ContentLink.factBytes...])
        )
        let isSigned = ContentLink.keys(box).contains {
            ConstantTime.areEqual(HMAC.sha256(key: $0, message: facts), signature)
        }
        guard isSigned, facts[0] == ContentLink.version, facts[1] <= 1 else { return nil }
        id = Identifier(
            high: ContentLink.number(facts, at: 2), low: ContentLink.number(facts, at: 10))
        app = Int64(bitPattern: ContentLink.number(facts, at: 18))
        expiresAt = Timestamp(seconds: Int64(bitPattern: ContentLink.number(facts, at: 26)))
        digest = Array(facts[34...])
        disposition = facts[1] == 1 ? .inline : .attachment
    }

    /// Sets all members.
    init(
        id: Identifier, app: Int64, digest: [UInt8], expiresAt: Timestamp, disposition: Disposition
    ) {
        self.id = id
        self.app = app
        self.digest = digest
        self.expiresAt = expiresAt
        self.disposition = disposition
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> UInt64 {
        bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The bytes of a token; nil if they are too few or many, or could be written otherwise.
    private static func bytes(of token: String) -> [UInt8]? {
        guard token.utf8.count == (tokenBytes * 4 + 2) / 3 else { return nil }
        let padding = String(repeating: "=", count: (4 - token.utf8.count % 4) % 4)
        let digits = token.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let bytes = Base64.decode(digits), bytes.count == tokenBytes, text(bytes) == token
        else { return nil }
        return bytes
    }
}
