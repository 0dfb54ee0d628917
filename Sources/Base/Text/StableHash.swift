/// A hash that is equal in every process: FNV-1a, 64 bits.
///
/// Texts with equal hashes can be constructed, so it must not be used as a name.
package enum StableHash {
    /// The hash of the UTF-8 of a text.
    package static func of(_ text: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}
