// The hosts that a URL may have: a DNS name, or a number that is an address.

/// The grammar of hosts.
package enum HostName {
    /// Whether the bytes are a DNS name: labels of 1 to 63 letters, digits, `-` and `_`, at most
    /// 253 bytes in all, no dot at the end.
    package static func isValid(_ name: ArraySlice<UInt8>) -> Bool {
        guard (1...253).contains(name.count) else { return false }
        var length = 0
        var last = dot
        for byte in name {
            if byte == dot {
                guard length > 0, last != hyphen else { return false }
                length = 0
            } else {
                guard length < 63, isNameByte(byte), length > 0 || byte != hyphen else {
                    return false
                }
                length += 1
            }
            last = byte
        }
        return length > 0 && last != hyphen
    }

    /// Whether the last label is a number, so that the whole is an address or nothing.
    package static func endsInNumber(_ name: ArraySlice<UInt8>) -> Bool {
        let start = name.lastIndex(of: dot).map { $0 + 1 } ?? name.startIndex
        let label = name[start...]
        return number(label) != nil || label.allSatisfy(isDigit) && !label.isEmpty
    }

    /// The address that inet_aton(3) reads: one to four parts, decimal, octal (`0…`) or
    /// hexadecimal (`0x…`), the last filling the rest.
    package static func numericAddress(_ name: ArraySlice<UInt8>) -> IPAddress? {
        var bits: UInt64 = 0
        var rest = name
        for index in 0..<4 {
            guard let end = rest.firstIndex(of: dot) else {
                guard let value = number(rest), value < UInt64(1) << UInt64(8 * (4 - index)) else {
                    return nil
                }
                return IPAddress(v4: UInt32(bits | value))
            }
            guard let value = number(rest[..<end]), value <= 255 else { return nil }
            bits |= value << UInt64(24 - 8 * index)
            rest = rest[(end + 1)...]
        }
        return nil
    }

    private static let dot = UInt8(ascii: ".")
    private static let hyphen = UInt8(ascii: "-")

    private static func number(_ part: ArraySlice<UInt8>) -> UInt64? {
        guard !part.isEmpty, part.count <= 24 else { return nil }
        var digits = part
        var radix = 10
        if part.count > 1, part.first == 0x30 {
            digits = part.dropFirst()
            radix = 8
            if digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X") {
                digits = digits.dropFirst()
                radix = 16
                if digits.isEmpty { return 0 }
            }
        }
        guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else {
            return nil
        }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
