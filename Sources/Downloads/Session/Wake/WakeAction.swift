/// An action that a look at a session makes necessary.
package enum WakeAction: Equatable, Sendable {
    /// Send the wake, for the first time or again.
    case send(Wake)
    /// The wake ended without being completed.
    case abandoned(Wake)
    /// No live download is left.
    case drained
}
