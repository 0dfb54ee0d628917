// Authenticated encryption of secrets that are stored in the database.
internal import CCrypto
internal import Synchronization

/// Encrypts with the keys of a deployment: the first one seals, each can open; copies share them.
package struct SecretBox: Sendable {
    /// The length of a key in bytes.
    package static let keyBytes = 32
    private static let version: UInt8 = 1
    private static let nonceBytes = 12
    private static let tagBytes = 16
    private static let nameBytes = 4
    private static let headBytes = 1 + nameBytes + nonceBytes

    private struct Key: Sendable {
        let name: [UInt8]
        let bytes: [UInt8]
    }

    /// The keys, shared by every copy of a box.
    private final class Ring: Sendable {
        let keys: Mutex<[Key]>

        init(_ keys: [Key]) { self.keys = Mutex(keys) }
    }

    private let ring: Ring
    private var keys: [Key] { ring.keys.withLock { $0 } }

    /// Creates a box from keys of 32 bytes; without any key nothing can be sealed or opened.
    package init(keys: [[UInt8]]) {
        precondition(keys.allSatisfy { $0.count == SecretBox.keyBytes }, "a key has 32 bytes")
        ring = Ring(
            keys.map { key in
                let name = HMAC.sha256(key: key, message: Array("lull key name".utf8))
                return Key(name: Array(name.prefix(SecretBox.nameBytes)), bytes: key)
            })
    }

    /// Takes the keys of another box in place of its own, here and in every copy.
    package func take(_ other: SecretBox) {
        let keys = other.keys
        ring.keys.withLock { $0 = keys }
    }

    /// Seals bytes with AES-256-GCM under a random nonce (NIST SP 800-38D).
    ///
    /// - Parameters:
    ///   - plain: the bytes.
    ///   - place: where they are stored; opening them for another place fails.
    /// - Returns: version, key's name, nonce, ciphertext and tag.
    package func seal(_ plain: [UInt8], for place: [UInt8]) -> [UInt8] {
        guard let key = keys.first else { preconditionFailure("sealing needs a key") }
        let nonce = SecureRandom.bytes(SecretBox.nonceBytes)
        let head = [SecretBox.version] + key.name
        var (text, tag) = (plain, [UInt8](repeating: 0, count: SecretBox.tagBytes))
        let isDone = AESGCM.run(
            key: key.bytes, nonce: nonce, extra: head + place, text: &text, tag: &tag,
            seals: true)
        precondition(isDone, "libcrypto knows AES-256-GCM")
        return head + nonce + text + tag
    }

    /// Decrypts bytes that `seal` returned.
    ///
    /// - Returns: nil if its key is not here, it was made for another place, or it was changed.
    package func open(_ sealed: [UInt8], for place: [UInt8]) -> [UInt8]? {
        guard sealed.count >= SecretBox.headBytes + SecretBox.tagBytes,
            sealed[0] == SecretBox.version
        else { return nil }
        let head = Array(sealed[..<(1 + SecretBox.nameBytes)])
        let nonce = Array(sealed[(1 + SecretBox.nameBytes)..<SecretBox.headBytes])
        for key in keys where key.name == Array(head.dropFirst()) {
            var text = Array(sealed[SecretBox.headBytes...].dropLast(SecretBox.tagBytes))
            var tag = Array(sealed.suffix(SecretBox.tagBytes))
            let isDone = AESGCM.run(
                key: key.bytes, nonce: nonce, extra: head + place, text: &text, tag: &tag,
                seals: false)
            if isDone { return text }
        }
        return nil
    }

    /// Derives keys for another purpose, one from each key and in their order (NIST SP 800-108, one
    /// block of HMAC in counter mode): a derived key reveals nothing about the others.
    ///
    /// - Parameter purpose: names it; other purposes get other keys.
    /// - Returns: keys of 32 bytes.
    package func derivedKeys(for purpose: String) -> [[UInt8]] {
        keys.map { HMAC.sha256(key: $0.bytes, message: [0, 0, 0, 1] + Array(purpose.utf8) + [0]) }
    }

    /// A keyed digest: equal for equal bytes, and useless without the key.
    package func fingerprint(_ bytes: [UInt8]) -> String {
        guard let key = keys.first else { preconditionFailure("a fingerprint needs a key") }
        return Hex.encode(HMAC.sha256(key: key.bytes, message: Array("fingerprint".utf8) + bytes))
    }
}

/// One operation of AES-256-GCM; see EVP_EncryptInit(3).
private enum AESGCM {
    /// Encrypts or decrypts in place; returns false if anything fails, above all the check of the
    /// tag.
    static func run(
        key: [UInt8], nonce: [UInt8], extra: [UInt8], text: inout [UInt8], tag: inout [UInt8],
        seals: Bool
    ) -> Bool {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let direction: Int32 = seals ? 1 : 0
        var count: Int32 = 0
        guard
            unsafe EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, direction) == 1,
            unsafe EVP_CipherUpdate(context, nil, &count, extra, Int32(extra.count)) == 1
        else { return false }
        let source = text
        // A pointer to no bytes may be null, which means something else to EVP_CipherUpdate(3).
        if !source.isEmpty {
            guard
                unsafe EVP_CipherUpdate(context, &text, &count, source, Int32(source.count)) == 1,
                Int(count) == source.count
            else { return false }
        }
        if !seals {
            let isTaken = unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
            guard isTaken == 1 else { return false }
        }
        var rest = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_CipherFinal_ex(context, &rest, &count) == 1 else { return false }
        guard seals else { return true }
        return unsafe EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    }
}
