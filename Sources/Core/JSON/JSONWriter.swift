// Writing JSON straight from typed values into bytes: no tree of values stands between.

/// Compact JSON text in ASCII bytes that grows at its end.
///
/// Integers are exact, doubles have the fewest digits that read back as the same double, other
/// characters than ASCII are escaped, slashes are not. Commas are written as needed; that what is
/// begun is ended is the caller's part.
package struct JSONWriter: Sendable {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether a value stands before in the same object or list.
    private var needsComma = false

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
        needsComma = false
    }

    /// Ends the object that was begun last.
    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Begins a list, as a value.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends the list that was begun last.
    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Begins a member of an object; its value has to follow.
    ///
    /// - Parameter name: needs no escape.
    package mutating func key(_ name: StaticString) { begin(name, "\":") }

    /// Writes a member whose value is `null`.
    ///
    /// - Parameter name: needs no escape.
    package mutating func null(_ name: StaticString) {
        begin(name, "\":null")
        needsComma = true
    }

    private mutating func begin(_ name: StaticString, _ rest: StaticString) {
        let isNext = needsComma
        bytes.append(atMost: 2 + name.utf8CodeUnitCount + rest.utf8CodeUnitCount) { room in
            if isNext { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            room.append(name)
            room.append(rest)
        }
        needsComma = false
    }

    /// Begins a member whose name is any text.
    package mutating func key(any name: String) {
        separate()
        JSON.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes `null`.
    package mutating func writeNull() { write(literal: "null") }

    /// Writes a truth value.
    package mutating func write(_ value: Bool) { write(literal: value ? "true" : "false") }

    private mutating func write(literal: StaticString) {
        let isNext = needsComma
        bytes.append(atMost: 1 + literal.utf8CodeUnitCount) { room in
            if isNext { room.append(UInt8(ascii: ",")) }
            room.append(literal)
        }
        needsComma = true
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
        bytes.append(atMost: 2 + Timestamp.textLength) { room in
            room.append(UInt8(ascii: "\""))
            value.append(to: &room)
            room.append(UInt8(ascii: "\""))
        }
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

    /// Writes a comma behind a value that stands before in the same object or list, for the one
    /// that follows.
    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
