// What shares one rate.

/// Something that a limit in bytes a second may hold for.
package enum RateScope: Hashable, Sendable {
    /// One transfer, by the number that its scheduler knows it by.
    case transfer(Int)
    /// Everything of a session, by its key.
    case session(Int64)
    /// Everything from an origin, by its key.
    case origin(Int64)
    /// Everything.
    case deployment
}
