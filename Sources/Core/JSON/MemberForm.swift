/// For whom an object is written.
package enum MemberForm: Sendable {
    /// For a column of the store: what is absent is left out.
    case stored
    /// For a client: what is absent is `null`, or left out where declared so.
    case shown
}
