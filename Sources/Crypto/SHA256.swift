// The SHA-256 digest of bytes that arrive in pieces.
internal import CCrypto

/// SHA-256 over any number of pieces; see FIPS 180-4 and EVP_DigestInit(3).
///
/// May be handed from one thread to another.
/// Safe because a context has one owner, which cannot be copied; EVP_MD_CTX keeps to no thread.
@safe package struct SHA256: ~Copyable, @unchecked Sendable {
    /// The number of bytes of a digest.
    package static let byteCount = 32

    private let context: OpaquePointer
    /// Whether the next bytes are the first ones of a digest.
    private var isFresh = true

    /// Creates the digest of no bytes.
    package init() {
        guard let made = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("there is no memory for a digest")
        }
        unsafe context = made
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        startIfFresh()
        let result = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(result == 1, "libcrypto adds bytes to a digest that was started")
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// Returns the digest of all bytes so far, and starts again with no bytes.
    ///
    /// - Returns: 32 bytes.
    package mutating func finalize() -> [UInt8] {
        startIfFresh()
        isFresh = true
        return unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { room, count in
            let result = unsafe EVP_DigestFinal_ex(context, room.baseAddress, nil)
            precondition(result == 1, "libcrypto ends a digest that was started")
            count = Self.byteCount
        }
    }

    /// Returns the digest as 64 hexadecimal digits, and starts again with no bytes.
    package mutating func finalizeText() -> String {
        startIfFresh()
        isFresh = true
        var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        return unsafe withUnsafeMutableBytes(of: &room) { digest in
            let base = unsafe digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let result = unsafe EVP_DigestFinal_ex(context, base, nil)
            precondition(result == 1, "libcrypto ends a digest that was started")
            return unsafe Hex.encode(UnsafeRawBufferPointer(digest))
        }
    }

    /// The digest of some bytes.
    ///
    /// - Returns: 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of a text's UTF-8.
    ///
    /// - Returns: 32 bytes.
    package static func digest(of text: String) -> [UInt8] { digest(of: Array(text.utf8)) }

    private mutating func startIfFresh() {
        guard isFresh else { return }
        isFresh = false
        let result = unsafe EVP_DigestInit_ex(context, DigestKind.sha256.pointer, nil)
        precondition(result == 1, "libcrypto knows SHA-256")
    }
}
