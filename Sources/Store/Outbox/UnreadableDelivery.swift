package import Core

/// A delivery that this replica claimed and whose event cannot be read.
package struct UnreadableDelivery: Sendable {
    /// Its key.
    package let number: Int64
    /// Its name.
    package let id: Identifier
    /// Its receiver's number.
    package let receiver: Int64
    /// The fence of this try.
    package let fence: Int64
    /// What the event is about, mostly a download.
    package let subject: Identifier
    /// What is wrong with it, for the log.
    package let reason: String
}
