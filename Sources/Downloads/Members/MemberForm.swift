/// The purpose for which an object is written.
package enum MemberForm: Sendable {
    /// For a column of the store: absent members are left out.
    case stored
    /// For a client: absent members are `null`, or left out where declared so.
    case shown
}
