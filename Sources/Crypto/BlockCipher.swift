// Encryption of single 128-bit blocks, for identifiers that reveal nothing without the key.
internal import CCrypto

/// AES-256 on one block (FIPS 197): a permutation that only the key can reverse.
///
/// Equal blocks give equal results. It is for values that never repeat, such as the position of an
/// event, and must not be used for text.
package struct BlockCipher: Sendable {
    /// The length of a key in bytes.
    package static let keyBytes = 32

    private let key: [UInt8]

    /// Creates a cipher from a key of 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == BlockCipher.keyBytes, "a key has 32 bytes")
        self.key = key
    }

    /// Encrypts a block, given and returned as its upper and its lower 64 bits.
    package func seal(_ high: UInt64, _ low: UInt64) -> (high: UInt64, low: UInt64) {
        run(high, low, seals: true)
    }

    /// Decrypts a block that `seal` returned.
    package func open(_ high: UInt64, _ low: UInt64) -> (high: UInt64, low: UInt64) {
        run(high, low, seals: false)
    }

    private func run(_ high: UInt64, _ low: UInt64, seals: Bool) -> (high: UInt64, low: UInt64) {
        let source = [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        var block = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        // One block without padding is the cipher itself; see EVP_CipherInit_ex(3).
        guard let context = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("no memory") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        guard
            unsafe EVP_CipherInit_ex(context, EVP_aes_256_ecb(), nil, key, nil, seals ? 1 : 0) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            unsafe EVP_CipherUpdate(context, &block, &count, source, 16) == 1, count == 16
        else { preconditionFailure("libcrypto knows AES-256") }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (word(block[..<8]), word(block[8...]))
    }
}
