// Reads JSON: one pass over the bytes, which ends at the first fault.

extension JSON {
    /// Reads a JSON text strictly by RFC 8259.
    ///
    /// Besides bad syntax these are refused: a byte order mark, bytes that are not UTF-8, lone
    /// surrogates, a repeated key in an object, numbers that no double can represent, and anything
    /// after the value.
    ///
    /// - Parameters:
    ///   - bytes: the whole text.
    ///   - limits: bounds of depth and size.
    /// - Returns: the value.
    /// - Throws: `JSONError` with the place of the first fault.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .default
    ) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: bytes, limits: limits)
        defer { WorkMeter.add(parser.index) }
        return try parser.document()
    }

    /// Reads a JSON text; see `parse(_:limits:)`.
    ///
    /// - Parameters:
    ///   - bytes: the whole text.
    ///   - limits: bounds of depth and size.
    ///   - hasNUL: set to whether a text or a key has the character U+0000.
    /// - Returns: the value.
    /// - Throws: `JSONError` with the place of the first fault.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .default, hasNUL: inout Bool
    ) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: bytes, limits: limits)
        defer { WorkMeter.add(parser.index) }
        let value = try parser.document()
        hasNUL = parser.hasNUL
        return value
    }

    /// Reads a JSON text; see `parse(_:limits:)` over bytes.
    package static func parse(
        _ text: String, limits: JSONLimits = .default
    ) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), limits: limits)
    }
}

/// A position in a JSON text, and functions that read what follows it.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var index = 0
    /// Whether a text or a key has the character U+0000.
    var hasNUL = false
    /// Long keys that were read before, by their length and ends; see `key()`.
    var knownKeys = JSONParser.usualKeys
    private var depth = 0
    private var values = 0
    /// Bytes of memory that the values so far take, as `limits.memory` counts them.
    private var memory = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(JSONError) -> JSON {
        guard bytes.count <= limits.bytes else {
            throw excess("the text is longer than \(limits.bytes) bytes", at: 0)
        }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            throw fault("a byte order mark is not allowed", at: 0)
        }
        skipWhitespace()
        let value = try value()
        skipWhitespace()
        guard index == bytes.count else { throw fault("nothing may follow the value") }
        return value
    }

    /// The byte at the position, or 0 at the end: a byte of 0 is invalid everywhere.
    var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// The error for an exceeded limit.
    func excess(_ message: String, at offset: Int? = nil) -> JSONError {
        JSONError(message, at: offset ?? index, in: bytes, isBeyondLimits: true)
    }

    func fault(_ message: String, at offset: Int? = nil) -> JSONError {
        let offset = offset ?? index
        let suffix = offset >= bytes.count ? ", but the text ends" : ""
        return JSONError(message + suffix, at: offset, in: bytes)
    }

    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0a, 0x0d, 0x09: index += 1
            default: return
            }
        }
    }

    /// Counts the memory of a text; up to 15 bytes are stored in the value itself.
    mutating func keep(textBytes: Int) throws(JSONError) {
        if textBytes > 15 { try keep(textBytes + 48) }
    }

    private mutating func keep(_ bytes: Int) throws(JSONError) {
        memory += bytes
        guard memory <= limits.memory else {
            throw excess("the values would take more than \(limits.memory) bytes of memory")
        }
    }

    private mutating func value() throws(JSONError) -> JSON {
        values += 1
        guard values <= limits.values else {
            throw excess("there are more than \(limits.values) values")
        }
        switch current {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default: throw fault("a value is expected")
        }
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, "\(word)".utf8.elementsEqual(bytes[index..<end]) else {
            throw fault("\(word) is expected", at: min(index, bytes.count))
        }
        index = end
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= limits.depth else {
            throw excess("there are more than \(limits.depth) levels")
        }
        index += 1
        skipWhitespace()
    }

    private mutating func array() throws(JSONError) -> [JSON] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSON] = []
        if current == UInt8(ascii: "]") {
            index += 1
            return elements
        }
        while true {
            elements.append(try value())
            try keep(elements.count == 1 ? 48 : 16)
            skipWhitespace()
            switch current {
            case UInt8(ascii: ","):
                index += 1
                skipWhitespace()
            case UInt8(ascii: "]"):
                index += 1
                return elements
            default: throw fault("a comma or ] is expected")
            }
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        try enter()
        defer { depth -= 1 }
        var members: [(key: String, value: JSON)] = []
        var seen: Set<KeyText> = []
        if current == UInt8(ascii: "}") {
            index += 1
            return JSONObject()
        }
        members.reserveCapacity(4)
        while true {
            let start = index
            guard current == UInt8(ascii: "\"") else {
                throw fault("a key in quotation marks is expected")
            }
            guard members.count < limits.members else {
                throw excess("an object has more than \(limits.members) members", at: start)
            }
            let key = try key()
            guard isNew(key, among: members, seen: &seen) else {
                let name = JSON.string(key.cut(to: 128)).text
                throw fault("the key \(name) is given twice", at: start)
            }
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { throw fault("a colon is expected") }
            index += 1
            skipWhitespace()
            members.append((key, try value()))
            try keep(members.count == 1 ? 80 : 32)
            skipWhitespace()
            switch current {
            case UInt8(ascii: ","):
                index += 1
                skipWhitespace()
            case UInt8(ascii: "}"):
                index += 1
                return JSONObject(parsed: members)
            default: throw fault("a comma or } is expected")
            }
        }
    }

    /// A walk for few members, a set for many: an object of an attacker must not cost quadratic
    /// time.
    private func isNew(
        _ key: String, among members: [(key: String, value: JSON)], seen: inout Set<KeyText>
    ) -> Bool {
        WorkMeter.add(members.count < 12 ? members.count : 1)
        if members.count < 12 { return !members.contains { KeyText.areEqual($0.key, key) } }
        if seen.isEmpty { seen = Set(members.map { KeyText($0.key) }) }
        return seen.insert(KeyText(key)).inserted
    }
}
