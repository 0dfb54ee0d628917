/// The algorithm of a digest; the raw value is the prefix of its text.
package enum DigestAlgorithm: String, Sendable, CaseIterable {
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-512 (FIPS 180-4).
    case sha512
    /// SHA-1 (FIPS 180-4): finds accidents, proves nothing against an attacker.
    case sha1
    /// MD5 (RFC 1321): finds accidents, proves nothing against an attacker.
    case md5
    /// CRC-32 (ISO 3309): finds accidents, and anybody makes bytes that have a given one.
    case crc32
    /// CRC-32C (RFC 3720): finds accidents only.
    case crc32c
    /// CRC-64 (NVM Express): finds accidents only.
    case crc64nvme

    /// The number of hexadecimal digits of a digest.
    package var digitCount: Int {
        switch self {
        case .sha256: 64
        case .sha512: 128
        case .sha1: 40
        case .md5: 32
        case .crc32, .crc32c: 8
        case .crc64nvme: 16
        }
    }

    /// Whether bytes of several addresses or versions may be put together, because the digest of
    /// the whole shows a mixture; a checksum is too short for that.
    package var provesContent: Bool {
        switch self {
        case .sha256, .sha512, .sha1, .md5: true
        case .crc32, .crc32c, .crc64nvme: false
        }
    }
}
