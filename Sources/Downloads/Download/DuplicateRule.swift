/// What a new download does where its session has a live one that asks for the same bytes; the raw
/// value is the API's.
package enum DuplicateRule: String, Sendable, CaseIterable, MemberValue {
    /// It has a transfer of its own.
    case independent
    /// It waits for the transfer of the first one and gets its content.
    case join
}
