// The part of the content that an answer brings: the only reader of Content-Range.

/// A `Content-Range` of bytes (RFC 9110 section 14.4).
package struct ContentRange: Equatable, Sendable {
    /// The first and the last byte, or nil for `bytes */total`.
    package let bytes: ClosedRange<Int64>?
    /// The length of the whole representation, or nil for `*`.
    package let total: Int64?

    /// Reads `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`; nil for anything else.
    package init?(_ value: ArraySlice<UInt8>) {
        let parts = value.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 2, ContentRange.isUnit(parts[0]) else { return nil }
        let sides = parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let star: [UInt8] = [UInt8(ascii: "*")]
        total = ContentRange.number(sides[1])
        guard total != nil || sides[1].elementsEqual(star) else { return nil }
        if sides[0].elementsEqual(star) {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = sides[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]),
            let last = ContentRange.number(ends[1]), first <= last, last < total ?? .max
        else { return nil }
        bytes = first...last
    }

    /// Reads a text.
    package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// The bytes as a half-open range; nil for `bytes */total`.
    package var range: Range<Int64>? { bytes.map { $0.lowerBound..<($0.upperBound + 1) } }

    private static func isUnit(_ value: ArraySlice<UInt8>) -> Bool {
        value.count == 5 && zip(value, "bytes".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// Reads a number of bytes as HTTP writes it; nil for anything else.
    ///
    /// - Parameter digits: ASCII.
    /// - Returns: nil for anything but 1 to 18 digits.
    package static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard (1...18).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
