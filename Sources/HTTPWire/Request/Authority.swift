// The host and port of a request.
internal import Base

/// Checks the value of `Host` and the authority of a target; RFC 9110 section 7.2.
enum Authority {
    /// True for a name, an IPv4 or a bracketed IPv6 address, with an optional port up to 65535.
    ///
    /// Narrower than RFC 3986: letters, digits, `-`, `.`, `_` and `~` only, no escapes, no user.
    static func isValid(_ text: Span<UInt8>) -> Bool {
        var index = 0
        if text.count > 0, text[0] == .openingBracket {
            guard let end = endOfAddress(text) else { return false }
            index = end
        } else {
            while index < text.count, isName(text[index]) { index += 1 }
            guard index > 0 else { return false }
        }
        if index == text.count { return true }
        guard text[index] == .colon else { return false }
        var port = 0
        index += 1
        while index < text.count {
            guard text[index].isDigit else { return false }
            port = port * 10 + Int(text[index] - 0x30)
            guard port <= 65_535 else { return false }
            index += 1
        }
        return true
    }

    /// The index after the closing bracket of an IPv6 address; nil for anything else.
    private static func endOfAddress(_ text: Span<UInt8>) -> Int? {
        var end = 1
        while end < text.count, text[end] != .closingBracket { end += 1 }
        guard end < text.count, IPAddress(text.extracting(1..<end).text)?.family == .v6
        else { return nil }
        return end + 1
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == 0x2d || byte == .period || byte == 0x5f || byte == 0x7e
    }
}
