// Reads JSON of the store without a tree: members are found in the text when they are asked for.
package import Base

/// A JSON value in a text that the store has checked, as its bytes.
///
/// Syntax is trusted where it does not matter for finding a member; for a text that is not JSON the
/// result is nil or an absent member, and nothing is read beyond its end.
package struct StoredJSON: Sendable {
    /// The value's bytes, in any spacing.
    package let bytes: ArraySlice<UInt8>

    /// A value in a text that contains nothing else.
    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = StoredJSON.trimmed(bytes) }

    /// A value in a text.
    package init(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// Whether this is `null`.
    var isNull: Bool { bytes.first == UInt8(ascii: "n") }

    /// The boolean; nil for any other kind.
    var boolValue: Bool? {
        switch bytes.first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The whole number, or nil for any other kind; `3.0` counts as whole.
    var integerValue: Int64? {
        guard let first = bytes.first, first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
            return nil
        }
        // The number is built as a negative one, because that range has one value more.
        var negative: Int64 = 0
        let isNegative = first == UInt8(ascii: "-")
        for byte in isNegative ? bytes.dropFirst() : bytes {
            guard byte &- 0x30 < 10 else { return tree?.integerValue }
            let (scaled, overflowed) = negative.multipliedReportingOverflow(by: 10)
            let (sum, below) = scaled.subtractingReportingOverflow(Int64(byte - 0x30))
            guard !overflowed, !below else { return tree?.integerValue }
            negative = sum
        }
        if isNegative { return negative }
        return negative == .min ? nil : -negative
    }

    /// The text, or nil for any other kind.
    var stringValue: String? {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""),
            bytes.last == UInt8(ascii: "\"")
        else { return nil }
        let content = bytes.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else {
            return String(decoding: content, as: UTF8.self)
        }
        return tree?.stringValue
    }

    /// The value as a tree; nil if it is not JSON.
    package var tree: JSON? {
        do throws(JSONError) { return try JSON.parse(Array(bytes)) } catch { return nil }
    }

    /// The elements of a list, or nil for any other kind.
    var elements: [StoredJSON]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var list: [StoredJSON] = []
        let text = bytes.span
        let start = bytes.startIndex
        var place = 1
        while let value = StoredJSON.value(in: text, from: &place) {
            let range = start + value.lowerBound..<start + value.upperBound
            list.append(StoredJSON(exactly: bytes[range]))
        }
        return list
    }

    /// The members of an object, or nil for any other kind.
    var members: StoredMembers? {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        return StoredMembers(of: bytes)
    }

    init(exactly bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
            let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }

    /// The range of the next value before the end of the object or list; nil for none.
    ///
    /// - Parameters:
    ///   - bytes: the object or list, from its first byte on.
    ///   - place: where to look; moved behind the value.
    /// - Returns: its place, or nil at the end.
    static func value(in bytes: Span<UInt8>, from place: inout Int) -> Range<Int>? {
        let end = bytes.count
        while place < end {
            let byte = bytes[place]
            guard byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") else {
                break
            }
            place += 1
        }
        let start = place
        var depth = 0
        while place < end {
            switch bytes[place] {
            case UInt8(ascii: "\""): skipString(bytes, &place)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return start < place ? start..<place : nil }
                depth -= 1
                place += 1
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth == 0 { return start..<place }
                place += 1
                continue
            default:
                place += 1
                continue
            }
            if depth == 0 { return start..<place }
        }
        return nil
    }

    private static func skipString(_ bytes: Span<UInt8>, _ place: inout Int) {
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        place = bytes.count
    }
}

/// The places of a stored object's members in its text.
struct StoredMembers {
    private struct Place {
        var name: Range<UInt32> = 0..<0
        var value: Range<UInt32> = 0..<0
    }

    private let bytes: ArraySlice<UInt8>
    /// The first twelve members, mostly all: they need no allocation.
    private var first = InlineArray<12, Place>(repeating: Place())
    private var others: [Place] = []
    private var count = 0
    /// A set of bits by length and first byte of each name, which excludes most absent members at
    /// once.
    private var names: UInt64 = 0

    init(of bytes: ArraySlice<UInt8>) {
        precondition(bytes.count <= Int(UInt32.max), "PostgreSQL's values are shorter")
        self.bytes = bytes
        let text = bytes.span
        var place = 1
        while let name = StoredJSON.value(in: text, from: &place), name.count >= 2,
            let value = StoredJSON.value(in: text, from: &place)
        {
            let name = name.lowerBound + 1..<name.upperBound - 1
            guard !name.isEmpty else { continue }
            names |= StoredMembers.bit(count: name.count, first: text[name.lowerBound])
            append(
                Place(
                    name: UInt32(name.lowerBound)..<UInt32(name.upperBound),
                    value: UInt32(value.lowerBound)..<UInt32(value.upperBound)))
        }
    }

    private mutating func append(_ place: Place) {
        if count < first.count { first[count] = place } else { others.append(place) }
        count += 1
    }

    @inline(__always)
    private static func bit(count: Int, first: UInt8) -> UInt64 {
        1 << ((UInt64(truncatingIfNeeded: count) &* 7 ^ UInt64(first)) & 63)
    }

    /// Whether the object may have a member; false means that it has not.
    ///
    /// - Parameter name: needs no escape and is not empty.
    /// - Returns: false only where it is not.
    @inline(__always)
    func mayHave(_ name: StaticString) -> Bool {
        let first = unsafe name.utf8Start[0]
        return names & StoredMembers.bit(count: name.utf8CodeUnitCount, first: first) != 0
    }

    /// The value of a member whose name needs no escape and is not empty.
    subscript(name: StaticString) -> StoredJSON? {
        guard mayHave(name) else { return nil }
        let text = bytes.span
        for number in 0..<count {
            let place = number < first.count ? first[number] : others[number - first.count]
            guard place.name.count == name.utf8CodeUnitCount,
                text.extracting(Int(place.name.lowerBound)..<Int(place.name.upperBound))
                    .isEqual(to: name)
            else { continue }
            let start = bytes.startIndex
            let range = start + Int(place.value.lowerBound)..<start + Int(place.value.upperBound)
            return StoredJSON(exactly: bytes[range])
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether the bytes equal a text constant of the same length.
    fileprivate func isEqual(to text: StaticString) -> Bool {
        for place in indices where unsafe self[place] != text.utf8Start[place] { return false }
        return true
    }
}
