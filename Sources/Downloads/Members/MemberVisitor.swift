/// Visits the members of an object, to read or to write them.
package protocol MemberVisitor {
    /// Visits a member that is always written; where a stored object has none, it keeps its value
    /// in `MemberList.blank`.
    mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value)

    /// Visits a member that may be absent; a stored value of another kind counts as absent.
    mutating func visit<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ place: MemberPlace)

    /// Visits a member that is not stored if it has its usual value.
    mutating func visit<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, usually usual: Value)
}

extension MemberVisitor {
    /// Visits a member that may be absent, and is shown as `null` then.
    mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value?) {
        visit(name, &value, .everywhere)
    }
}
