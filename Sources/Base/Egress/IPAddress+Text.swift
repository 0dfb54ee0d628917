// Reading and writing addresses: strict dotted quads (RFC 6943) and RFC 4291/5952 for IPv6.

extension IPAddress: CustomStringConvertible {
    /// Reads `a.b.c.d` with plain decimal parts, or an IPv6 address without brackets and zone.
    package init?(_ text: some StringProtocol) { self.init(utf8: Array(text.utf8)[...]) }

    /// Reads an address from its bytes, as ``init(_:)`` does.
    package init?(utf8 text: ArraySlice<UInt8>) {
        if text.contains(UInt8(ascii: ":")) {
            guard let bits = Self.parseV6(text) else { return nil }
            self.init(v6: bits)
        } else {
            self.init(dottedQuad: text.span)
        }
    }

    /// Reads `a.b.c.d` from its bytes; nil for anything else.
    package init?(dottedQuad text: Span<UInt8>) {
        guard let bits = Self.parseDottedQuad(text) else { return nil }
        self.init(v4: bits)
    }

    /// The address in its canonical spelling (RFC 5952), without brackets.
    package var description: String {
        if family == .v4 {
            return "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
        }
        let isMapped = bits >> 32 == 0xffff
        let count = isMapped ? 6 : 8
        let groups = (0..<count).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) }
        let gap = Self.longestZeroRun(groups)
        var text = ""
        var index = 0
        while index < count {
            if index == gap.lowerBound, gap.count > 1 {
                text += "::"
                index = gap.upperBound
                continue
            }
            if index > 0, !text.hasSuffix("::") { text += ":" }
            text += String(groups[index], radix: 16)
            index += 1
        }
        guard isMapped else { return text }
        return text + (text.hasSuffix(":") ? "" : ":") + IPAddress(v4: low32).description
    }

    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int> {
        var best = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 {
                start = index + 1
            } else if index + 1 - start > best.count {
                best = start..<(index + 1)
            }
        }
        return best
    }

    /// Four numbers of one to three digits, none with a needless zero in front.
    private static func parseDottedQuad(_ text: Span<UInt8>) -> UInt32? {
        var bits: UInt32 = 0
        var (number, digits, dots) = (UInt32(0), 0, 0)
        for place in text.indices {
            let byte = text[place]
            if byte == UInt8(ascii: ".") {
                guard digits > 0, dots < 3 else { return nil }
                bits = bits << 8 | number
                (number, digits, dots) = (0, 0, dots + 1)
            } else {
                guard (0x30...0x39).contains(byte), digits == 0 || number > 0 else { return nil }
                number = number * 10 + UInt32(byte - 0x30)
                digits += 1
                guard number <= 255 else { return nil }
            }
        }
        return dots == 3 && digits > 0 ? bits << 8 | number : nil
    }

    private static func parseV6(_ text: ArraySlice<UInt8>) -> UInt128? {
        guard text.count <= 45 else { return nil }
        let colon = UInt8(ascii: ":")
        let gap = zip(text.indices, text.dropFirst().indices)
            .first { text[$0] == colon && text[$1] == colon }
        guard let (first, second) = gap else {
            guard let groups = parseGroups(text), groups.count == 8 else { return nil }
            return joined(groups)
        }
        let left = text[..<first], right = text[(second + 1)...]
        guard let head = left.isEmpty ? [] : parseGroups(left), !left.contains(UInt8(ascii: ".")),
            let tail = right.isEmpty ? [] : parseGroups(right), head.count + tail.count <= 7
        else { return nil }
        let zeros = [UInt16](repeating: 0, count: 8 - head.count - tail.count)
        return joined(head + zeros + tail)
    }

    private static func joined(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    /// Groups between single colons; the last may be a dotted quad.
    private static func parseGroups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let quad = parseDottedQuad(part.span) else { return nil }
                groups += [UInt16(quad >> 16), UInt16(truncatingIfNeeded: quad)]
            } else {
                guard let group = parseGroup(part) else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    private static func parseGroup(_ part: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(part.count) else { return nil }
        var number: UInt16 = 0
        for byte in part {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt16(digit)
        }
        return number
    }
}
