package import Base

/// A delivery that this replica claimed and whose event cannot be read.
package struct UnreadableDelivery: Sendable {
    /// The number.
    package let number: Int64
    /// The identifier.
    package let id: Identifier
    /// Its receiver's number.
    package let receiver: Int64
    /// The fence of this try.
    package let fence: Int64
    /// The subject of the event, mostly a download.
    package let subject: Identifier
    /// The error, for the log.
    package let reason: String
}
