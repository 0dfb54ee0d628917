// The IPv6 address between the brackets of an authority.

/// The grammar of `IPv6address`; RFC 3986 section 3.2.2.
enum IPv6Literal {
    /// Whether the bytes are eight groups of one to four hexadecimal digits with colons between
    /// them.
    ///
    /// One `::` may stand for one group or more, and an IPv4 address for the last two.
    static func isValid(_ text: Span<UInt8>) -> Bool {
        var index = 0
        var groups = 0
        var hasGap = false
        if text.count >= 2, text[0] == .colon, text[1] == .colon {
            hasGap = true
            index = 2
        }
        while index < text.count || groups == 0 && !hasGap {
            let start = index
            while index < text.count, text[index].hexValue != nil { index += 1 }
            if index < text.count, text[index] == .period {
                guard isIPv4(text.extracting(start..<text.count)) else { return false }
                groups += 2
                index = text.count
                break
            }
            guard (1...4).contains(index - start), groups < 8 else { return false }
            groups += 1
            guard index < text.count else { break }
            guard text[index] == .colon, index + 1 < text.count else { return false }
            index += 1
            guard text[index] == .colon else { continue }
            guard !hasGap else { return false }
            hasGap = true
            index += 1
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    /// Whether the bytes are four numbers from 0 to 255 without leading zeros, separated by dots.
    private static func isIPv4(_ text: Span<UInt8>) -> Bool {
        var index = 0
        for place in 0..<4 {
            if place > 0 {
                guard index < text.count, text[index] == .period else { return false }
                index += 1
            }
            let start = index
            var number = 0
            while index < text.count, text[index].isDigit, index - start < 3 {
                number = number * 10 + Int(text[index] - 0x30)
                index += 1
            }
            let hasLeadingZero = index - start > 1 && text[start] == 0x30
            guard index > start, number <= 255, !hasLeadingZero else { return false }
        }
        return index == text.count
    }
}
