package import Core

/// A URL that began to rest, for the log.
package struct ReceiverGone: Sendable {
    /// The app's number.
    package let app: Int64
    /// The URL.
    package let url: String
    /// Until when.
    package let until: Timestamp
    /// How many further deliveries were given up at once.
    package let ended: Int64
}
