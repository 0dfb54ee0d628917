package import Base

/// A webhook URL to which nothing is sent for a time, because it answered 410 Gone.
package struct RestingReceiver: Sendable, Equatable {
    /// The URL.
    package let url: String
    /// The time of its first answer of 410.
    package let since: Timestamp
    /// The time until which nothing is sent to it.
    package let until: Timestamp
}
