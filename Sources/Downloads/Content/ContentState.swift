/// Whether the file of a finished download is still available; the raw value is the API's.
package enum ContentState: String, Sendable, CaseIterable, MemberValue {
    /// It can be read.
    case held
    /// It can still be read after its retention, because it was read a short time ago; only shown.
    case leased
    /// The client has it and gave it back.
    case released
    /// It was kept for its retention and is removed.
    case expired
    /// Somebody has edited the file where it was placed; only shown.
    case changed
    /// It was found missing or damaged.
    case lost
}
