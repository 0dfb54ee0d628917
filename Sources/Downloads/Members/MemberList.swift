// An object that declares each member once: for reading the stored form, for writing it, and for
// showing it.
package import Base

/// A value that is an object; `visit` names each of its members once.
///
///     mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
///         members.visit("length", &length)
///         members.visit("expires_at", &expiresAt)
///     }
package protocol MemberList: MemberValue, Equatable, Sendable {
    /// The blank value that reading fills in: it has the values of absent members.
    static var blank: Self { get }

    /// Passes each member with its name, in the order in which they are written.
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor)
}

extension MemberList {
    /// Reads a stored object; nil if a member that is always written has a value of another
    /// kind.
    package init?(stored value: StoredJSON) {
        guard let members = value.members else { return nil }
        var reader = MemberReader(members: members)
        var list = Self.blank
        list.visit(&reader)
        guard reader.isReadable else { return nil }
        self = list
    }

    /// Reads a stored object that is part of a tree.
    package init?(stored tree: JSON) { self.init(stored: StoredJSON(tree.serialized()[...])) }

    /// Writes the object.
    package func write(to writer: inout JSONWriter, as form: MemberForm) {
        writer.beginObject()
        writeMembers(to: &writer, as: form)
        writer.endObject()
    }

    /// Writes the members into an object that was begun.
    func writeMembers(to writer: inout JSONWriter, as form: MemberForm) {
        var members = MemberWriter(writer: consume writer, form: form)
        // The one list of members serves reading and writing; when writing it changes nothing.
        var list = self
        list.visit(&members)
        writer = members.writer
    }

    /// The stored form as a tree of values.
    package var tree: JSON {
        do throws(JSONError) {
            return try JSON.parse(text(as: .stored))
        } catch {
            preconditionFailure("what is written is JSON")
        }
    }

    /// The object as JSON text.
    package func text(as form: MemberForm) -> String {
        String(decoding: bytes(as: form), as: UTF8.self)
    }

    /// The object as JSON text in UTF-8.
    package func bytes(as form: MemberForm) -> [UInt8] {
        var writer = JSONWriter(capacity: 768)
        write(to: &writer, as: form)
        return writer.finish()
    }
}

extension JSONWriter {
    /// Writes a member that is shown as `null` when it is absent.
    package mutating func member(_ name: StaticString, _ value: (some MemberValue)?) {
        guard let value else { return null(name) }
        key(name)
        value.write(to: &self, as: .shown)
    }
}

private struct MemberReader: MemberVisitor {
    let members: StoredMembers
    var isReadable = true

    // Inlined up to the check for presence, because most members are absent.
    @inline(__always)
    mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value) {
        if members.mayHave(name) { read(name, &value) }
    }

    @inline(__always)
    mutating func visit<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ place: MemberPlace
    ) {
        guard members.mayHave(name), let member = members[name], !member.isNull else { return }
        value = Value(stored: member)
    }

    @inline(__always)
    mutating func visit<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, usually usual: Value
    ) {
        value = usual
        if members.mayHave(name) { read(name, &value) }
    }

    private mutating func read<Value: MemberValue>(_ name: StaticString, _ value: inout Value) {
        guard let member = members[name], !member.isNull else { return }
        if let found = Value(stored: member) { value = found } else { isReadable = false }
    }
}

private struct MemberWriter: MemberVisitor {
    var writer: JSONWriter
    let form: MemberForm

    mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value) {
        writer.key(name)
        value.write(to: &writer, as: form)
    }

    mutating func visit<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ place: MemberPlace
    ) {
        if form == .shown, place == .storedOnly { return }
        if let value {
            writer.key(name)
            value.write(to: &writer, as: form)
        } else if form == .shown, place == .everywhere {
            writer.null(name)
        }
    }

    mutating func visit<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, usually usual: Value
    ) {
        guard form == .shown || value != usual else { return }
        visit(name, &value)
    }
}
