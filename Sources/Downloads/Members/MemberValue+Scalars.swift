// Reads and writes the plain values of members.
package import Base

extension Bool: MemberValue {
    /// Reads a boolean.
    package init?(stored value: StoredJSON) {
        guard let value = value.boolValue else { return nil }
        self = value
    }

    /// Writes a boolean.
    package func write(to writer: inout JSONWriter, as form: MemberForm) { writer.write(self) }
}

extension Int64: MemberValue {
    /// Reads a whole number.
    package init?(stored value: StoredJSON) {
        guard let value = value.integerValue else { return nil }
        self = value
    }

    /// Writes a whole number.
    package func write(to writer: inout JSONWriter, as form: MemberForm) { writer.write(self) }
}

extension Int: MemberValue {
    /// Reads a whole number.
    package init?(stored value: StoredJSON) {
        guard let value = Int64(stored: value) else { return nil }
        self.init(value)
    }

    /// Writes a whole number.
    package func write(to writer: inout JSONWriter, as form: MemberForm) {
        writer.write(Int64(self))
    }
}

extension String: MemberValue {
    /// Reads a text.
    package init?(stored value: StoredJSON) {
        guard let value = value.stringValue else { return nil }
        self = value
    }

    /// Writes a text.
    package func write(to writer: inout JSONWriter, as form: MemberForm) { writer.write(self) }
}

extension Identifier: MemberValue {
    /// Reads 32 hexadecimal digits.
    package init?(stored value: StoredJSON) {
        guard let text = value.stringValue else { return nil }
        self.init(hexadecimal: text)
    }

    /// Writes 32 hexadecimal digits.
    package func write(to writer: inout JSONWriter, as form: MemberForm) {
        writer.write(hexadecimal)
    }
}

extension Timestamp: MemberValue {
    /// Reads an instant; see `init(rfc3339:)`.
    package init?(stored value: StoredJSON) {
        guard let text = value.stringValue else { return nil }
        self.init(rfc3339: text)
    }

    /// Writes an instant with milliseconds.
    package func write(to writer: inout JSONWriter, as form: MemberForm) { writer.write(self) }
}

extension Array: MemberValue where Element: MemberValue {
    /// Reads a list; nil if an element has another kind.
    package init?(stored value: StoredJSON) {
        guard let list = value.elements else { return nil }
        self = list.compactMap { Element(stored: $0) }
        guard count == list.count else { return nil }
    }

    /// Writes a list.
    package func write(to writer: inout JSONWriter, as form: MemberForm) {
        writer.beginArray()
        for element in self { element.write(to: &writer, as: form) }
        writer.endArray()
    }
}

extension JSONObject: MemberValue {
    /// Reads an object with any members.
    package init?(stored value: StoredJSON) {
        guard let object = value.tree?.objectValue else { return nil }
        self = object
    }

    /// Writes the members as they are.
    package func write(to writer: inout JSONWriter, as form: MemberForm) {
        writer.write(.object(self))
    }
}

extension MemberValue where Self: RawRepresentable, RawValue == String {
    /// Reads the raw value of an enumeration.
    package init?(stored value: StoredJSON) {
        guard let text = value.stringValue else { return nil }
        self.init(rawValue: text)
    }

    /// Writes the raw value.
    package func write(to writer: inout JSONWriter, as form: MemberForm) {
        writer.write(rawValue)
    }
}
