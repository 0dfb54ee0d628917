internal import Glibc
internal import Platform

/// An event that a notification listener reports.
package enum ListenerEvent: Sendable, Equatable {
    /// The listener listens from now on; earlier notifications may be lost, so read the data once.
    case listening
    /// The listener has lost its connection and does not listen until it has connected again.
    case interrupted
    /// A notification arrived.
    case notified(channel: String, payload: String)
}
