package import Base
package import Scheduling

/// A trigger as the store holds it.
package struct TriggerRecord: Sendable {
    /// Its number.
    package let number: Int64
    /// Its identifier.
    package let id: Identifier
    /// The app of its source.
    package let app: Int64
    /// The name of its source.
    package let source: String
    /// How its calls are signed.
    package let signature: TriggerSignature
    /// The sealed secret of the signatures; nil for calls without signatures.
    package let sealed: [UInt8]?
    /// The time at which it was created.
    package let createdAt: Timestamp
    /// The time of the last call that was taken; nil for none.
    package let calledAt: Timestamp?
}
