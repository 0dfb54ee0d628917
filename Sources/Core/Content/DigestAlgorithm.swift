/// How a digest is computed.
package enum DigestAlgorithm: String, Sendable, CaseIterable {
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-512 (FIPS 180-4).
    case sha512
    /// MD5 (RFC 1321): finds accidents, proves nothing against an attacker.
    case md5

    /// Hexadecimal digits of a digest.
    package var digitCount: Int {
        switch self {
        case .sha256: 64
        case .sha512: 128
        case .md5: 32
        }
    }
}
