// The numbers of flight_ends.kind; functions/codes.sql names the same.

/// What becomes of the downloads that had joined one; the raw value is the number in the store.
enum FlightEndKind: Int16, CaseIterable {
    /// They get its content.
    case succeeded = 0
    /// The next of them goes on with its bytes.
    case passed = 1
    /// Each goes on by itself.
    case failed = 2
}
