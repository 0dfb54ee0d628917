// The numbers of flight_ends.kind.

/// The way in which the followers of an ended leader continue; the raw value is the number in the
/// store.
enum FlightEndKind: Int16, CaseIterable {
    /// They get the leader's content.
    case succeeded = 0
    /// The next follower continues with the leader's bytes.
    case passed = 1
    /// Each continues by itself.
    case failed = 2
}
