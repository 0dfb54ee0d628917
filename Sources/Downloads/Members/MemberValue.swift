package import Base

/// What a member of an object can have as its value.
package protocol MemberValue {
    /// Reads what `write` wrote in the stored form; nil for anything else.
    init?(stored value: StoredJSON)

    /// Writes the value.
    func write(to writer: inout JSONWriter, as form: MemberForm)
}
