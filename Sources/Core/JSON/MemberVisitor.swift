/// Goes over the members of an object.
package protocol MemberVisitor {
    /// A member that is always written; where a stored object has none, it keeps its value in
    /// `MemberList.blank`.
    mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value)

    /// A member that may be absent; a stored value of another kind counts as absent.
    mutating func visit<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ place: MemberPlace)

    /// A member that is not stored where it has its usual value.
    mutating func visit<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, usually usual: Value)
}

extension MemberVisitor {
    /// A member that may be absent, and is shown as `null` then.
    mutating func visit<Value: MemberValue>(_ name: StaticString, _ value: inout Value?) {
        visit(name, &value, .everywhere)
    }
}
