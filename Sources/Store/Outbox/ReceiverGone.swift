package import Base

/// The begin of a URL's pause, for the log.
package struct ReceiverGone: Sendable {
    /// The app's number.
    package let app: Int64
    /// The URL.
    package let url: String
    /// The end of the pause.
    package let until: Timestamp
    /// The number of further deliveries that were given up at once.
    package let ended: Int64
}
