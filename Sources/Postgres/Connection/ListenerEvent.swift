internal import Glibc
internal import Platform

/// An event for a listener.
package enum ListenerEvent: Sendable, Equatable {
    /// It listens from now on; what was sent before may be lost, so look once.
    case listening
    /// It does not listen any more, until it has connected again.
    case interrupted
    /// Somebody sent a notification.
    case notified(channel: String, payload: String)
}
