// Our values as the database's.
package import Base
package import Postgres

extension UUIDValue {
    /// The identifier's bits.
    package init(_ identifier: Identifier) {
        self.init(high: identifier.high, low: identifier.low)
    }

    /// The bits as an identifier.
    package var identifier: Identifier { Identifier(high: high, low: low) }
}

extension TimestampValue {
    /// The instant.
    package init(_ timestamp: Timestamp) { self.init(microseconds: timestamp.microseconds) }

    /// The value as an instant; infinities are the ends of the range.
    package var timestamp: Timestamp { Timestamp(microseconds: microseconds) }
}

/// A hash that is equal in every process: FNV-1a, 64 bits.
///
/// Texts with equal hashes can be constructed, so it must not be used as a name.
enum StableHash {
    static func of(_ text: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}
