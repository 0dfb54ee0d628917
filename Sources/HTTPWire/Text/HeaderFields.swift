// The field lines of a request: one block of bytes with the ranges of names and values.

/// Field lines in order; names compare without regard to case (RFC 9110 section 5.1).
///
/// Values are opaque bytes. As text each byte becomes the Unicode scalar of the same number
/// (ISO 8859-1), so that no two values look alike.
package struct HeaderFields: Sendable {
    private var bytes: [UInt8]
    private var places: [Place]
    /// A bit for the length of each name: most names that are looked up have a length that none
    /// here has.
    private var lengths: UInt64 = 0

    struct Place: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Creates an empty list.
    package init() {
        bytes = []
        places = []
    }

    init(bytes: [UInt8], places: [Place]) {
        self.bytes = bytes
        self.places = places
        for place in places { lengths |= HeaderFields.bit(place.name.count) }
    }

    @inline(__always)
    private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

    /// The number of field lines.
    package var count: Int { places.count }

    /// The value of the first line with this name, or nil.
    package subscript(name: String) -> String? {
        guard mayHave(name) else { return nil }
        for place in places where matches(place.name, name) {
            return text(place.value)
        }
        return nil
    }

    /// The values of all lines with this name, in order.
    package func all(_ name: String) -> [String] {
        guard mayHave(name) else { return [] }
        var values: [String] = []
        for place in places where matches(place.name, name) { values.append(text(place.value)) }
        return values
    }

    /// The value of the only line with this name; nil for none and for several.
    package func only(_ name: String) -> String? {
        onlyPlace(name).map { text($0.value) }
    }

    /// Whether exactly one line has this name, and its value is these bytes.
    package func hasOnly(_ name: String, _ value: String) -> Bool {
        guard let place = onlyPlace(name) else { return false }
        return bytes[place.value].elementsEqual(value.utf8)
    }

    private func onlyPlace(_ name: String) -> Place? {
        var found: Place?
        for place in places where matches(place.name, name) {
            guard found == nil else { return nil }
            found = place
        }
        return found
    }

    /// The bytes of the first line with this name, or nil.
    package func bytes(_ name: String) -> [UInt8]? {
        for place in places where matches(place.name, name) {
            return Array(bytes[place.value])
        }
        return nil
    }

    /// All lines as text, names as sent.
    package var lines: [(name: String, value: String)] {
        places.map { (text($0.name), text($0.value)) }
    }

    /// Adds a line at the end; the value's UTF-8 bytes are kept.
    package mutating func append(_ name: String, _ value: String) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        let middle = bytes.count
        bytes.append(contentsOf: value.utf8)
        places.append(Place(name: start..<middle, value: middle..<bytes.count))
        lengths |= HeaderFields.bit(middle - start)
    }

    /// Whether a line with this name is possible, by the lengths of the names.
    private func mayHave(_ name: String) -> Bool {
        lengths & HeaderFields.bit(name.utf8.count) != 0
    }

    private func matches(_ range: Range<Int>, _ name: String) -> Bool {
        guard range.count == name.utf8.count else { return false }
        var index = range.lowerBound
        for byte in name.utf8 {
            if bytes[index].asciiLowercased != byte.asciiLowercased { return false }
            index += 1
        }
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        let slice = bytes[range]
        if slice.allSatisfy({ $0 < 0x80 }) { return String(decoding: slice, as: UTF8.self) }
        var result = ""
        for byte in slice { result.unicodeScalars.append(Unicode.Scalar(byte)) }
        return result
    }
}
