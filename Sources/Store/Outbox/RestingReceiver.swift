package import Core

/// A webhook URL to which nothing is sent for a time, because it answered 410 Gone.
package struct RestingReceiver: Sendable, Equatable {
    /// The URL.
    package let url: String
    /// When it answered that first.
    package let since: Timestamp
    /// Until when nothing is sent to it.
    package let until: Timestamp
}
