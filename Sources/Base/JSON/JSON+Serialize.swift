// Writes JSON: compact, in order, in ASCII.

extension JSON {
    /// The value as compact JSON text in ASCII bytes.
    ///
    /// Members keep their order, integers are exact, doubles have the fewest digits that read back
    /// as an equal double, characters outside ASCII are escaped, slashes are not.
    package func serialized() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256)
        append(to: &output)
        return output
    }

    /// The value as compact JSON text; see `serialized()`.
    package var text: String { String(decoding: serialized(), as: UTF8.self) }

    /// Appends the value as compact JSON text; see `serialized()`.
    package func append(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(decimal: value)
        case .number(let value):
            output.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): JSON.append(value, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                element.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object): object.append(to: &output)
        }
    }

    /// Appends a text in quotation marks.
    package static func append(_ text: String, to output: inout [UInt8]) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe appendQuoted(bytes, to: &output)
        }
        if isDone == nil {
            let bytes = Array(text.utf8)
            unsafe bytes.withUnsafeBufferPointer { unsafe appendQuoted($0, to: &output) }
        }
    }

    private static func appendQuoted(
        _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) {
        guard unsafe bytes.contains(where: needsEscape) else {
            return output.append(atMost: bytes.count + 2) { room in
                room.append(UInt8(ascii: "\""))
                unsafe room.append(copying: bytes)
                room.append(UInt8(ascii: "\""))
            }
        }
        output.append(UInt8(ascii: "\""))
        unsafe appendEscaped(bytes, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Whether any byte of a text has to be written as an escape.
    static func needsEscape(_ bytes: Span<UInt8>) -> Bool {
        for place in bytes.indices where needsEscape(bytes[place]) { return true }
        return false
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5c
    }

    /// Copies runs that need no escape in one piece.
    private static func appendEscaped(
        _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
    ) {
        var start = 0
        var index = 0
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if !needsEscape(byte) {
                index += 1
                continue
            }
            if start < index { unsafe output.append(contentsOf: bytes[start..<index]) }
            if byte < 0x80 {
                appendEscape(of: byte, to: &output)
                index += 1
            } else {
                // The bytes come from a String, so the sequence is whole and valid.
                let width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
                var value = UInt32(byte) & (0x7f >> UInt32(width))
                for offset in 1..<width {
                    value = unsafe value << 6 | UInt32(bytes[index + offset] & 0x3f)
                }
                appendEscape(ofScalar: value, to: &output)
                index += width
            }
            start = index
        }
        if start < index { unsafe output.append(contentsOf: bytes[start..<index]) }
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5c: output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0a: output.append(UInt8(ascii: "n"))
        case 0x0c: output.append(UInt8(ascii: "f"))
        case 0x0d: output.append(UInt8(ascii: "r"))
        default:
            output.removeLast()
            appendUnit(UInt32(byte), to: &output)
        }
    }

    private static func appendEscape(ofScalar value: UInt32, to output: inout [UInt8]) {
        guard value >= 0x10000 else { return appendUnit(value, to: &output) }
        appendUnit(0xd800 + (value - 0x10000) >> 10, to: &output)
        appendUnit(0xdc00 + (value - 0x10000) & 0x3ff, to: &output)
    }

    private static func appendUnit(_ unit: UInt32, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        output.append(UInt8(ascii: "u"))
        for shift in stride(from: UInt32(12), through: 0, by: -4) {
            let digit = UInt8(unit >> shift & 0xf)
            output.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
        }
    }
}

extension JSONObject {
    /// The object as compact JSON text in ASCII bytes; see `JSON.serialized()`.
    package func serialized() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512)
        append(to: &output)
        return output
    }

    /// Appends the object as compact JSON text.
    package func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (position, member) in members.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            JSON.append(member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.append(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    package var description: String { text }
}
