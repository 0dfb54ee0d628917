// Writes JSON from typed values directly into bytes, without a tree of values.

/// Compact JSON text in ASCII bytes that grows at its end.
///
/// Integers are exact, doubles have the fewest digits that read back as an equal double, characters
/// outside ASCII are escaped, slashes are not. Commas are written as needed; the caller ends every
/// object and list that it begins.
///
/// The last bytes are gathered in the value itself, because an array checks at each append whether
/// it is shared and has room.
package struct JSONWriter: Sendable {
    private static let chunkSize = 256

    /// The bytes before those of `chunk`.
    private var written: [UInt8] = []
    /// The number of bytes to reserve at first.
    private let capacity: Int
    private var chunk = InlineArray<256, UInt8>(repeating: 0)
    /// The number of bytes in `chunk`.
    private var used = 0
    /// Whether a value precedes in the current object or list.
    private var needsComma = false

    /// Creates an empty text with room for this number of bytes.
    package init(capacity: Int = 256) { self.capacity = capacity }

    /// The text so far.
    package var bytes: [UInt8] {
        var copy = self
        return copy.finish()
    }

    /// The text so far as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes the text out; the writer cannot be used after that.
    package mutating func finish() -> [UInt8] {
        // A short text gets no more memory than it needs.
        flush(reserving: used)
        var text: [UInt8] = []
        swap(&text, &written)
        return text
    }

    /// The text with a line end, for terminals.
    package consuming func line() -> [UInt8] {
        append(UInt8(ascii: "\n"))
        return finish()
    }

    /// Begins an object, as a value.
    package mutating func beginObject() {
        separate()
        append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends the object that was begun last.
    package mutating func endObject() {
        append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Begins a list, as a value.
    package mutating func beginArray() {
        separate()
        append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends the list that was begun last.
    package mutating func endArray() {
        append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Begins a member of an object; its value has to follow.
    ///
    /// - Parameter name: needs no escape.
    package mutating func key(_ name: StaticString) {
        begin(name, "\":")
        needsComma = false
    }

    /// Writes a member whose value is `null`.
    ///
    /// - Parameter name: needs no escape.
    package mutating func null(_ name: StaticString) {
        begin(name, "\":null")
        needsComma = true
    }

    /// Begins a member whose name is any text.
    package mutating func key(any name: String) {
        separate()
        append(quoted: name)
        append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes `null`.
    package mutating func writeNull() { write(literal: "null") }

    /// Writes a boolean.
    package mutating func write(_ value: Bool) { write(literal: value ? "true" : "false") }

    private mutating func write(literal: StaticString) {
        separate()
        append(atMost: literal.utf8CodeUnitCount) { $0.append(literal) }
    }

    /// Writes a text.
    package mutating func write(_ value: String) {
        separate()
        append(quoted: value)
    }

    /// Writes a whole number.
    package mutating func write(_ value: Int64) {
        separate()
        append(atMost: Int64.digitsAtMost) { $0.append(decimal: value) }
    }

    /// Writes a number; `null` for one that is not finite.
    package mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        separate()
        let digits = value.description
        append(atMost: digits.utf8.count) { room in
            for byte in digits.utf8 { room.append(byte) }
        }
    }

    /// Writes an instant as a text; see `Timestamp.rfc3339`.
    package mutating func write(_ value: Timestamp) {
        separate()
        append(atMost: 2 + Timestamp.textLength) { room in
            room.append(UInt8(ascii: "\""))
            value.append(to: &room)
            room.append(UInt8(ascii: "\""))
        }
    }

    /// Writes an identifier in its text form.
    package mutating func write(_ value: Identifier, _ kind: IdentifierKind) {
        separate()
        append(atMost: 2 + Identifier.textLength) { room in
            room.append(UInt8(ascii: "\""))
            value.append(kind, to: &room)
            room.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a value of any kind.
    package mutating func write(_ value: JSON) {
        if case .object(let object) = value, object.isEmpty {
            beginObject()
            return endObject()
        }
        separate()
        flush()
        value.append(to: &written)
    }

    /// Copies bytes that are a JSON value in the form of this writer.
    package mutating func write(verbatim value: some Sequence<UInt8>) {
        separate()
        flush()
        written.append(contentsOf: value)
    }
}

extension JSONWriter {
    /// Writes a comma before a value if another one precedes in the current object or list.
    @inline(__always)
    private mutating func separate() {
        if needsComma { append(UInt8(ascii: ",")) }
        needsComma = true
    }

    @inline(__always)
    private mutating func begin(_ name: StaticString, _ rest: StaticString) {
        let isNext = needsComma
        append(atMost: 2 + name.utf8CodeUnitCount + rest.utf8CodeUnitCount) { room in
            if isNext { room.append(UInt8(ascii: ",")) }
            room.append(UInt8(ascii: "\""))
            room.append(name)
            room.append(rest)
        }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        if used == JSONWriter.chunkSize { flush() }
        chunk[used] = byte
        used += 1
    }

    /// Appends bytes by a closure that writes them in place.
    @inline(__always)
    private mutating func append(atMost most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        precondition(most <= JSONWriter.chunkSize, "a chunk has less room")
        if most > JSONWriter.chunkSize - used { flush() }
        let start = used
        var span = chunk.mutableSpan
        // Safe because the room is that of the span, and is given up before the span.
        let count = unsafe span.withUnsafeMutableBufferPointer { chunk in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: chunk[start...])
            var room = unsafe OutputSpan(buffer: rest, initializedCount: 0)
            write(&room)
            return unsafe room.finalize(for: rest)
        }
        used = start + count
    }

    private mutating func append(quoted text: String) {
        let bytes = text.utf8.span
        guard bytes.count <= JSONWriter.chunkSize - 2, !JSON.needsEscape(bytes) else {
            flush()
            return JSON.append(text, to: &written)
        }
        append(atMost: bytes.count + 2) { room in
            room.append(UInt8(ascii: "\""))
            unsafe bytes.withUnsafeBufferPointer { unsafe room.append(copying: $0) }
            room.append(UInt8(ascii: "\""))
        }
    }

    private mutating func flush() { flush(reserving: capacity) }

    private mutating func flush(reserving capacity: Int) {
        if written.isEmpty { written.reserveCapacity(capacity) }
        let bytes = chunk.span.extracting(first: used)
        unsafe bytes.withUnsafeBufferPointer { unsafe written.append(contentsOf: $0) }
        used = 0
    }
}
