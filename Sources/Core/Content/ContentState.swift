/// Whether the file of a finished download can still be had; the raw value is the resource's word.
package enum ContentState: String, Sendable, CaseIterable, MemberValue {
    /// It can be had.
    case held
    /// The client has it and gave it back.
    case released
    /// Its time was over.
    case expired
    /// It was found missing or damaged.
    case lost
}
