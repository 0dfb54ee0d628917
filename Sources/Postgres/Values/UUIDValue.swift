// Identifiers of type uuid.

/// A universally unique identifier; see RFC 9562.
package struct UUIDValue: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The first eight bytes as a number in network byte order.
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64

    /// Creates an identifier from its halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the spelling 8-4-4-4-12 in either case; nil for any other.
    package init?(_ description: String) {
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (place, byte) in description.utf8.enumerated() {
            if [8, 13, 18, 23].contains(place) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard place < 36, let digit = Self.digit(byte) else { return nil }
            halves = (halves.0 << 4 | halves.1 >> 60, halves.1 << 4 | digit)
            digits += 1
        }
        guard digits == 32 else { return nil }
        (high, low) = halves
    }

    /// The spelling 8-4-4-4-12 in lower case.
    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for half in [high, low] {
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: half >> (60 - 4 * UInt64(place)) & 15)
                if [8, 13, 18, 23].contains(text.count) { text.append(UInt8(ascii: "-")) }
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Orders identifiers as the server does: byte by byte.
    package static func < (left: UUIDValue, right: UUIDValue) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension UUIDValue: ColumnValue {
    /// uuid.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.uuid, arrayOID: 2951) }

    /// Appends sixteen bytes.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return true
    }

    /// Reads a uuid.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        guard oid == TypeOID.uuid, binary.count == 16 else {
            throw .unexpected(UUIDValue.self, oid: oid, length: binary.count)
        }
        self.init(high: binary.bigEndian(at: 0), low: binary.bigEndian(at: 8))
    }
}
