// Comparison of secrets in constant time.
internal import CCrypto

/// Comparisons of secrets.
package enum ConstantTime {
    /// Whether both have the same bytes; the time depends on the lengths only.
    ///
    /// See CRYPTO_memcmp(3).
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
    }
}
