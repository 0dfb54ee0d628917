// Reads texts and numbers.

extension JSONParser {
    /// Reads a key, whose opening quotation mark is at the position.
    ///
    /// Repeated long keys, as in the items of a list, share the text of the first one; the common
    /// long keys of requests are constants of this program.
    mutating func key() throws(JSONError) -> String {
        let start = index + 1
        var end = start
        while end < bytes.count, end - start <= 64, bytes[end] != UInt8(ascii: "\"") { end += 1 }
        // A text of up to 15 bytes needs no allocation.
        guard end < bytes.count, (16...64).contains(end - start) else { return try string() }
        let place = JSONParser.keyPlace(end - start, bytes[start], bytes[end - 1])
        if knownKeys[place].utf8.elementsEqual(bytes[start..<end]) {
            index = end + 1
            return knownKeys[place]
        }
        let key = try string()
        // A key with escapes is not kept, because its text differs from its bytes.
        if key.utf8.count == end - start { knownKeys[place] = key }
        return key
    }

    /// The index of a key in `knownKeys`, from its length, first and last byte.
    private static func keyPlace(_ count: Int, _ first: UInt8, _ last: UInt8) -> Int {
        (count + Int(first) &* 7 + Int(last) &* 31) & 63
    }

    /// The long keys of creates, each at its index.
    static let usualKeys: [String] = {
        var keys = Array(repeating: "", count: 64)
        for key in [
            "count_of_bytes_client_expects_to_receive", "count_of_bytes_client_expects_to_send",
            "earliest_begin_date", "is_discretionary", "task_description",
            "timeout_interval_for_request", "timeout_interval_for_resource", "max_bytes_per_second",
        ] {
            let bytes = Array(key.utf8)
            keys[keyPlace(bytes.count, bytes[0], bytes[bytes.count - 1])] = key
        }
        return keys
    }()

    /// Reads a text whose opening quotation mark is at the position.
    mutating func string() throws(JSONError) -> String {
        let start = index + 1
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                index = end + 1
                return try text(of: bytes[start..<end], from: start)
            }
            if byte == UInt8(ascii: "\\") { break }
            guard byte >= 0x20 else {
                throw fault("a control character must be escaped", at: end)
            }
            end += 1
        }
        index = end
        return try escapedString(start: start)
    }

    /// Reads on from the first backslash.
    private mutating func escapedString(start: Int) throws(JSONError) -> String {
        var content = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = index
                index += 1
                return try text(of: content[...], from: start, rawEnd: end)
            case UInt8(ascii: "\\"): try escape(into: &content)
            case 0..<0x20: throw fault("a control character must be escaped")
            default:
                content.append(byte)
                index += 1
            }
        }
        throw fault("a closing quotation mark is expected")
    }

    private mutating func text(
        of content: ArraySlice<UInt8>, from start: Int, rawEnd: Int? = nil
    ) throws(JSONError) -> String {
        try keep(textBytes: content.count)
        if let text = String(validating: content, as: UTF8.self) { return text }
        let raw = bytes[start..<(rawEnd ?? start + content.count)]
        throw fault("the text is not UTF-8", at: start + Self.validPrefix(of: raw))
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
        let start = index
        index += 1
        let byte: UInt8
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = current
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0c
        case UInt8(ascii: "n"): byte = 0x0a
        case UInt8(ascii: "r"): byte = 0x0d
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape(start: start)
            if scalar.value == 0 { hasNUL = true }
            if let encoded = UTF8.encode(scalar) { content.append(contentsOf: encoded) }
            return
        default: throw fault("this escape does not exist", at: start)
        }
        content.append(byte)
        index += 1
    }

    /// Reads `uXXXX`, and the second half of a surrogate pair.
    private mutating func unicodeEscape(start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try hexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xdc00, current == UInt8(ascii: "\\") else {
            throw fault("one half of a surrogate pair is missing", at: start)
        }
        index += 1
        guard current == UInt8(ascii: "u") else {
            throw fault("one half of a surrogate pair is missing", at: start)
        }
        let second = try hexDigits()
        // A valid pair always gives a scalar, so the conversion cannot fail.
        let value = 0x10000 + (UInt32(first) & 0x3ff) << 10 + (UInt32(second) & 0x3ff)
        guard (0xdc00...0xdfff).contains(second), let scalar = Unicode.Scalar(value) else {
            throw fault("one half of a surrogate pair is missing", at: start)
        }
        return scalar
    }

    /// Reads the four digits behind the `u` at the position.
    private mutating func hexDigits() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        index += 1
        for _ in 0..<4 {
            let digit: UInt8
            switch current {
            case 0x30...0x39: digit = current - 0x30
            case 0x41...0x46: digit = current - 0x41 + 10
            case 0x61...0x66: digit = current - 0x61 + 10
            default: throw fault("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt16(digit)
            index += 1
        }
        return value
    }

    /// Reads a number; the position is at its sign or first digit.
    mutating func number() throws(JSONError) -> JSON {
        let start = index
        let isNegative = current == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard isDigit(current) else { throw fault("a digit is expected") }
        if current == 0x30 {
            index += 1
            if isDigit(current) { throw fault("a number has no leading zero", at: start) }
        }
        // The number is built as a negative one, because that range has one value more.
        var negative: Int64 = 0
        var fits = true
        while isDigit(current) {
            let (scaled, overflowed) = negative.multipliedReportingOverflow(by: 10)
            let (sum, below) = scaled.subtractingReportingOverflow(Int64(current - 0x30))
            fits = fits && !overflowed && !below
            negative = sum
            index += 1
        }
        let isWhole = try !fractionAndExponent()
        if isWhole, fits, isNegative { return .integer(negative) }
        if isWhole, fits, negative > .min { return .integer(-negative) }
        guard index - start <= 1024 else { throw excess("the number is too long", at: start) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw fault("the number is too large", at: start)
        }
        return .number(value)
    }

    /// Reads the fraction and the exponent, and returns whether there was one.
    private mutating func fractionAndExponent() throws(JSONError) -> Bool {
        var found = false
        if current == UInt8(ascii: ".") {
            found = true
            index += 1
            try digits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            found = true
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        return found
    }

    private mutating func digits() throws(JSONError) {
        guard isDigit(current) else { throw fault("a digit is expected") }
        while isDigit(current) { index += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The number of leading bytes that are complete UTF-8 sequences (RFC 3629).
    private static func validPrefix(of bytes: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var source = bytes.makeIterator()
        var count = 0
        while case .scalarValue(let scalar) = decoder.decode(&source) {
            count += UTF8.width(scalar)
        }
        return count
    }
}
