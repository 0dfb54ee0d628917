/// The treatment of a new download if its session has a live one for the same bytes; the raw value
/// is the API's.
package enum DuplicateRule: String, Sendable, CaseIterable, MemberValue {
    /// It has a transfer of its own.
    case independent
    /// It waits for the transfer of the first one and gets its content.
    case join
}
