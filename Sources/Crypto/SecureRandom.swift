// Random bytes from the system's generator, for keys and identifiers.
internal import CCrypto

/// The generator of libcrypto, seeded by the kernel; see RAND_bytes(3).
package struct SecureRandom: RandomNumberGenerator, Sendable {
    /// Creates a generator; all share the same source.
    package init() {}

    /// Returns random bytes for keys and tokens.
    ///
    /// - Parameter count: how many, 0 to Int32.max.
    /// - Returns: the bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            let result = unsafe RAND_bytes(room.baseAddress, Int32(count))
            precondition(result == 1, "without randomness no secret can be made")
            filled = count
        }
    }

    /// Returns eight random bytes as a number.
    package mutating func next() -> UInt64 {
        var number: UInt64 = 0
        let result = unsafe withUnsafeMutableBytes(of: &number) { room in
            unsafe RAND_bytes(room.baseAddress?.assumingMemoryBound(to: UInt8.self), 8)
        }
        precondition(result == 1, "without randomness no identifier can be made")
        return number
    }
}
