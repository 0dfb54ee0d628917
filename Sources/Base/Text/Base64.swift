// Encodes and decodes base 64.

/// Base 64 with the standard alphabet and padding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The digit for six bits; higher bits are ignored.
    package static func digit(_ bits: UInt8) -> UInt8 { alphabet[Int(bits & 63)] }

    /// The text of bytes.
    ///
    /// - Parameter bytes: any number.
    /// - Returns: digits without line ends.
    package static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count + 2) / 3 * 4
        return unsafe String(unsafeUninitializedCapacity: length) { room in
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let count = min(3, bytes.count - start)
                var bits = UInt32(0)
                for place in 0..<3 {
                    bits = bits << 8 | (place < count ? UInt32(bytes[start + place]) : 0)
                }
                for place in 0..<4 {
                    let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                    unsafe room[start / 3 * 4 + place] =
                        place <= count ? digit : UInt8(ascii: "=")
                }
            }
            return length
        }
    }

    /// The bytes of a padded text without white space, or nil.
    package static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4) else { return nil }
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var collected: UInt32 = 0
        for (place, digit) in digits.enumerated() {
            guard let bits = place < digits.count - padding ? value(digit) : 0 else { return nil }
            collected = collected << 6 | bits
            guard place % 4 == 3 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: collected >> 16))
            bytes.append(UInt8(truncatingIfNeeded: collected >> 8))
            bytes.append(UInt8(truncatingIfNeeded: collected))
        }
        // The bits behind the last byte must be zero, so that each value has one spelling.
        guard bytes.suffix(padding).allSatisfy({ $0 == 0 }) else { return nil }
        bytes.removeLast(padding)
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
