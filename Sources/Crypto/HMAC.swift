// Message authentication by HMAC-SHA256.
internal import CCrypto

/// Keyed digests; see RFC 2104.
package enum HMAC {
    /// HMAC with SHA-256; see EVP_Q_mac(3).
    ///
    /// - Parameters:
    ///   - key: any number of bytes; 32 are enough.
    ///   - message: the bytes to authenticate.
    /// - Returns: 32 bytes.
    package static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        // A null pointer would mean "the previous key", so an empty key gets an address.
        let filled = key.isEmpty ? [0] : key
        return unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { room, count in
            let made = unsafe EVP_Q_mac(
                nil, "HMAC", nil, "SHA256", nil, filled, key.count, message, message.count,
                room.baseAddress, room.count, &count)
            let isMade = unsafe made != nil
            precondition(isMade && count == SHA256.byteCount, "libcrypto knows HMAC-SHA-256")
        }
    }
}
