// The digests of libcrypto, looked up once.
internal import CCrypto

/// A digest from EVP_MD_fetch(3), kept because EVP_sha256(3) would be looked up for each digest.
///
/// Safe because a fetched digest does not change, and is never freed.
@safe struct DigestKind: @unchecked Sendable {
    /// SHA-256 (FIPS 180-4).
    static let sha256 = DigestKind("SHA256")
    /// SHA-512 (FIPS 180-4).
    static let sha512 = DigestKind("SHA512")
    /// SHA-1 (FIPS 180-4).
    static let sha1 = DigestKind("SHA1")
    /// MD5 (RFC 1321).
    static let md5 = DigestKind("MD5")

    let pointer: OpaquePointer

    private init(_ name: String) {
        guard let found = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto knows \(name)")
        }
        unsafe pointer = found
    }
}
