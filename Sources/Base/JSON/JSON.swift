// The values of requests, answers and settings.

/// A JSON value (RFC 8259).
package enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; one that is not finite is written as `null`.
    case number(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSON])
    /// Named values in the order in which they were written.
    case object(JSONObject)
}

extension JSON: Equatable {
    /// Compares kind and value: `1` is not `1.0`, texts are compared by bytes (not by canonical
    /// equivalence), objects without regard to the order of their members.
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSON {
    /// Whether this is `null`.
    package var isNull: Bool { self == .null }

    /// The boolean; nil for any other kind.
    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The whole number; nil for any other value.
    ///
    /// `3.0` and `3e2` count as whole, as in JSON Schema.
    package var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The number, rounded to the nearest double, or nil for any other kind.
    package var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text, or nil for any other kind.
    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The list, or nil for any other kind.
    package var arrayValue: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The object, or nil for any other kind.
    package var objectValue: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The member of this name; nil if there is none or the value is no object.
    package subscript(key: String) -> JSON? { objectValue?[key] }

    /// The element at this position; nil if there is none or the value is no array.
    package subscript(index: Int) -> JSON? {
        guard let list = arrayValue, list.indices.contains(index) else { return nil }
        return list[index]
    }
}
