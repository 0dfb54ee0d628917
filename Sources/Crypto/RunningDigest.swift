// Digests other than SHA-256, for files whose client or origin names one.
internal import CCrypto

/// A digest over any number of pieces; see EVP_DigestInit(3).
///
/// Belongs to one actor.
@safe package final class RunningDigest {
    /// An algorithm for digests.
    package enum Algorithm: Sendable {
        /// SHA-256 (FIPS 180-4), for bytes that are digested a second time.
        case sha256
        /// SHA-512 (FIPS 180-4).
        case sha512
        /// SHA-1 (FIPS 180-4).
        case sha1
        /// MD5 (RFC 1321).
        case md5
        /// CRC-32 (ISO 3309).
        case crc32
        /// CRC-32C (RFC 3720).
        case crc32c
        /// CRC-64 (NVM Express).
        case crc64nvme
    }

    @safe private enum Work {
        case libcrypto(OpaquePointer)
        case checksum(Checksum)
    }

    private var work: Work

    /// Creates the digest of no bytes.
    package init(_ algorithm: Algorithm) {
        work =
            switch algorithm {
            case .sha256: RunningDigest.libcrypto(.sha256)
            case .sha512: RunningDigest.libcrypto(.sha512)
            case .sha1: RunningDigest.libcrypto(.sha1)
            case .md5: RunningDigest.libcrypto(.md5)
            case .crc32: .checksum(Checksum(Checksum.crc32))
            case .crc32c: .checksum(Checksum(Checksum.crc32c))
            case .crc64nvme: .checksum(Checksum(Checksum.crc64nvme))
            }
    }

    private static func libcrypto(_ kind: DigestKind) -> Work {
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("there is no memory for a digest")
        }
        let result = unsafe EVP_DigestInit_ex(context, kind.pointer, nil)
        precondition(result == 1, "libcrypto knows the algorithm")
        return unsafe .libcrypto(context)
    }

    deinit {
        if case .libcrypto(let context) = work { unsafe EVP_MD_CTX_free(context) }
    }

    /// Adds bytes.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        switch work {
        case .libcrypto(let context):
            let result = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            precondition(result == 1, "libcrypto adds bytes to a digest that was started")
        case .checksum(var checksum):
            unsafe checksum.update(bytes)
            work = .checksum(checksum)
        }
    }

    /// Returns the digest of all bytes; call it once, last.
    ///
    /// - Returns: as many bytes as the algorithm has, 4 to 64.
    package func finished() -> [UInt8] {
        switch work {
        case .checksum(let checksum): checksum.bytes
        case .libcrypto(let context):
            unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { room, count in
                var length: UInt32 = 0
                let result = unsafe EVP_DigestFinal_ex(context, room.baseAddress, &length)
                precondition(result == 1, "libcrypto ends a digest that was started")
                count = Int(length)
            }
        }
    }
}
