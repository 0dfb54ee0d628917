// Writing JSON straight from typed values into bytes: no tree of values stands between.

/// Compact JSON text in ASCII bytes that grows at its end.
///
/// Integers are exact, doubles have the fewest digits that read back as the same double, other
/// characters than ASCII are escaped, slashes are not. Commas are written as needed; that what is
/// begun is ended is the caller's part.
package struct JSONWriter: Sendable {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []

    /// An empty text with room for so many bytes.
    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// The text so far as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text with a line end, for terminals.
    package consuming func line() -> [UInt8] {
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Begins an object, as a value.
    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends the object that was begun last.
    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    /// Begins a list, as a value.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    /// Ends the list that was begun last.
    package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// Begins a member of an object; its value has to follow.
    ///
    /// - Parameter name: needs no escape.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Begins a member whose name is any text.
    package mutating func key(any name: String) {
        separate()
        JSON.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes `null`.
    package mutating func writeNull() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a truth value.
    package mutating func write(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes a text.
    package mutating func write(_ value: String) {
        separate()
        JSON.append(value, to: &bytes)
    }

    /// Writes a whole number.
    package mutating func write(_ value: Int64) {
        separate()
        bytes.append(decimal: value)
    }

    /// Writes a number; `null` for what is not finite.
    package mutating func write(_ value: Double) {
        separate()
        bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    }

    /// Writes an instant as a text; see `Timestamp.rfc3339`.
    package mutating func write(_ value: Timestamp) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        value.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value of any kind.
    package mutating func write(_ value: JSON) {
        separate()
        value.append(to: &bytes)
    }

    /// Copies bytes that are a JSON value in the form of this writer.
    package mutating func write(verbatim value: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
    }

    /// Writes a comma behind a value that stands before in the same object or list.
    ///
    /// A text ends in a quotation mark, so that these bytes at the end are never part of one.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}

extension [UInt8] {
    /// Appends a number in decimal digits.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var (low, high) = (start, count - 1)
        while low < high {
            swapAt(low, high)
            low += 1
            high -= 1
        }
    }
}
