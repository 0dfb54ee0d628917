// What is wrong with one member of a document.

/// One finding in a document that a client sent.
package struct FieldError: Error, Equatable, Sendable {
    /// Where, as a JSON Pointer in a URI fragment (RFC 6901 section 6), for example `#/url`.
    package let pointer: String
    /// What to change, one sentence.
    package let detail: String

    /// Names a finding.
    package init(_ pointer: String, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Reads the members of an object, collects what is wrong, and knows which members nobody read.
package struct FieldReader {
    private let object: JSONObject
    private let path: String
    private var known: Set<String> = []
    /// The findings so far, in the order of reading.
    package private(set) var errors: [FieldError] = []

    /// Starts reading an object that stands at a pointer.
    ///
    /// - Parameters:
    ///   - object: the members.
    ///   - path: the pointer of the object, `#` for the document.
    package init(_ object: JSONObject, at path: String = "#") {
        self.object = object
        self.path = path
    }

    /// Adds a finding about a member.
    package mutating func refuse(_ key: String, _ detail: String) {
        errors.append(FieldError(pointer(key), detail))
    }

    /// Takes over the findings of a reader of a part.
    package mutating func adopt(_ others: [FieldError]) { errors += others }

    /// The pointer of a member: `~` and `/` escaped, and percent-encoded what may not stand in a
    /// fragment (RFC 6901 sections 3 and 6, RFC 3986 section 3.5).
    package func pointer(_ key: String) -> String {
        var escaped = ""
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "~"): escaped += "~0"
            case UInt8(ascii: "/"): escaped += "~1"
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._!$&'()*+,;=:@?".utf8.contains(byte):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return path + "/" + escaped
    }

    /// The member as it is; null counts as absent.
    package mutating func value(_ key: String) -> JSON? {
        known.insert(key)
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    /// A text of bounded length.
    package mutating func string(_ key: String, maximumLength: Int) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else {
            refuse(key, "must be a string")
            return nil
        }
        guard text.utf8.count <= maximumLength else {
            refuse(key, "must have at most \(maximumLength) bytes, has \(text.utf8.count)")
            return nil
        }
        return text
    }

    /// True or false.
    package mutating func bool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else {
            refuse(key, "must be true or false")
            return nil
        }
        return flag
    }

    /// A whole number in a range.
    package mutating func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.integerValue, range.contains(number) else {
            refuse(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// A number in a range.
    package mutating func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let number) where range.contains(Double(number)): return Double(number)
        case .number(let number) where range.contains(number): return number
        default:
            refuse(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
    }

    /// An instant as RFC 3339 writes it.
    package mutating func timestamp(_ key: String) -> Timestamp? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value, let instant = Timestamp(rfc3339: text) else {
            refuse(
                key, "must be an RFC 3339 date with a zone, for example \"2026-11-22T01:00:00Z\"")
            return nil
        }
        return instant
    }

    /// A list of texts of bounded length.
    package mutating func strings(_ key: String, maximumCount: Int) -> [String]? {
        guard let value = value(key) else { return nil }
        guard case .array(let items) = value, items.count <= maximumCount else {
            refuse(key, "must be a list of at most \(maximumCount) strings")
            return nil
        }
        var texts: [String] = []
        for (place, item) in items.enumerated() {
            guard case .string(let text) = item else {
                errors.append(FieldError(pointer(key) + "/\(place)", "must be a string"))
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    /// Ends the reading: every member that nobody asked for is a finding.
    ///
    /// - Returns: all findings.
    package mutating func finish() -> [FieldError] {
        let names = known.sorted()
        for (key, _) in object.members where !known.contains(key) {
            refuse(key, "is not known here; known are \(names.joined(separator: ", "))")
        }
        return errors
    }
}
