package import Base

/// A type whose values can be members of an object.
package protocol MemberValue {
    /// Reads what `write` wrote in the stored form; nil for anything else.
    init?(stored value: StoredJSON)

    /// Writes the value.
    func write(to writer: inout JSONWriter, as form: MemberForm)
}
