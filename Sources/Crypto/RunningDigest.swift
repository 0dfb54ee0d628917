// Digests beside SHA-256, for files whose owner or origin names another one.
internal import CCrypto

/// A digest over any number of pieces; see EVP_DigestInit(3).
///
/// Belongs to one actor.
@safe package final class RunningDigest {
    /// What can be computed.
    package enum Algorithm: Sendable {
        /// SHA-256 (FIPS 180-4), for bytes that are digested a second time.
        case sha256
        /// SHA-512 (FIPS 180-4).
        case sha512
        /// MD5 (RFC 1321).
        case md5
    }

    private let context: OpaquePointer

    /// Starts with no bytes.
    package init(_ algorithm: Algorithm) {
        guard let made = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("there is no memory for a digest")
        }
        unsafe context = made
        let kind =
            switch algorithm {
            case .sha256: DigestKind.sha256
            case .sha512: DigestKind.sha512
            case .md5: DigestKind.md5
            }
        let result = unsafe EVP_DigestInit_ex(context, kind.pointer, nil)
        precondition(result == 1, "libcrypto knows the algorithm")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        let result = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(result == 1, "libcrypto adds bytes to a digest that was started")
    }

    /// The digest of all bytes; call it once, last.
    ///
    /// - Returns: 32, 64 or 16 bytes.
    package func finished() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { room, count in
            var length: UInt32 = 0
            let result = unsafe EVP_DigestFinal_ex(context, room.baseAddress, &length)
            precondition(result == 1, "libcrypto ends a digest that was started")
            count = Int(length)
        }
    }
}
