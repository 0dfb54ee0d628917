// Cyclic redundancy checks, which object stores send beside digests.

/// A reflected cyclic redundancy check over any number of pieces, with all ones before and after;
/// it finds accidental errors and does not protect against deliberate ones.
///
/// Eight bytes at a time with tables; see Kounavis and Berry, "A Systematic Approach to Building
/// High Performance, Software-based, CRC Generators" (2005).
struct Checksum {
    /// CRC-32 of ISO 3309, as zlib computes it.
    static let crc32 = Kind(polynomial: 0xedb8_8320, byteCount: 4)
    /// CRC-32C (RFC 3720 appendix B.4).
    static let crc32c = Kind(polynomial: 0x82f6_3b78, byteCount: 4)
    /// CRC-64 of the NVM Express specification, as S3 computes it.
    static let crc64nvme = Kind(polynomial: 0x9a6c_9329_ac4b_c9b5, byteCount: 8)

    /// A polynomial with its lookup tables.
    final class Kind: Sendable {
        fileprivate let byteCount: Int
        fileprivate let ones: UInt64
        /// The remainder of each byte, for each distance from the end of eight bytes.
        fileprivate let table: [UInt64]

        fileprivate init(polynomial: UInt64, byteCount: Int) {
            self.byteCount = byteCount
            ones = ~0 >> UInt64(64 - 8 * byteCount)
            var table = [UInt64](repeating: 0, count: 8 * 256)
            for byte in 0..<256 {
                var rest = UInt64(byte)
                for _ in 0..<8 { rest = rest >> 1 ^ (rest & 1 == 1 ? polynomial : 0) }
                table[byte] = rest
            }
            for place in 256..<table.count {
                let rest = table[place - 256]
                table[place] = rest >> 8 ^ table[Int(rest & 0xff)]
            }
            self.table = table
        }
    }

    private let kind: Kind
    private var rest: UInt64

    /// Creates the check of no bytes.
    init(_ kind: Kind) {
        self.kind = kind
        rest = kind.ones
    }

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = rest
        var place = 0
        unsafe kind.table.withUnsafeBufferPointer { table in
            while place + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                var mixed = UInt64(littleEndian: word) ^ rest
                rest = 0
                for distance in stride(from: 7, through: 0, by: -1) {
                    rest ^= unsafe table[distance << 8 | Int(mixed & 0xff)]
                    mixed >>= 8
                }
                place += 8
            }
            while place < bytes.count {
                rest = unsafe rest >> 8 ^ table[Int(rest & 0xff ^ UInt64(bytes[place]))]
                place += 1
            }
        }
        self.rest = rest
    }

    /// The check value of all bytes: 4 or 8 bytes, the most significant first.
    var bytes: [UInt8] {
        let value = rest ^ kind.ones
        return (0..<kind.byteCount).reversed().map {
            UInt8(truncatingIfNeeded: value >> UInt64(8 * $0))
        }
    }
}
