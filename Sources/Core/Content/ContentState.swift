/// Whether the file of a finished download is still available; the raw value is the API's.
package enum ContentState: String, Sendable, CaseIterable, MemberValue {
    /// It can be had.
    case held
    /// It can be had, and longer than its retention, because it was read lately; only shown.
    case leased
    /// The client has it and gave it back.
    case released
    /// Its time was over.
    case expired
    /// Somebody has edited the file where it was placed; only shown.
    case changed
    /// It was found missing or damaged.
    case lost
}
