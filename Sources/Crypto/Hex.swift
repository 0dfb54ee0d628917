// Base 16, hexadecimal digits.

/// Encodes and decodes base 16; see RFC 4648 section 8.
package enum Hex {
    /// Encodes each byte as two lower-case digits.
    package static func encode(_ bytes: [UInt8]) -> String {
        unsafe bytes.withUnsafeBytes { unsafe encode($0) }
    }

    /// Encodes each byte as two lower-case digits.
    static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { room in
            for unsafe(place, byte) in unsafe bytes.enumerated() {
                unsafe room[place * 2] = digit(byte >> 4)
                unsafe room[place * 2 + 1] = digit(byte & 15)
            }
            return bytes.count * 2
        }
    }

    /// Decodes digits in either case; nil for an odd number of them or any other character.
    package static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[place]), let low = value(digits[place + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
