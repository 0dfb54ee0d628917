// JSON values as Swift literals.

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// The literal `null`.
    package init(nilLiteral: ()) { self = .null }
    /// A boolean.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    package init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    package init(floatLiteral value: Double) { self = .number(value) }
    /// A text.
    package init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object; a repeated key is a bug.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(members: elements))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object; a repeated key is a bug.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(members: elements)
    }
}
